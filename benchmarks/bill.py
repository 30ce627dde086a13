"""What a set of questions costs by our plans, beside what servers with caches bill.

    python -m benchmarks.bill

Twenty questions over the same 60 chunks of Python's reference, window 8,192, answers of 100 tokens.
The servers are the fakes of tests/llms/providers.py, which know nothing of the planner. It ends
with 1 where a plan is a hundredth of a cent or more beside its bill.
"""

import sys
from collections.abc import Callable, Iterable
from pydoc_data.topics import topics
from typing import Any, NamedTuple

from benchmarks.texts import CHUNK
from synth import PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.llms.model_prices import model_facts
from synth.quality import shipped_questions
from synth.runs.prefixes import plan_in_order
from synth.runs.prices import CACHE_RULES, Price
from synth.runs.trace import Plan
from synth.text.model_tokenizers import tokenizer_for
from tests.llms.providers import Anthropic, Counted, DeepSeek, OpenAI, Tokens, answers, bill, read

WINDOW, ANSWER, CHUNKS, QUESTIONS = 8_192, 100, 60, 20
TOKENIZER = "gpt-5-mini"  # of all: the price lists are compared, not the vocabularies
MODES = (
    "simple_summarize",
    "compact",
    "tree_summarize",
    "compact_accumulate",
    "refine",
    "accumulate",
)
QUESTION_FIRST = PromptTemplate("Question: {query_str}\n\nContext:\n{context_str}\n\nAnswer: ")
CONTEXT_FIRST = PromptTemplate(
    "More context:\n{context_msg}\n\nQuestion: {query_str}\nAnswer so far: {existing_answer}\n"
    "Improved answer: "
)


class Server(NamedTuple):
    """A model by whose price list is billed, and a server that counts by its provider's page."""

    model: str
    rule: str
    start: Callable[[list[Tokens]], OpenAI | Anthropic | DeepSeek]

    @property
    def price(self) -> Price:
        """The price list, with that of what is marked."""
        price = model_facts(self.model, marked=True).price
        assert price is not None
        return price


SERVERS = (
    Server("gpt-5-mini", "openai", lambda _: OpenAI()),
    Server("gpt-5.6", "openai, from gpt-5.6", lambda _: OpenAI(writes=True)),
    Server("deepseek-chat", "deepseek", lambda _: DeepSeek()),
    Server("claude-sonnet-4-5", "anthropic", Anthropic),
)


class Asked(NamedTuple):
    """The plans of all questions in a mode, and the prompts that its runs sent."""

    name: str
    plans: list[Plan]
    sent: list[Tokens]


def asked(name: str, mode: str, **templates: Any) -> Asked:
    """Plan and run the questions in a mode."""
    sent: list[Tokens] = []
    replies = answers(ANSWER)

    def answer(prompt: str) -> str:
        sent.append(read(prompt))
        return next(replies)

    llm = FunctionLLM(answer, WINDOW, ANSWER, tokenizer_for(TOKENIZER))
    synthesizer = get_response_synthesizer(mode, llm, **templates)
    text = "\n\n".join(topics.values())[: CHUNKS * CHUNK]
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    questions = [one.question for one in shipped_questions()[:QUESTIONS]]
    plans = [synthesizer.plan(question, chunks, ANSWER) for question in questions]
    for question in questions:
        synthesizer.run(question, chunks)
    return Asked(name, plans, sent)


def row(case: Asked, server: Server) -> tuple[float, float, float]:
    """US dollars: by the list price of all tokens, planned with the cache, and billed."""
    price = server.price
    planned = plan_in_order(case.plans, CACHE_RULES[server.rule])
    listed = sum(price.of(plan.prompt_tokens, plan.output_tokens) for plan in case.plans)
    likely = sum(price.of(*plan.spent.tokens) for plan in planned)
    at_work = server.start(case.sent)
    counted: Iterable[Counted] = map(at_work.count, case.sent)
    pay = bill(price.prompt, price.output, price.cached or 0, price.written)
    return listed, likely, sum(pay(usage, ANSWER) for usage in counted)


def main() -> None:
    """Print a table for each price list, and the order of the modes with and without the cache."""
    cases = [asked(mode, mode) for mode in MODES]
    cases += [
        asked("compact, the question first", "compact", text_qa_template=QUESTION_FIRST),
        asked("compact, the context first in refine", "compact", refine_template=CONTEXT_FIRST),
    ]
    worst = 0.0
    for server in SERVERS:
        print(f"\n| {server.model} | calls | list price | planned | billed |")
        print("|---|--:|--:|--:|--:|")
        costs = {}
        for case in cases:
            listed, likely, billed = costs[case.name] = row(case, server)
            calls = sum(plan.call_count for plan in case.plans)
            dollars = " | ".join(f"${amount:.4f}" for amount in (listed, likely, billed))
            print(f"| {case.name} | {calls} | {dollars} |")
            worst = max(worst, abs(likely - billed))
        orders = [sorted(MODES, key=lambda mode: costs[mode][at]) for at in (0, 2)]
        print(f"\nCheapest first by list price: {', '.join(orders[0])}.")
        print(f"Cheapest first as billed: {', '.join(orders[1])}.")
    print(
        f"\nThe largest difference of a plan from its bill is {100 * worst:.4f} cents (bar: 0.01)."
    )
    sys.exit(int(worst >= 0.0001))


if __name__ == "__main__":
    main()
