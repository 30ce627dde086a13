"""The sums that lessons share: room for chunks, and what each call takes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synth.calls import CallRecord, PlannedCall
from synth.prompt_helper import PADDING
from synth.spans import Text
from synth.tokens import Tokenizer, get_tokenizer
from ui.lessons.lesson import Choice, Line
from ui.request import Request

Block = tuple[Line, ...]


@dataclass(frozen=True)
class Room:
    """How the room for chunks in one call is found, in tokens; `name` is the template's."""

    name: str
    template: int
    query: int
    variables: tuple[tuple[str, int], ...]
    padding: int
    room: int
    larger: bool


def tokenizer_of(request: Request) -> Tokenizer:
    """The tokenizer that counts for a request."""
    return get_tokenizer(request.encoding)


def room_of(request: Request) -> Room:
    """The room that the packer has; BudgetError where there is too little of it."""
    synthesizer = request.synthesizer()
    packer, count = synthesizer.packer, tokenizer_of(request).count
    values = {"query_str": request.query, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values) for name in synthesizer.templates]
    refines = len(filled) == 2
    tightest = packer.tighter(*filled) if refines else filled[0]
    padding = packer.padding if refines else PADDING
    documented = request.behaviour == "documented"
    if documented:
        room = packer.room(tightest, padding)
    else:
        room = packer.helper.chunk_size(tightest.measured, padding=padding)
    query = count(request.query)
    # What LlamaIndex packs with has the custom variables empty.
    variables = tuple((name, count(text)) for name, text in request.variables if documented)
    used = request.window - request.num_output - padding - room
    template = used - query - sum(tokens for _, tokens in variables)
    return Room(tightest.name, template, query, variables, padding, room, refines)


def room_block(request: Request) -> Block:
    """Window, minus all that is no chunk, as on paper."""
    room = room_of(request)
    larger = ", the larger of the two" if room.larger else ""
    purpose = "kept free for the answer so far" if room.larger else "a small reserve"
    return (
        Line("", "context window", request.window),
        Line("−", f"{room.name}{larger}", room.template),
        Line("−", "question", room.query),
        *(Line("−", f"{name}, your variable", tokens) for name, tokens in room.variables),
        Line("−", "num_output, kept for the new answer", request.num_output),
        Line("−", f"padding, {purpose}", room.padding),
        Line("=", "room for chunks in one call", room.room),
    )


@dataclass(frozen=True)
class Take:
    """What a call takes of the joined chunks, in tokens: `new` ones, and a repeated `overlap`."""

    new: int
    overlap: int


def takes(calls: Sequence[PlannedCall | CallRecord], tokenizer: Tokenizer) -> list[Take]:
    """What each of these calls takes; their new tokens add up to all of the joined text."""
    texts = [_context(call) for call in calls]
    reached = [0, *(tokenizer.count(text.document.text[: text.end]) for text in texts)]
    return [
        Take(after - before, max(tokenizer.count(str(text)) - (after - before), 0))
        for (before, after), text in zip(pairwise(reached), texts, strict=True)
    ]


def _context(call: PlannedCall | CallRecord) -> Text:
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def packed_block(chunks: int, taken: Sequence[Take], room: int) -> Block:
    """All chunks together, minus what each call takes, down to what the last one finds."""
    total = Line("", f"{joined(chunks)} together", sum(take.new for take in taken))
    if len(taken) == 1:
        free = Line("=", "free in the only call", room - total.amount)
        return Line("", "room for chunks in one call", room), _minus(total), free
    lines = [
        Line("−", _taking(number, take, room), take.new)
        for number, take in enumerate(taken[:-1], 1)
    ]
    return total, *lines, Line("=", f"left over for call {len(taken)}", taken[-1].new)


def _minus(line: Line) -> Line:
    return Line("−", line.label, line.amount)


def _taking(number: int, take: Take, room: int) -> str:
    if take.overlap:
        return f"call {number} takes, beside {take.overlap:,} of overlap"
    return f"call {number} takes{' a full room' if take.new == room else ''}"


def joined(chunks: int) -> str:
    """Chunks as they are packed."""
    return "1 chunk" if chunks == 1 else f"{chunks} chunks and the blank lines between them"


def missed_calls(taken: Sequence[Take]) -> Callable[[Choice], str]:
    """What is wrong with another number of calls than these."""

    def miss(guess: Choice) -> str:
        count = int(guess)
        if count > len(taken):
            return f"You said {count}: no text would be left after call {len(taken)}."
        left = sum(take.new for take in taken[count:])
        return f"You said {count}: it misses by {left:,} token{'' if left == 1 else 's'}."

    return miss
