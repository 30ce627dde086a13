"""The boxes, labels and ribbons of calls, which both layouts share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from synth.spans import SourceKind
from synth.wording import counted
from ui.figures.flow.chunk_row import chunk_scale
from ui.figures.flow.data import FlowCall, FlowData
from ui.figures.flow.scene import LETTER, TALL, Box, Ribbon, RowLabel

Sources = dict[tuple[SourceKind, int], Box]
"""The boxes of chunks and answers, from which the ribbons come."""

BELOW = -0.62
"""The bottom of a scene: half a chunk, and its number where the chunks are thin."""


def token_width(data: FlowData, span: float) -> float:
    """Pixels of one token: as in the row of chunks; without chunks, all answers fill the span."""
    whole = sum(data.chunks)
    return chunk_scale(data, span) if whole else span / max(1, sum(c.output for c in data.calls))


def call_box(call: FlowCall, width: float, y: float) -> Box:
    """A call, coloured by what it carries: chunks, only answers, or nothing but its template."""
    kinds = {part.kind for part in call.parts}
    meaning = "context" if "chunk" in kinds else "answer" if kinds else "template"
    return Box("call", call.number, 0, width, y, TALL, meaning, call.tokens("chunk", "answer"))


def labelled(row: Sequence[Box], beside: bool = True) -> list[Box]:
    """The calls of a row, all labelled in one way: "call 3" or "3" inside, or "3" beside them.

    The last call often carries only the rest, so its width does not decide. Where arrows
    leave no room `beside` the calls, narrow ones get no label.
    """
    numbers = [str(box.number) for box in row]
    words = [f"call {number}" for number in numbers]
    for names in (words, numbers):
        if all(map(Box.fits, row[:-1] or row, names)):
            choices = zip(row, zip(names, numbers, strict=True), strict=True)
            return [box._replace(label=next(filter(box.fits, pair), "")) for box, pair in choices]
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
    """The ribbons of a call, side by side under its box, each from its part of the source."""
    parts = [part for part in call.parts if (part.kind, part.number) in sources]
    total = sum(part.end - part.start for part in parts)
    ribbons, before = [], 0.0
    for kind, number, start, end in parts:
        source, after = sources[kind, number], before + end - start
        begin = source.at(start), source.at(end)
        arrive = box.at(before, total), box.at(after, total)
        ribbons.append(Ribbon(kind, call.number, begin, arrive, source.top, box.bottom))
        before = after
    return ribbons


def chunk_row_labels(data: FlowData) -> list[RowLabel]:
    """The label of the row of chunks, if there are any."""
    if not data.chunks:
        return []
    return [RowLabel(0, counted(len(data.chunks), "chunk"), counted(sum(data.chunks), "token"))]
