"""The data of a figure of curves, and the geometry of its lines and labels."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log
from typing import NamedTuple

_SPIKE = 4  # times the typical value: the mode in focus is cut off above it
APART = 0.04  # of the axis, between two marks
CurveSegment = tuple[tuple[float, float, float], ...]  # points of x, low and high, without a gap


@dataclass(frozen=True)
class Line:
    """A mode's values: each holds from its x to the next; None where there is no plan."""

    name: str
    x: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    def segments(self) -> list[CurveSegment]:
        """The segments between gaps."""
        points = zip(self.x, self.low, self.high, strict=True)
        groups = groupby(points, key=lambda point: point[1] is not None and point[2] is not None)
        return [
            tuple((x, low or 0, high or 0) for x, low, high in group)
            for planned, group in groups
            if planned
        ]

    def value(self, x: float) -> float | None:
        """The value at x, if there is one there."""
        at = bisect_right(self.x, x) - 1
        return self.high[at] if at >= 0 else None

    @property
    def last(self) -> float | None:
        """The value at its right end."""
        return next((value for value in reversed(self.high) if value is not None), None)


class Mark(NamedTuple):
    """A point of the figure with a label."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Panel:
    """The curves of one quantity; `here` is the present value of the setting.

    `what` is the title of the axis, or "" where the panel below has the same axis. `wide`: the
    axis is logarithmic. `form` formats a value, as in `str.format`.
    """

    title: str
    lines: tuple[Line, ...]
    focus: str
    ends: tuple[float, float]
    here: float
    here_text: str = ""
    what: str = ""
    marks: tuple[Mark, ...] = ()
    wide: bool = False
    form: str = "{:,}"

    def along(self, x: float) -> float:
        """The position of a value between the ends of the axis, from 0 to 1."""
        low, high = self.ends
        return log(x / low) / log(high / low) if self.wide else (x - low) / (high - low)

    def value_at(self, share: float) -> float:
        """The value at a position, from 0 to 1; the inverse of `along`."""
        low, high = self.ends
        return low * (high / low) ** share if self.wide else low + share * (high - low)

    @property
    def named(self) -> tuple[Mark, ...]:
        """The marks, without those that are too near an earlier one to have a label."""
        named: list[Mark] = []
        for mark in self.marks:
            if all(abs(self.along(mark.x) - self.along(other.x)) >= APART for other in named):
                named.append(mark)
        return tuple(named)

    @property
    def top(self) -> float:
        """The value at the top edge: a spike far above the rest is cut off."""
        typical = max([_typical(line) for line in self.lines if line.last is not None], default=0)
        focused = [high for line in self.lines if line.name == self.focus for high in _highs(line)]
        return max(typical, min(max(focused, default=0), _SPIKE * typical)) * 1.06 or 1


def _highs(line: Line) -> list[float]:
    return [value for value in line.high if value is not None]


def _typical(line: Line) -> float:
    """The value that nine of ten points, and the right end, do not exceed."""
    highs = sorted(_highs(line))
    return max(highs[(len(highs) - 1) * 9 // 10], line.last or 0)


def stepped(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of a curve that holds each value until the next x."""
    corners = list(points[:1])
    for (_, before), (x, after) in pairwise(points):
        corners += [(x, before), (x, after)]
    return corners


def apart(values: Sequence[float], step: float) -> list[float]:
    """Positions of labels, near these values but at least `step` apart, and none below 0."""
    order = sorted(range(len(values)), key=lambda at: -values[at])
    positions = list(values)
    for above, below in pairwise(order):
        positions[below] = min(positions[below], positions[above] - step)
    floor = 0.0
    for at in reversed(order):
        positions[at] = max(positions[at], floor)
        floor = positions[at] + step
    return positions
