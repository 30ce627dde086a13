"""The sums that several lessons write out: room for chunks, packing, and levels of a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synth.calls import PlacedCall
from synth.prompt_helper import PADDING
from synth.run import placeholder_answer
from synth.spans import Text
from synth.trace import Plan, Trace
from synth.wording import counted
from ui.lessons.lesson import Choice, LessonFacts, Sum, SumLine
from ui.request.request import Request


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
    values = {"query_str": request.query, **dict(request.variables)}
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
    query, counts = count(request.query), tuple((name, count(text)) for name, text in variables)
    others = query + sum(tokens for _, tokens in counts)
    template = request.window - request.num_output - padding - for_chunks - others
    return Room(tightest.name, of_two, template, query, counts, padding, for_chunks)


def room_sum(request: Request) -> Sum:
    """The window, minus everything in it that is not for chunks."""
    room = room_of(request)
    larger = ", the larger of the two" if room.of_two else ""
    purpose = "kept free for the answer so far" if room.of_two else "a small reserve"
    parts = (
        (f"{room.template_name}{larger}", room.template),
        ("question", room.query),
        *((f"{name}, your variable", tokens) for name, tokens in room.variables),
        ("num_output, kept for the new answer", request.num_output),
        (f"padding, {purpose}", room.padding),
    )
    return (
        SumLine("", "context window", request.window),
        *(SumLine("−", label, tokens) for label, tokens in parts if tokens),
        SumLine("=", "room for chunks in one call", room.for_chunks),
    )


@dataclass(frozen=True)
class CallShare:
    """The part of the joined chunks that one call sends, in tokens.

    `new` tokens are in no earlier call; `overlap` tokens repeat the end of the call before.
    """

    new: int
    overlap: int


def call_shares(plan: Plan) -> list[CallShare]:
    """The share of each call; the new tokens of all add up to those of the joined chunks."""
    texts = [context(call) for call in plan.calls]
    count = plan.setup.tokenizer.count
    ends = [0, *(text.end for text in texts)]
    joined = texts[0].document.text if texts else ""
    return [
        CallShare(count(joined[:end]) - count(joined[:before]), count(joined[text.start : before]))
        for (before, end), text in zip(pairwise(ends), texts, strict=True)
    ]


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def packing_sum(plan: Plan, shares: Sequence[CallShare], room: int) -> Sum:
    """All chunks together, minus the share of each call, down to what is left for the last."""
    label = f"{counted(len(plan.setup.chunks), 'chunk')} with blank lines between them"
    total = sum(share.new for share in shares)
    if len(shares) == 1:
        return (
            SumLine("", "room for chunks in one call", room),
            SumLine("−", label, total),
            SumLine("=", "still free", room - total),
        )
    lines = [
        SumLine("−", _share_label(number, share, room), share.new)
        for number, share in enumerate(shares[:-1], 1)
    ]
    last = SumLine("=", f"left for call {len(shares)}", shares[-1].new)
    return SumLine("", label, total), *lines, last


def _share_label(number: int, share: CallShare, room: int) -> str:
    if share.overlap:
        return f"call {number}, without its {counted(share.overlap, 'repeated token')}"
    return f"call {number}, completely filled" if share.new == room else f"call {number}"


def missed_calls(shares: Sequence[CallShare]) -> Callable[[Choice], str]:
    """The sentence about another number of calls than these shares have."""

    def miss(guess: Choice) -> str:
        count = int(guess)
        if count > len(shares):
            return f"You said {count}: no text is left after call {len(shares)}."
        left = sum(share.new for share in shares[count:])
        return f"You said {count}: that leaves {counted(left, 'token')} unsent."

    return miss


def calls_per_chunk(facts: LessonFacts) -> tuple[SumLine, ...]:
    """The number of calls for each chunk in a mode that does not pack; the sum has no result."""
    numbers = [origin.number for call in facts.high.calls for origin in context(call).origins]
    counts = [numbers.count(number) for number in range(1, len(facts.request.chunks) + 1)]
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
    return (
        SumLine("", f"answers of level {level - 1}", below),
        SumLine("×", "tokens in an answer (num_output)", tokens),
        SumLine("=", f"tokens for level {level} to read", below * tokens),
    )


def texts_of_answers(request: Request, count: int) -> list[Text]:
    """The texts into which a level packs `count` answers of num_output tokens."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query, **variables)
    answer = placeholder_answer(synthesizer.prompt_helper.tokenizer, request.num_output)
    answers = [Text.of(answer, "answer", number) for number in range(1, count + 1)]
    return synthesizer.packer.repack(template, answers)
