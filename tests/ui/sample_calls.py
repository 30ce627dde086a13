"""Calls made by hand for the figures: a token is a word, so that sums are easy to see."""

from collections.abc import Iterable, Sequence

from synth.errors import ModelError
from synth.llms import FunctionLLM
from synth.prompts.templates import PromptTemplate
from synth.runs.calls import CallRecord, PlannedCall, Setup
from synth.text.model_tokenizers import get_tokenizer
from synth.text.spans import Text, join

WORDS = get_tokenizer(str.split)
TEMPLATE = PromptTemplate("Read this: {context_str} Then say: {query_str}")
ANSWER = "one two three four five six seven eight nine ten"


def setup_of(chunks: Sequence[str], window: int = 100, num_output: int = 10) -> Setup:
    return Setup("compact", "documented", "why so", tuple(chunks), window, num_output, WORDS)


def scripted(replies: Iterable[str | None], window: int) -> FunctionLLM:
    """A model whose replies are these, one after the other; None fails."""
    left = iter(replies)

    def reply(prompt: str) -> str:
        text = next(left)
        if text is None:
            raise ModelError("it is out of order")
        return text

    return FunctionLLM(reply, context_window=window, num_output=40)


def chunks_of(*sizes: int) -> list[str]:
    return [" ".join(f"w{number}" for number in range(size)) for size in sizes]


def chunk(text: str, number: int) -> Text:
    return Text.of(text, "chunk", number)


def answer(number: int, text: str = ANSWER) -> Text:
    return Text.of(text, "answer", number)


def planned(number: int, depth: int, *texts: Text) -> PlannedCall:
    """A call whose context is these texts, with an answer of ten tokens assumed."""
    context = join(texts, "\n\n") if texts else ""
    prompt = TEMPLATE.fill(context_str=context, query_str="why so")
    return PlannedCall(number, depth, "text_qa_template", prompt, 5, (), 10, WORDS)


def made(number: int, depth: int, *texts: Text, reply: str = ANSWER) -> CallRecord:
    """A call with these texts that was answered."""
    plan = planned(number, depth, *texts)
    return CallRecord(
        number,
        depth,
        plan.template,
        plan.prompt,
        plan.padding,
        (),
        prompt_tokens=plan.prompt_tokens,
        answer=reply,
        output_tokens=WORDS.count(reply),
    )
