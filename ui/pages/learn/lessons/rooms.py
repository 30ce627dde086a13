"""The room for chunks in a call, and what each call of a plan takes of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from synth.modes.llama_index import PlainPacker
from synth.prompts.packing import JOINT
from synth.runs.calls import PlacedCall
from synth.runs.trace import Plan, Trace
from synth.text.spans import Text
from synth.text.wording import counted
from ui.pages.learn.lessons.lesson import Choice, LessonFacts, Solution
from ui.settings.request import Request


@dataclass(frozen=True)
class Room:
    """The room for chunks in one call, and what takes the rest of the window; all in tokens.

    `answer` is for the answer so far.
    """

    template: int
    query: int
    variables: int
    answer: int
    padding: int
    for_chunks: int


def room_of(request: Request, *, later: bool = False) -> Room:
    """The room that the packer computes for the first call, or for each `later` one of a chain.

    BudgetError where there is too little of it.
    """
    synthesizer = request.synthesizer()
    count = synthesizer.prompt_helper.tokenizer.count
    packer, names = synthesizer.packer, synthesizer.templates
    values = {"query_str": request.query_str, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values) for name in names]
    padding = packer.padding if len(filled) > 1 else packer.margin
    of_two = isinstance(packer, PlainPacker) and len(filled) > 1
    variables, answer = request.variables, 0
    if isinstance(packer, PlainPacker):
        bare = [one.partial(existing_answer="") for one in filled]
        used = packer.choose_tighter(*bare) if of_two else filled[0]
        for_chunks = packer.helper.chunk_size(used.measured, padding=padding)
        variables = ()  # LlamaIndex leaves them out when it packs
    elif later and len(filled) > 1:
        used, answer = (packer.with_longest_answer(filled[-1]), request.num_output + JOINT)
        for_chunks = packer.room(used, padding)
    else:
        used = filled[0]
        for_chunks = packer.room(used, padding)
    query, values_of = count(request.query_str), sum(count(text) for _, text in variables)
    others = query + answer + values_of + padding + for_chunks
    template = request.context_window - request.num_output - others
    return Room(template, query, values_of, answer, padding, for_chunks)


def answers_change(trace: Trace) -> bool:
    """Whether each call of a chain changes the answer; a last one with little text need not."""
    answers = [call.answer for call in trace.calls]
    return all(before != after for before, after in pairwise(answers[:-1] or answers))


def chunk_tokens(facts: LessonFacts) -> list[int]:
    """The tokens of each chunk."""
    return list(map(facts.tokens, facts.request.text_chunks))


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def calls_per_level(run: Plan | Trace) -> list[int]:
    """The number of calls on each level of a tree, from the one that reads the chunks."""
    counts = Counter(call.depth for call in run.calls)
    return [counts[level] for level in sorted(counts)]


def texts_of_answers(request: Request, answers: Sequence[Text]) -> list[Text]:
    """The texts into which a level packs these answers."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query_str, **variables)
    return synthesizer.packer.repack(template, answers)


def count_new_tokens(plan: Plan) -> list[int]:
    """The tokens of the joined chunks that each call sends and no call before it sends."""
    texts = [context(call) for call in plan.calls]
    count = plan.setup.tokenizer.count
    joined = texts[0].document.text if texts else ""
    counts = [0, *(count(joined[: text.end]) for text in texts)]
    return [after - before for before, after in pairwise(counts)]


def packing_solution(facts: LessonFacts, choices: tuple[Choice, ...], **names: object) -> Solution:
    """Return how many calls a mode that packs makes."""
    return Solution(facts.calls, choices, names={"missed": missed_calls(facts.high), **names})


def least_calls(facts: LessonFacts) -> int:
    """The calls for this text if each of them is filled completely."""
    first, later = room_of(facts.request), room_of(facts.request, later=True)
    left = sum(count_new_tokens(facts.high)) - first.for_chunks
    overlap = int(later.for_chunks * facts.request.chunk_overlap_ratio)
    return 1 + max(0, ceil(left / (later.for_chunks - overlap)))


def missed_calls(plan: Plan) -> Callable[[Choice], str]:
    """What is wrong with another number of calls than the plan has."""
    tokens = count_new_tokens(plan)

    def miss(guess: Choice) -> str:
        if int(guess) > len(tokens):
            return f"no text is left after call {len(tokens)}"
        return f"that leaves {counted(sum(tokens[int(guess) :]), 'token')} unsent"

    return miss
