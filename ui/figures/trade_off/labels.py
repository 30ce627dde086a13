"""Where the labels of the points stand, so that none meets another one, in a figure of any width.

A label is placed from its point in pixels, and points move apart as a figure grows. So each place
is tried in figures of several widths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Literal, NamedTuple

RADIUS = 7  # pixels of a point with its outline
_CLEAR = 4  # pixels between a label and what is beside it
_LINE, _LETTER = 16, 7.3  # pixels
_STEP = 8  # pixels between two places that are tried
_HIDDEN, _CROSSED = 100.0, 0.05  # what a pixel of a word or of a line weighs beside one of distance


class Box(NamedTuple):
    """A rectangle in pixels from the upper left corner of the figure."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The square pixels that both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def wider(self, by: float) -> Box:
        """The box with so many pixels more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @property
    def area(self) -> float:
        """Its square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)


class Scene(NamedTuple):
    """A figure of one width: its frame, the places of the points, and the boxes of its lines."""

    frame: Box
    points: Sequence[tuple[float, float]]
    lines: Sequence[Box]


class Offset(NamedTuple):
    """Pixels from a point to its label, to the right and down, and the side where that begins."""

    x: float
    y: float
    side: Literal["left", "center", "right"]


class Size(NamedTuple):
    """The width and height of a label in pixels."""

    width: float
    height: float

    def at(self, point: tuple[float, float], offset: Offset) -> Box:
        """The box of the label."""
        x, y = point[0] + offset.x, point[1] + offset.y
        left = x - {"left": 0, "center": 0.5, "right": 1}[offset.side] * self.width
        return Box(left, y - self.height / 2, left + self.width, y + self.height / 2)


def size_of(lines: Sequence[str]) -> Size:
    """The size of a label with these lines."""
    return Size(_LETTER * max(map(len, lines)), _LINE * len(lines))


def placed(sizes: Sequence[Size], scenes: Sequence[Scene]) -> list[Offset]:
    """The place of each label, in the order of the points."""
    taken = [[Box(x, y, x, y).wider(RADIUS) for x, y in scene.points] for scene in scenes]
    offsets = []
    for at, size in enumerate(sizes):
        best, least = Offset(0, 0, "center"), inf
        for offset in _tried(size, scenes[0].frame):
            weight = abs(offset.y) + abs(offset.x) / 4
            if abs(offset.y) > least:
                break  # all others are as far away
            for scene, boxes in zip(scenes, taken, strict=True):
                box = size.at(scene.points[at], offset)
                hidden = box.area - box.shared(scene.frame) + sum(map(box.shared, boxes))
                weight += _HIDDEN * hidden + _CROSSED * sum(map(box.shared, scene.lines))
            if weight < least:
                best, least = offset, weight
        offsets.append(best)
        for scene, boxes in zip(scenes, taken, strict=True):
            boxes.append(size.at(scene.points[at], best).wider(_CLEAR))
    return offsets


def _tried(size: Size, frame: Box) -> Iterator[Offset]:
    """Places beside, above and below a point, near ones first."""
    beside, quarter = RADIUS + _CLEAR, size.width / 4
    for step in range(int((frame.bottom - frame.top) / _STEP)):
        for down in dict.fromkeys((-step * _STEP, step * _STEP)):
            yield Offset(beside, down, "left")
            yield Offset(-beside, down, "right")
            for right in (0.0, quarter, -quarter):
                yield Offset(right, down, "center")
