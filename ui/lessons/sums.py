"""The sums that several lessons write out: room for chunks, chunks one by one, levels of a tree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from synth.prompts.window import PADDING, PARAGRAPH
from synth.runs.calls import PlacedCall
from synth.runs.drivers import placeholder_answer
from synth.runs.trace import Plan, Trace
from synth.text.spans import Text
from synth.text.tokens import get_tokenizer
from ui.lessons.lesson import LessonFacts, Sum, SumLine
from ui.settings.request import Request


@dataclass(frozen=True)
class Room:
    """The room for chunks in one call, and what takes the rest of the window; all in tokens.

    `template_name` is the template that leaves the least room; `of_two` says that there is another.
    """

    template_name: str
    of_two: bool
    template: int
    query: int
    variables: tuple[tuple[str, int], ...]
    padding: int
    for_chunks: int


def room_of(request: Request) -> Room:
    """The room that the packer computes; BudgetError where there is too little of it."""
    synthesizer = request.synthesizer()
    count = synthesizer.prompt_helper.tokenizer.count
    packer, names = synthesizer.packer, synthesizer.templates
    values = {"query_str": request.query_str, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values).partial(existing_answer="") for name in names]
    of_two = len(filled) > 1
    tightest = packer.tighter(*filled) if of_two else filled[0]
    padding = packer.padding if of_two else PADDING
    variables = request.variables
    if request.behaviour == "documented":
        for_chunks = packer.room(tightest, padding)
    else:
        for_chunks = packer.helper.chunk_size(tightest.measured, padding=padding)
        variables = ()  # LlamaIndex leaves them out when it packs
    query, counts = count(request.query_str), tuple((name, count(text)) for name, text in variables)
    others = query + sum(tokens for _, tokens in counts)
    template = request.context_window - request.num_output - padding - for_chunks - others
    return Room(tightest.name, of_two, template, query, counts, padding, for_chunks)


def room_sum(request: Request) -> Sum:
    """The window, minus everything in it that is not for chunks."""
    room = room_of(request)
    template = f"{room.template_name}, the larger of the two" if room.of_two else ""
    margin = _FOR_THE_ANSWER if room.of_two else _FOR_JOINED_TEXT
    parts = (
        SumLine("−", "template", room.template, template),
        SumLine("−", "question", room.query),
        *(SumLine("−", f"{name}, your variable", tokens) for name, tokens in room.variables),
        SumLine("−", "room for the answer", request.num_output),
        SumLine("−", "safety margin", room.padding, margin),
    )
    return (
        SumLine("", "context window", request.context_window),
        *(line for line in parts if line.amount),
        SumLine("=", "room for chunks in one call", room.for_chunks),
    )


_FOR_THE_ANSWER = "for the answer so far, which every further call sends too"
_FOR_JOINED_TEXT = "texts can have a few tokens more once they are joined"


def answers_change(trace: Trace) -> bool:
    """Whether each call of a chain changes the answer; a last one with little text need not."""
    answers = [call.answer for call in trace.calls]
    return all(before != after for before, after in pairwise(answers[:-1] or answers))


def chunk_tokens(facts: LessonFacts) -> list[int]:
    """The tokens of each chunk."""
    return [facts.high.setup.tokenizer.count(chunk) for chunk in facts.request.text_chunks]


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def calls_per_chunk(facts: LessonFacts) -> tuple[SumLine, ...]:
    """The number of calls for each chunk in a mode that does not pack; the sum has no result."""
    numbers = [origin.number for call in facts.high.calls for origin in context(call).origins]
    counts = [numbers.count(number) for number in range(1, len(facts.request.text_chunks) + 1)]
    return tuple(
        SumLine(
            "+" if number > 1 else "",
            f"chunk {number}, cut into {count} parts" if count > 1 else f"chunk {number}",
            count,
        )
        for number, count in enumerate(counts, 1)
    )


def calls_per_level(run: Plan | Trace) -> list[int]:
    """The number of calls on each level of a tree, from the one that reads the chunks."""
    counts = Counter(call.depth for call in run.calls)
    return [counts[level] for level in sorted(counts)]


def answers_sum(facts: LessonFacts, level: int) -> Sum:
    """The tokens that a level reads if all answers below it are as long as they may be."""
    below, tokens = calls_per_level(facts.high)[level - 1], facts.request.num_output
    joined = PARAGRAPH.join(map(str, _answers(facts.request, below)))
    total = facts.high.setup.tokenizer.count(joined)
    between = SumLine("+", "blank lines between them", total - below * tokens)
    return (
        SumLine("", f"answers of level {level - 1}", below),
        SumLine("×", "tokens in an answer, at most", tokens),
        *([between] if between.amount else []),
        SumLine("=", f"tokens for level {level} to read", total),
    )


def texts_of_answers(request: Request, count: int) -> list[Text]:
    """The texts into which a level packs `count` answers of num_output tokens."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query_str, **variables)
    return synthesizer.packer.repack(template, _answers(request, count))


def _answers(request: Request, count: int) -> list[Text]:
    """Answers that are as long as they may be."""
    answer = placeholder_answer(get_tokenizer(request.encoding), request.num_output)
    return [Text.of(answer, "answer", number) for number in range(1, count + 1)]
