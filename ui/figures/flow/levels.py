"""Rows of calls above their chunks: the tree, and the fan that is a tree of one level."""

from __future__ import annotations

from collections.abc import Sequence

from synth.wording import counted
from ui.figures.flow.calls import (
    BELOW,
    Sources,
    call_box,
    chunk_words,
    labelled,
    ribbons_into,
    token_width,
)
from ui.figures.flow.chunk_row import chunk_boxes, chunk_places
from ui.figures.flow.data import FlowCall, FlowData
from ui.figures.flow.scene import FLAT, Box, Ribbon, Row, Scene
from ui.figures.flow.spread import spread


def levels(data: FlowData, span: float) -> Scene:
    """Chunks at the bottom, then a row of calls for each depth, each with its answer on top."""
    chunks = chunk_places(data, span)
    scale = token_width(data, span)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    boxes, rows = chunk_boxes(data, chunks), chunk_words(data)
    bands: list[Ribbon] = []
    depths = sorted({call.depth for call in data.calls})
    for level, depth in enumerate(depths):
        calls = [call for call in data.calls if call.depth == depth]
        y = 2.0 * level + 1
        for call, box in zip(calls, _call_row(calls, sources, scale, span, y), strict=True):
            answer = _answer_on(box, call, scale)
            sources["answer", call.number] = answer
            boxes += [box, answer]
            bands += ribbons_into(call, box, sources)
        rows += _level_words(data, level, calls)
    top, bottom = max(0.4, 2.0 * len(depths) - 0.26), BELOW
    if depths and not data.chunks:
        bottom = 0.6
    unit = 110 if len(depths) == 1 else 76
    return Scene(data.shape, tuple(boxes), tuple(bands), (), tuple(rows), span, bottom, top, unit)


def _call_row(
    calls: Sequence[FlowCall], sources: Sources, scale: float, span: float, y: float
) -> list[Box]:
    """The calls of one depth, each as near above the middle of what it reads as there is room."""
    gap = min(8.0, 0.1 * span / len(calls))
    widths = [max(call.tokens("chunk", "answer") * scale, _least(calls, span)) for call in calls]
    shrink = min(1.0, (span - gap * (len(calls) - 1)) / sum(widths))
    boxes = [call_box(call, width * shrink, y) for call, width in zip(calls, widths, strict=True)]
    even = span / len(calls)
    centres = [_middle(call, sources, even * (at + 0.5)) for at, call in enumerate(calls)]
    order = sorted(range(len(calls)), key=centres.__getitem__)
    lefts = spread([centres[at] for at in order], [boxes[at].width for at in order], gap, span)
    for at, left in zip(order, lefts, strict=True):
        boxes[at] = boxes[at]._replace(left=left)
    return labelled(boxes)


def _least(calls: Sequence[FlowCall], span: float) -> float:
    """The least width of a call, so that one that carries no text can be seen and clicked."""
    wish = 6.0 if any(call.parts for call in calls) else 96.0
    return min(wish, span / (3 * len(calls)))


def _middle(call: FlowCall, sources: Sources, otherwise: float) -> float:
    """Midway between the first and the last thing it reads."""
    middles = [
        sources[part.kind, part.number].at((part.start + part.end) / 2)
        for part in call.parts
        if (part.kind, part.number) in sources
    ]
    return (min(middles) + max(middles)) / 2 if middles else otherwise


def _answer_on(box: Box, call: FlowCall, scale: float) -> Box:
    """The answer as a small block on its call, never wider than the call itself."""
    width = min(max(call.output * scale, 2.0), box.width)
    left, y = box.centre - width / 2, box.y + 0.42
    return Box("answer", call.number, left, width, y, FLAT, "answer", call.output)


def _level_words(data: FlowData, level: int, calls: Sequence[FlowCall]) -> list[Row]:
    number = len(calls)
    if data.shape == "tree":
        return [Row(2.0 * level + 1, f"level {level}", counted(number, "call"))]
    if number == 1:
        return [Row(1, "1 call", "")]
    at_once = Row(1, counted(number, "call"), "at once")
    return [at_once, Row(1.44, counted(number, "answer"), "in a list")]
