"""From the calls of a run to a scene: rows of calls above their chunks, or a chain of them."""

from __future__ import annotations

from collections.abc import Sequence

from synth.spans import SourceKind
from ui.figures.flow_data import FlowCall, FlowData
from ui.figures.places import (
    FLAT,
    TALL,
    Arrow,
    Box,
    Ribbon,
    Row,
    Scene,
    chunk_boxes,
    chunk_places,
    counted,
    fits,
    ribbons,
    spread,
)

Sources = dict[tuple[SourceKind, int], Box]


def layout(data: FlowData, span: float) -> Scene:
    """The scene of a flow, `span` pixels wide."""
    return _chain(data, span) if data.shape == "chain" else _levels(data, span)


def _levels(data: FlowData, span: float) -> Scene:
    """Chunks at the bottom, then a row of calls for each depth, each with its answer on top."""
    chunks = chunk_places(data, span)
    scale = _scale(chunks, data, span)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    boxes, rows = chunk_boxes(data, chunks), _chunk_row(data)
    bands: list[Ribbon] = []
    depths = sorted({call.depth for call in data.calls})
    for level, depth in enumerate(depths):
        calls = [call for call in data.calls if call.depth == depth]
        placed = _call_row(calls, sources, scale, span, 2.0 * level + 1)
        for call, box in zip(calls, placed, strict=True):
            answer = _answer_on(box, call, scale)
            sources["answer", call.number] = answer
            boxes += [box, answer]
            bands += ribbons(call, box, sources)
        rows.append(_level_row(data, level, len(calls)))
    top, unit = 2.0 * len(depths) - 0.3, 110 if len(depths) == 1 else 76
    return Scene(
        data.shape, tuple(boxes), tuple(bands), (), tuple(rows), span, -0.6, max(top, 0.5), unit
    )


def _scale(chunks: dict[int, Box], data: FlowData, span: float) -> float:
    """Pixels of one token."""
    tokens = sum(box.tokens for box in chunks.values())
    if tokens:
        return sum(box.width for box in chunks.values()) / tokens
    return span / max(1.0, *(call.tokens("chunk", "answer") for call in data.calls), 1.0)


def _call_row(
    calls: Sequence[FlowCall], sources: Sources, scale: float, span: float, y: float
) -> list[Box]:
    """The calls of one depth, each as near above the middle of what it reads as there is room."""
    gap = min(8.0, 0.1 * span / len(calls))
    widths = [max(call.tokens("chunk", "answer") * scale, _least(calls, span)) for call in calls]
    room = span - gap * (len(calls) - 1)
    shrink = min(1.0, room / sum(widths))
    even = span / len(calls)
    centres = [_middle(call, sources, even * (at + 0.5)) for at, call in enumerate(calls)]
    order = sorted(range(len(calls)), key=centres.__getitem__)
    lefts = spread([centres[at] for at in order], [widths[at] * shrink for at in order], gap, span)
    left_of = dict(zip(order, lefts, strict=True))
    return [_call_box(call, left_of[at], widths[at] * shrink, y) for at, call in enumerate(calls)]


def _least(calls: Sequence[FlowCall], span: float) -> float:
    """The least width of a call, so that one that carries no text can be seen and clicked."""
    carry = any(call.parts for call in calls)
    return min(6.0 if carry else 96.0, span / (3 * len(calls)))


def _middle(call: FlowCall, sources: Sources, otherwise: float) -> float:
    """Midway between the first and the last thing it reads."""
    middles = [
        source.at((part.start + part.end) / 2 / (source.tokens or 1))
        for part in call.parts
        if (source := sources.get((part.kind, part.number)))
    ]
    return (min(middles) + max(middles)) / 2 if middles else otherwise


def _call_box(call: FlowCall, left: float, width: float, y: float) -> Box:
    kinds = {part.kind for part in call.parts}
    meaning = "context" if "chunk" in kinds else "answer" if kinds else "template"
    tokens = call.tokens("chunk", "answer")
    box = Box("call", call.number, left, width, y, TALL, "", meaning, tokens)
    words = (f"call {call.number}", f"{call.number}")
    return box._replace(label=next((text for text in words if fits(box, text)), ""))


def _answer_on(box: Box, call: FlowCall, scale: float) -> Box:
    """The answer as a small block on its call, never wider than the call itself."""
    width = min(max(call.output * scale, 2.0), box.width)
    left, y = box.centre - width / 2, box.y + 0.42
    return Box("answer", call.number, left, width, y, FLAT, "", "answer", call.output)


def _chain(data: FlowData, span: float) -> Scene:
    """Calls from left to right, each handing its answer to the next one."""
    chunks, count = chunk_places(data, span), len(data.calls)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    scale = _scale(chunks, data, span)
    room = min(0.1, 0.5 / count) * span
    least = min(6.0, span / (4 * count))
    widths = [max(call.tokens("chunk") * scale, least) for call in data.calls]
    shrink = min(1.0, (span - room * count) / sum(widths))
    boxes, left = chunk_boxes(data, chunks), 0.0
    bands: list[Ribbon] = []
    arrows: list[Arrow] = []
    for call, width in zip(data.calls, widths, strict=True):
        box = _call_box(call, left, width * shrink, 1.0)
        start = box.right + room * 0.3
        size = min(room * 0.42, max(box.width, 4.0))
        answer = Box("answer", call.number, start, size, 1.0, 0.32, "", "answer", call.output)
        boxes += [box, answer]
        bands += ribbons(call, box, sources)
        left = box.right + room
        arrows += [Arrow(box.right, start, 1.0), Arrow(answer.right, left, 1.0)]
    rows = [*_chunk_row(data), Row(1, f"{count:,} calls", "in a chain")]
    travels = tuple(arrows[:-1])
    return Scene("chain", tuple(boxes), tuple(bands), travels, tuple(rows), span, -0.6, 1.6, 110)


def _chunk_row(data: FlowData) -> list[Row]:
    if not data.chunks:
        return []
    return [Row(0, counted(len(data.chunks), "chunk"), counted(sum(data.chunks), "token"))]


def _level_row(data: FlowData, level: int, calls: int) -> Row:
    if data.shape == "tree":
        return Row(2 * level + 1, f"level {level}", counted(calls, "call"))
    return Row(1, counted(calls, "call"), "at once" if calls > 1 else "")
