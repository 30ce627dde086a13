"""Calls one after the other, each handing its answer to the next."""

from __future__ import annotations

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
from ui.figures.flow.data import FlowData
from ui.figures.flow.scene import Arrow, Box, Ribbon, Row, Scene


def chain(data: FlowData, span: float) -> Scene:
    """Calls from left to right, each handing its answer to the next one."""
    chunks, count = chunk_places(data, span), len(data.calls)
    sources: Sources = {("chunk", number): box for number, box in chunks.items()}
    scale, room = token_width(data, span), min(0.1, 0.5 / count) * span
    widths = [max(call.tokens("chunk") * scale, span / (4 * count)) for call in data.calls]
    shrink = min(1.0, (span - room * count) / sum(widths))
    row, left = [], 0.0
    for call, width in zip(data.calls, widths, strict=True):
        row.append(call_box(call, width * shrink, 1.0)._replace(left=left))
        left = row[-1].right + room
    boxes = chunk_boxes(data, chunks)
    bands: list[Ribbon] = []
    arrows: list[Arrow] = []
    for call, box in zip(data.calls, labelled(row, beside=False), strict=True):
        start, width = box.right + room * 0.3, min(room * 0.42, max(box.width, 4.0))
        answer = Box("answer", call.number, start, width, 1.0, 0.32, "answer", call.output)
        boxes += [box, answer]
        bands += ribbons_into(call, box, sources)
        legs = ((box.right, start), (answer.right, box.right + room))
        arrows += [Arrow(call.number, *leg, 1.0) for leg in legs]
    rows = (*chunk_words(data), Row(1, counted(count, "call"), "in a chain"))
    travels = tuple(arrows[:-1]) if room > 14 else ()
    return Scene("chain", tuple(boxes), tuple(bands), travels, rows, span, BELOW, 1.42, 110)
