"""The row of chunks: each as wide as its tokens, cut where calls divide it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase

from ui.figures.flow.data import FlowData, Part
from ui.figures.flow.scene import TALL, Box

NOTHING = 0.01
"""Tokens: a shorter piece comes from rounding."""


def chunk_scale(data: FlowData, span: float) -> float:
    """Pixels of one token, if all chunks and the gaps between them fill the span."""
    return span / max(1.0, sum(data.chunks) + _gap(data) * (len(data.chunks) - 1))


def _gap(data: FlowData) -> float:
    """Tokens that the space between two chunks is worth."""
    return 0.18 * sum(data.chunks) / max(1, len(data.chunks))


def whole_chunks(data: FlowData, span: float) -> dict[int, Box]:
    """The whole chunks by number, side by side over the span."""
    scale, gap, before = chunk_scale(data, span), _gap(data), 0.0
    boxes = {}
    for number, tokens in enumerate(data.chunks, 1):
        left, width = before * scale, tokens * scale
        boxes[number] = Box("chunk", number, left, width, 0, TALL, "context", tokens)
        before += tokens + gap
    return boxes


def chunk_boxes(data: FlowData, whole: dict[int, Box]) -> list[Box]:
    """The chunks as they are drawn: shared ones in pieces 3a, 3b; lost text as its own piece."""
    starts, lost = defaultdict(set), defaultdict(list)
    for call in data.calls:
        for part in call.parts:
            if part.kind == "chunk":
                starts[part.number].add(part.start)
    for part in data.lost:
        lost[part.number].append(part)
    return [
        piece
        for number, box in whole.items()
        for piece in _pieces(box, starts[number], lost[number])
    ]


def _pieces(box: Box, starts: set[float], lost: Sequence[Part]) -> list[Box]:
    """The lettered pieces of a chunk if their labels fit, otherwise the sent text as one piece."""
    number = str(box.number)
    lost_pieces = [_between(box, part.start, part.end)._replace(meaning="lost") for part in lost]
    sent = _lettered(_sent(box, starts, lost))
    if not sent:
        sent = _sent(box, set(), lost)
        sent[:1] = [piece._replace(label=number) for piece in sent[:1]]
    if not sent:
        lost_pieces[:1] = [piece._replace(label=number) for piece in lost_pieces[:1]]
    return lost_pieces + sent


def _lettered(pieces: Sequence[Box]) -> list[Box]:
    """The pieces with labels 3a, 3b; none if a label does not fit, but for that of the last."""
    names = [f"{box.number}{letter}" for box, letter in zip(pieces, ascii_lowercase, strict=False)]
    decisive = pieces[:-1] if len(pieces) > 2 else pieces
    if not 1 < len(pieces) == len(names) or not all(map(Box.fits, decisive, names)):
        return []
    return [
        box._replace(label=name if box.fits(name) else "")
        for box, name in zip(pieces, names, strict=True)
    ]


def _sent(box: Box, starts: set[float], lost: Sequence[Part]) -> list[Box]:
    """The pieces between the starts and the lost parts; a blank chunk is one piece."""
    if not box.tokens:
        return [box]
    borders = {border for part in lost for border in (part.start, part.end)}
    edges = sorted({0.0, box.tokens, *borders, *starts})
    lost_starts = {part.start for part in lost}
    return [
        _between(box, start, end)
        for start, end in pairwise(edges)
        if start not in lost_starts and end - start > NOTHING
    ]


def _between(box: Box, start: float, end: float) -> Box:
    left = box.at(start)
    return box._replace(left=left, width=box.at(end) - left, tokens=end - start)
