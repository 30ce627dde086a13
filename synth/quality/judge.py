"""The judge: a model that is asked about an answer, in calls like those of a mode.

Each judging is a generator of calls (synth/runs/steps.py), so it is planned, priced, capped, kept
and resumed by the drivers of synth/runs/drivers.py. What its replies mean is read from its trace
(judge_replies.py). Give a model with temperature 0, and better not the one that answered:
models like their own style.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from synth.errors import BudgetError
from synth.llms.sentences import paragraphs
from synth.prompts.packing import Filled, Packer
from synth.prompts.prompt import Prompt
from synth.prompts.templates import PromptTemplate
from synth.prompts.window import PromptHelper
from synth.quality.flags import flags
from synth.runs import drivers
from synth.runs.calls import Setup, prompt_hash
from synth.runs.events import Event, RunOptions
from synth.runs.llm import LLM
from synth.runs.steps import Call, Steps
from synth.runs.trace import Plan, Trace
from synth.text.spans import Text

_MOST_CALLS = 10_000

SUPPORT = PromptTemplate(
    "Text:\n{context_str}\n\nClaim: {claim}\n\n"
    "Does the text support the whole claim? Use the text alone, nothing that you know besides."
    ' If it does, reply with {"supported": true, "quote": "..."} and copy into the quote, word'
    ' for word, the passage that proves it. Otherwise reply with {"supported": false, "quote":'
    ' ""}. Reply with this JSON object and nothing else.'
)
CORRECTNESS = PromptTemplate(
    "Question: {query_str}\n\nReference answer: {reference}\n\nAnswer: {answer}\n\n"
    "Compare the answer with the reference, which is right. Its length and its style don't"
    ' matter. Reply with {"reason": "...", "grade": "..."}, where the reason is one sentence'
    ' and the grade "correct" (it says what the reference says), "partly" (it says some of it,'
    ' and nothing against it) or "incorrect". Reply with this JSON object and nothing else.'
)
PAIRWISE = PromptTemplate(
    "Question: {query_str}\n\nAnswer 1:\n{first}\n\nAnswer 2:\n{second}\n\n"
    "Which answer is the better one for who asked: right, complete and to the point? Their"
    " length, their style and their order don't matter. Reply with"
    ' {"reason": "...", "better": 1} or with 2, or with 0 if neither is. Reply with this JSON'
    " object and nothing else."
)


@dataclass(frozen=True)
class Judging:
    """What a judge is asked about an answer, or two; to be planned, and run any number of times.

    No call reads the reply to another, so the plan has the very prompts, and with answers of
    num_output tokens it costs the most that a run can cost.
    """

    setup: Setup
    begin: Callable[[], Steps]

    def plan(self, answer_tokens: int | None = None) -> Plan:
        """Its calls, each with a reply of so many tokens, num_output unless given."""
        tokens = self.setup.num_output if answer_tokens is None else answer_tokens
        return drivers.plan(self.setup, self.begin(), tokens, _MOST_CALLS)

    def run(self, llm: LLM, options: RunOptions) -> Trace:
        """Ask the model; a failure is raised with the trace so far, whose log a later run takes."""
        return drivers.run(self.setup, self.begin(), llm, options)

    def stream(self, llm: LLM, options: RunOptions) -> Iterator[Event]:
        """The events of `run`."""
        return drivers.stream(self.setup, self.begin(), llm, options)


def judge_support(trace: Trace, helper: PromptHelper) -> Judging:
    """Whether each sentence of the response is supported by the text that was sent.

    `helper` has the window of the judge. Text that does not fit it whole is asked about in
    parts; BudgetError, once it is planned or run, if a claim leaves no room for text. A response
    that abstains makes no claim, and no call.
    """

    def steps() -> Steps:
        batch = []
        for claim in _claims(trace):
            template = SUPPORT.partial_format(claim=claim)
            filled = Filled("text_qa_template", template, template)
            try:
                texts = Packer(helper, None).repack(filled, _sent(trace))
            except BudgetError as problem:  # its words are those of a template that can be edited
                raise _no_room(filled.bare, helper) from problem
            batch += [Call("judge_support", filled.prompt(text)) for text in texts]
        return (yield from _one_batch(batch))

    return Judging(_setup("judge_support", trace.setup.query, trace.setup.chunks, helper), steps)


def judge_correctness(trace: Trace, reference: str, helper: PromptHelper) -> Judging:
    """Whether the response says what the reference says.

    BudgetError, once it is planned or run, if the two don't fit the window of the judge.
    """

    def steps() -> Steps:
        prompt = CORRECTNESS.fill(
            query_str=trace.setup.query, reference=reference, answer=trace.response or ""
        )
        return (yield from _one_batch([_whole("judge_correctness", prompt, helper)]))

    return Judging(_setup("judge_correctness", trace.setup.query, (), helper), steps)


def judge_pair(query: str, one: str, other: str, helper: PromptHelper) -> Judging:
    """Which of two answers is better, asked in both orders; BudgetError as for a reference."""

    def steps() -> Steps:
        prompts = [
            PAIRWISE.fill(query_str=query, first=first, second=second)
            for first, second in ((one, other), (other, one))
        ]
        return (yield from _one_batch([_whole("judge_pair", each, helper) for each in prompts]))

    return Judging(_setup("judge_pair", query, (), helper), steps)


def judge_together(judgings: Sequence[Judging], helper: PromptHelper) -> Judging:
    """All of these in one run, so that one cap holds for them; equal prompts are sent once.

    `answered_part` reads from its calls what was said of each.
    """

    def steps() -> Steps:
        calls = [call for judging in judgings for call in next(judging.begin(), [])]
        distinct = {prompt_hash(call.prompt): call for call in calls}
        return (yield from _one_batch(list(distinct.values())))

    return Judging(_setup("judge", "", (), helper), steps)


def _one_batch(calls: list[Call]) -> Steps:
    answers = (yield calls) if calls else []
    return "\n".join(answer.text for answer in answers)


def _setup(mode: str, query: str, chunks: tuple[str, ...], helper: PromptHelper) -> Setup:
    return Setup(
        mode=mode,
        behaviour="documented",
        query=query,
        chunks=chunks,
        context_window=helper.context_window,
        num_output=helper.num_output,
        tokenizer=helper.tokenizer,
    )


def _claims(trace: Trace) -> list[str]:
    if trace.response is None or {flag.kind for flag in flags(trace)} & {"abstained", "empty"}:
        return []
    sentences = chain.from_iterable(paragraphs(trace.response))
    return list(dict.fromkeys(sentences))


def _sent(trace: Trace) -> list[Text]:
    """What the calls carried of each chunk, neighbouring stretches as one."""
    texts = []
    for chunk in trace.coverage:
        whole = Text.of(chunk.text, "chunk", chunk.number)
        for sent, group in groupby(chunk.stretches, key=lambda stretch: bool(stretch.calls)):
            stretches = list(group)
            if sent:
                texts.append(whole.slice(stretches[0].start, stretches[-1].end))
    return texts


def _whole(template: str, prompt: Prompt, helper: PromptHelper) -> Call:
    if prompt.tokens(helper.tokenizer) > helper.context_window - helper.num_output:
        raise _no_room(prompt, helper)
    return Call(template, prompt)


def _no_room(prompt: Prompt, helper: PromptHelper) -> BudgetError:
    return BudgetError(
        f"The judge's prompt has {prompt.tokens(helper.tokenizer):,} tokens beside the chunks, and"
        f" its window of {helper.context_window:,} leaves"
        f" {max(0, helper.context_window - helper.num_output):,} beside the reply: take a judge"
        " with a larger window, or lower the answer length."
    )
