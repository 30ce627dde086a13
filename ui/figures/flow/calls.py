"""What the calls of every flow have in common: their boxes, labels and ribbons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from synth.spans import SourceKind
from synth.wording import counted
from ui.figures.flow.chunk_row import chunk_scale
from ui.figures.flow.data import FlowCall, FlowData
from ui.figures.flow.scene import LETTER, TALL, Box, Ribbon, Row

Sources = dict[tuple[SourceKind, int], Box]
"""Where chunks and answers stand, for the ribbons that come from them."""

BELOW = -0.62
"""The bottom of a scene: half a chunk, and its number where the chunks are thin."""


def token_width(data: FlowData, span: float) -> float:
    """Pixels of one token: as in the row of chunks, or without chunks, of all answers."""
    whole = sum(data.chunks)
    return chunk_scale(data, span) if whole else span / max(1, sum(c.output for c in data.calls))


def call_box(call: FlowCall, width: float, y: float) -> Box:
    """A call, coloured by what it carries: chunks, only answers, or nothing but its template."""
    kinds = {part.kind for part in call.parts}
    meaning = "context" if "chunk" in kinds else "answer" if kinds else "template"
    return Box("call", call.number, 0, width, y, TALL, meaning, call.tokens("chunk", "answer"))


def labelled(row: Sequence[Box], beside: bool = True) -> list[Box]:
    """The calls of a row with one way of labelling: "call 3" or "3" inside, else "3" beside.

    The last call often carries only the rest, so it does not decide. Where arrows leave no
    room `beside`, calls that are too narrow have no label.
    """
    numbers = [str(box.number) for box in row]
    words = [f"call {number}" for number in numbers]
    for names in (words, numbers):
        if all(map(Box.fits, row[:-1] or row, names)):
            choices = zip(row, zip(names, numbers, strict=True), strict=True)
            return [box._replace(label=next(filter(box.fits, two), "")) for box, two in choices]
    if not beside:
        pairs = zip(row, numbers, strict=True)
        return [box._replace(label=number if box.fits(number) else "") for box, number in pairs]
    order = sorted(row, key=lambda box: box.left)
    room = min((after.left - box.right for box, after in pairwise(order)), default=99.0)
    if room < LETTER * len(numbers[-1]) + 8:
        return list(row)
    return [
        box._replace(label=number, beside=True) for box, number in zip(row, numbers, strict=True)
    ]


def ribbons_into(call: FlowCall, box: Box, sources: Sources) -> list[Ribbon]:
    """The parts of a call, side by side under its box, each from where it stands in its source."""
    parts = [part for part in call.parts if (part.kind, part.number) in sources]
    total = sum(part.end - part.start for part in parts)
    found, before = [], 0.0
    for kind, number, start, end in parts:
        source, after = sources[kind, number], before + end - start
        begin = source.at(start), source.at(end)
        arrive = box.at(before, total), box.at(after, total)
        found.append(Ribbon(kind, call.number, begin, arrive, source.top, box.bottom))
        before = after
    return found


def chunk_words(data: FlowData) -> list[Row]:
    """What stands beside the chunks."""
    if not data.chunks:
        return []
    return [Row(0, counted(len(data.chunks), "chunk"), counted(sum(data.chunks), "token"))]
