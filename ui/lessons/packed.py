"""Sums of packing: what each call takes of the chunks, and what a guess would miss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synth.calls import PlacedCall
from synth.spans import Text
from synth.trace import Plan
from synth.wording import counted
from ui.lessons.lesson import Choice, Facts, Line
from ui.lessons.sums import Block


@dataclass(frozen=True)
class Take:
    """What a call takes of the joined chunks, in tokens: `new` ones, and a repeated `overlap`."""

    new: int
    overlap: int


def takes(found: Plan) -> list[Take]:
    """What each call takes; the new tokens of all add up to those of the joined chunks."""
    texts = [context(call) for call in found.calls]
    count = found.setup.tokenizer.count
    ends = [0, *(text.end for text in texts)]
    whole = texts[0].document.text if texts else ""
    return [
        Take(count(whole[:end]) - count(whole[:before]), count(whole[text.start : before]))
        for (before, end), text in zip(pairwise(ends), texts, strict=True)
    ]


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def packed_block(found: Plan, taken: Sequence[Take], room: int) -> Block:
    """All chunks together, minus what each call takes, down to what the last one finds."""
    label = f"{counted(len(found.setup.chunks), 'chunk')} with blank lines between them"
    total = sum(take.new for take in taken)
    if len(taken) == 1:
        return (
            Line("", "room for chunks in one call", room),
            Line("−", label, total),
            Line("=", "still free", room - total),
        )
    lines = [
        Line("−", _taking(number, take, room), take.new)
        for number, take in enumerate(taken[:-1], 1)
    ]
    return Line("", label, total), *lines, Line("=", f"left for call {len(taken)}", taken[-1].new)


def _taking(number: int, take: Take, room: int) -> str:
    if take.overlap:
        return f"call {number} takes, beside {take.overlap:,} of overlap"
    return f"call {number} takes{' a full room' if take.new == room else ''}"


def missed_calls(taken: Sequence[Take]) -> Callable[[Choice], str]:
    """What is wrong with another number of calls than these."""

    def miss(guess: Choice) -> str:
        count = int(guess)
        if count > len(taken):
            return f"You said {count}: no text is left after call {len(taken)}."
        left = sum(take.new for take in taken[count:])
        return f"You said {count}: it misses by {counted(left, 'token')}."

    return miss


def pieces(found: Facts) -> Block:
    """The calls that each chunk needs where chunks are not packed; lines to go on from."""
    numbers = [origin.number for call in found.high.calls for origin in context(call).origins]
    parts = [numbers.count(number) for number in range(1, len(found.request.chunks) + 1)]
    return tuple(
        Line(
            "+" if number > 1 else "",
            f"chunk {number}" + (f", cut into {count} parts" if count > 1 else ""),
            count,
        )
        for number, count in enumerate(parts, 1)
    )
