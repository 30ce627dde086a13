"""The two layouts of a flow: calls in a chain, or in levels above their chunks (tree and fan)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from synth.wording import counted
from ui.figures.flow.calls import (
    BELOW,
    Sources,
    call_box,
    chunk_row_labels,
    labelled,
    ribbons_into,
    token_width,
)
from ui.figures.flow.chunk_row import chunk_boxes, whole_chunks
from ui.figures.flow.data import FlowCall, FlowData
from ui.figures.flow.scene import FLAT, Arrow, Box, Ribbon, RowLabel, Scene


def chain(data: FlowData, span: float) -> Scene:
    """Calls from left to right, each handing its answer to the next one."""
    chunks, count = whole_chunks(data, span), len(data.calls)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    scale, room = token_width(data, span), min(0.1, 0.5 / count) * span
    widths = [max(call.tokens("chunk") * scale, span / (4 * count)) for call in data.calls]
    shrink = min(1.0, (span - room * count) / sum(widths))
    row, left = [], 0.0
    for call, width in zip(data.calls, widths, strict=True):
        row.append(call_box(call, width * shrink, 1.0)._replace(left=left))
        left = row[-1].right + room
    boxes = chunk_boxes(data, chunks)
    ribbons: list[Ribbon] = []
    arrows: list[Arrow] = []
    for call, box in zip(data.calls, labelled(row, beside=False), strict=True):
        start, width = box.right + room * 0.3, min(room * 0.42, max(box.width, 4.0))
        answer = Box("answer", call.number, start, width, 1.0, 0.32, "answer", call.output)
        boxes += [box, answer]
        ribbons += ribbons_into(call, box, sources)
        legs = ((box.right, start), (answer.right, box.right + room))
        arrows += [Arrow(call.number, *leg, 1.0) for leg in legs]
    labels = (*chunk_row_labels(data), RowLabel(1, counted(count, "call"), "in a chain"))
    visible_arrows = tuple(arrows[:-1]) if room > 14 else ()
    return Scene(
        "chain", tuple(boxes), tuple(ribbons), visible_arrows, labels, span, BELOW, 1.42, 110
    )


def levels(data: FlowData, span: float) -> Scene:
    """Chunks at the bottom, then a row of calls for each depth, each with its answer on top."""
    chunks = whole_chunks(data, span)
    scale = token_width(data, span)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    boxes, labels = chunk_boxes(data, chunks), chunk_row_labels(data)
    ribbons: list[Ribbon] = []
    depths = sorted({call.depth for call in data.calls})
    for level, depth in enumerate(depths):
        calls = [call for call in data.calls if call.depth == depth]
        y = 2.0 * level + 1
        for call, box in zip(calls, _call_row(calls, sources, scale, span, y), strict=True):
            answer = _answer_on(box, call, scale)
            sources["answer", call.number] = answer
            boxes += [box, answer]
            ribbons += ribbons_into(call, box, sources)
        labels += _level_labels(data, level, calls)
    top, bottom = max(0.4, 2.0 * len(depths) - 0.26), BELOW
    if depths and not data.chunks:
        bottom = 0.6
    unit = 110 if len(depths) == 1 else 76
    return Scene(
        data.shape, tuple(boxes), tuple(ribbons), (), tuple(labels), span, bottom, top, unit
    )


def _call_row(
    calls: Sequence[FlowCall], sources: Sources, scale: float, span: float, y: float
) -> list[Box]:
    """The calls of one depth, each as near above the middle of its sources as there is room."""
    gap = min(8.0, 0.1 * span / len(calls))
    least = _least_width(calls, span)
    widths = [max(call.tokens("chunk", "answer") * scale, least) for call in calls]
    shrink = min(1.0, (span - gap * (len(calls) - 1)) / sum(widths))
    boxes = [call_box(call, width * shrink, y) for call, width in zip(calls, widths, strict=True)]
    even = span / len(calls)
    centres = [_middle(call, sources, even * (at + 0.5)) for at, call in enumerate(calls)]
    order = sorted(range(len(calls)), key=centres.__getitem__)
    lefts = spread([centres[at] for at in order], [boxes[at].width for at in order], gap, span)
    for at, left in zip(order, lefts, strict=True):
        boxes[at] = boxes[at]._replace(left=left)
    return labelled(boxes)


def _least_width(calls: Sequence[FlowCall], span: float) -> float:
    """The least width of a call, so that one that carries no text can be seen and clicked."""
    preferred = 6.0 if any(call.parts for call in calls) else 96.0
    return min(preferred, span / (3 * len(calls)))


def _middle(call: FlowCall, sources: Sources, default: float) -> float:
    """The point midway between the first and the last text that a call carries."""
    middles = [
        sources[part.kind, part.number].at((part.start + part.end) / 2)
        for part in call.parts
        if (part.kind, part.number) in sources
    ]
    return (min(middles) + max(middles)) / 2 if middles else default


def _answer_on(box: Box, call: FlowCall, scale: float) -> Box:
    """The answer as a small block on its call, never wider than the call itself."""
    width = min(max(call.output * scale, 2.0), box.width)
    left, y = box.centre - width / 2, box.y + 0.42
    return Box("answer", call.number, left, width, y, FLAT, "answer", call.output)


def _level_labels(data: FlowData, level: int, calls: Sequence[FlowCall]) -> list[RowLabel]:
    number = len(calls)
    if data.shape == "tree":
        return [RowLabel(2.0 * level + 1, f"level {level}", counted(number, "call"))]
    if number == 1:
        return [RowLabel(1, "1 call", "")]
    at_once = RowLabel(1, counted(number, "call"), "at once")
    return [at_once, RowLabel(1.44, counted(number, "answer"), "in a list")]


def spread(
    centres: Sequence[float], widths: Sequence[float], gap: float, span: float
) -> list[float]:
    """Left edges of boxes in the given order, each near its centre, within 0 to `span`.

    At least `gap` lies between two boxes. Without the room that the boxes before it need, a
    left edge only has to be no smaller than the edge before: the sequence nearest to the
    wanted edges that never falls is a known problem with a short solution.
    """
    before = [0.0, *accumulate(width + gap for width in widths)]
    wanted = [c - w / 2 - b for c, w, b in zip(centres, widths, before, strict=False)]
    last = max(0.0, span - (before[-1] - gap))
    nearest = (min(max(edge, 0.0), last) for edge in never_falling(wanted))
    return [edge + room for edge, room in zip(nearest, before, strict=False)]


def never_falling(values: Sequence[float]) -> list[float]:
    """The sequence nearest to the values (by squares) in which none is below the one before.

    Values out of order are pooled, and all take their mean:

        >>> never_falling([1, 4, 2, 9])
        [1, 3.0, 3.0, 9]
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            lower, count = pools.pop()
            mean, size = (mean * size + lower * count) / (size + count), size + count
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]
