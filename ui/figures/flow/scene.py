"""Where things stand in a flow: boxes and ribbons, in pixels across and in rows up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from synth.spans import SourceKind
from ui.figures.flow_data import FlowCall, FlowData, Part, Shape

TALL, FLAT = 0.56, 0.2
LETTER = 6.2
"""Pixels of one letter at the size of the labels."""


class Box(NamedTuple):
    """A chunk (or a piece of one), a call, or its answer. `y` is its middle, `tokens` its size."""

    kind: Literal["chunk", "call", "answer"]
    number: int
    left: float
    width: float
    y: float
    height: float
    label: str
    meaning: str
    tokens: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def centre(self) -> float:
        """Its middle, from left to right."""
        return self.left + self.width / 2

    def at(self, share: float) -> float:
        """The position of a share of it, 0 at its left edge and 1 at its right."""
        return self.left + self.width * share


class Ribbon(NamedTuple):
    """Tokens on their way into a call: from (left, right) at the bottom to those at the top."""

    kind: SourceKind
    call: int
    bottom: tuple[float, float]
    top: tuple[float, float]
    low: float
    high: float


class Arrow(NamedTuple):
    """An answer on its way, from left to right at height `y`."""

    start: float
    end: float
    y: float


class Row(NamedTuple):
    """The words beside a row: a bold line and a plain one."""

    y: float
    name: str
    detail: str


@dataclass(frozen=True)
class Scene:
    """A whole flow, `span` pixels wide, its rows from `bottom` to `top`, `unit` pixels each."""

    shape: Shape
    boxes: tuple[Box, ...]
    ribbons: tuple[Ribbon, ...]
    arrows: tuple[Arrow, ...]
    rows: tuple[Row, ...]
    span: float
    bottom: float
    top: float
    unit: int


def spread(
    centres: Sequence[float], widths: Sequence[float], gap: float, span: float
) -> list[float]:
    """Left edges in order, `gap` apart and within `span`, as near the centres as they can be."""
    if not widths:
        return []
    offsets = [0.0, *accumulate(width + gap for width in widths)][: len(widths)]
    wished = [c - w / 2 - o for c, w, o in zip(centres, widths, offsets, strict=True)]
    last = max(0.0, span - offsets[-1] - widths[-1])
    nearest = (min(max(edge, 0.0), last) for edge in _rising(wished))
    return [edge + offset for edge, offset in zip(nearest, offsets, strict=True)]


def _rising(values: Sequence[float]) -> list[float]:
    """The non-falling sequence nearest to the values, by the sum of squares."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while blocks and blocks[-1][0] > mean:
            before, size = blocks.pop()
            mean, count = (mean * count + before * size) / (count + size), count + size
        blocks.append((mean, count))
    return [mean for mean, count in blocks for _ in range(count)]


def chunk_places(data: FlowData, span: float) -> dict[int, Box]:
    """The chunks side by side over the whole span, each as wide as its tokens."""
    total, count = sum(data.chunks), len(data.chunks)
    gap = 0.18 * total / count if count else 0.0
    scale = span / max(1.0, total + gap * (count - 1))
    places, left = {}, 0.0
    for number, tokens in enumerate(data.chunks, 1):
        width = max(tokens * scale, 1.0)
        places[number] = Box("chunk", number, left, width, 0, TALL, str(number), "context", tokens)
        left += (tokens + gap) * scale
    return places


def chunk_boxes(data: FlowData, places: dict[int, Box]) -> list[Box]:
    """The chunks cut into what calls carry: 3a and 3b if split, and what was never sent."""
    carried: dict[int, set[float]] = {number: set() for number in places}
    for call in data.calls:
        for part in call.parts:
            if part.kind == "chunk":
                carried[part.number].add(part.start)
    lost: dict[int, list[Part]] = {number: [] for number in places}
    for part in data.lost:
        lost[part.number].append(part)
    return [
        piece
        for number, box in places.items()
        for piece in _pieces(box, carried[number], lost[number])
    ]


def _pieces(box: Box, starts: set[float], lost: Sequence[Part]) -> list[Box]:
    borders = {border for part in lost for border in (part.start, part.end)}
    sent = _cut(box, borders | starts, lost)
    names = [f"{box.number}{chr(ord('a') + at)}" for at in range(len(sent))]
    if not 1 < len(sent) <= 26 or not all(map(fits, sent, names)):
        sent = _cut(box, borders, lost)
        widest = max(sent, key=lambda piece: piece.width, default=None)
        names = [box.label if piece is widest else "" for piece in sent]
    pieces = [piece._replace(label=name) for piece, name in zip(sent, names, strict=True)]
    for part in lost:
        hatched = _between(box, part.start, part.end)._replace(meaning="lost")
        pieces.append(hatched._replace(label="" if sent else box.label))
    return pieces


def _cut(box: Box, borders: set[float], lost: Sequence[Part]) -> list[Box]:
    """The pieces between the borders that are not lost."""
    edges = sorted({0.0, box.tokens, *borders})
    gone = {part.start for part in lost}
    spans = [pair for pair in pairwise(edges) if pair[0] not in gone]
    if box.tokens == 0:
        return [box]
    return [_between(box, start, end) for start, end in spans if end - start > 0.01]


def _between(box: Box, start: float, end: float) -> Box:
    left, right = (box.at(tokens / max(box.tokens, 1)) for tokens in (start, end))
    return box._replace(left=left, width=right - left, tokens=end - start)


def fits(box: Box, text: str) -> bool:
    """Whether the words fit the box."""
    return box.width >= LETTER * len(text) + 4


def ribbons(call: FlowCall, box: Box, sources: dict[tuple[SourceKind, int], Box]) -> list[Ribbon]:
    """The parts of a call, side by side under its box, each from where it stands in its source."""
    parts = [part for part in call.parts if (part.kind, part.number) in sources]
    total = sum(part.end - part.start for part in parts) or 1.0
    found, before = [], 0.0
    for part in parts:
        source, after = sources[part.kind, part.number], before + part.end - part.start
        found.append(
            Ribbon(
                part.kind,
                call.number,
                _ends(source, part.start, part.end, source.tokens),
                _ends(box, before, after, total),
                source.y + source.height / 2,
                box.y - box.height / 2,
            )
        )
        before = after
    return found


def _ends(box: Box, start: float, end: float, total: float) -> tuple[float, float]:
    whole = total or 1.0
    return box.at(start / whole), box.at(end / whole)


def counted(number: int, word: str) -> str:
    """A number with its word: "1 call", "1,296 tokens"."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
