"""What a figure of curves is made of, and the geometry of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log
from typing import NamedTuple

_SPIKE = 4  # times what is typical: no more is drawn even of the mode in focus
APART = 0.04  # of the axis, between two marks
Run = tuple[tuple[float, float, float], ...]  # points of x, low and high, without a gap


@dataclass(frozen=True)
class Line:
    """A mode's values: each holds from its x to the next; None where there is no plan."""

    name: str
    x: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    def runs(self) -> list[Run]:
        """The stretches between gaps."""
        points = zip(self.x, self.low, self.high, strict=True)
        found = groupby(points, key=lambda point: point[1] is not None and point[2] is not None)
        return [
            tuple((x, low or 0, high or 0) for x, low, high in group)
            for there, group in found
            if there
        ]

    @property
    def last(self) -> float | None:
        """The value at its right end."""
        return next((value for value in reversed(self.high) if value is not None), None)


class Mark(NamedTuple):
    """A point of the figure that has words."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Panel:
    """The curves of one quantity; `here` is the value that the reader is at.

    `what` names the values under the axis, in `unit`s, or nothing where the axis of the panel below
    says it. `wide`: the axis is logarithmic. `form` writes a value, as in `str.format`.
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
        """Where a value is between the ends of the axis, from 0 to 1."""
        low, high = self.ends
        return log(x / low) / log(high / low) if self.wide else (x - low) / (high - low)

    @property
    def named(self) -> tuple[Mark, ...]:
        """The marks but for those too near to an earlier one for words of their own."""
        kept: list[Mark] = []
        for mark in self.marks:
            if all(abs(self.along(mark.x) - self.along(one.x)) >= APART for one in kept):
                kept.append(mark)
        return tuple(kept)

    @property
    def top(self) -> float:
        """The value at the top edge: a spike that is far above the rest goes out of the picture."""
        typical = max([_typical(line) for line in self.lines if line.last is not None], default=0)
        inked = [high for line in self.lines if line.name == self.focus for high in _highs(line)]
        return max(typical, min(max(inked, default=0), _SPIKE * typical)) * 1.06 or 1


def _highs(line: Line) -> list[float]:
    return [value for value in line.high if value is not None]


def _typical(line: Line) -> float:
    """A value that nine of ten of its points, and its right end, do not exceed."""
    highs = sorted(_highs(line))
    return max(highs[(len(highs) - 1) * 9 // 10], line.last or 0)


def stepped(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of a curve that holds each value until the next x."""
    corners = list(points[:1])
    for (_, before), (x, after) in pairwise(points):
        corners += [(x, before), (x, after)]
    return corners


def apart(values: Sequence[float], step: float) -> list[float]:
    """Places for labels, as near to these values as they can be with `step` between any two.

    From the highest down; none gets below 0.
    """
    order = sorted(range(len(values)), key=lambda at: -values[at])
    places = list(values)
    for above, below in pairwise(order):
        places[below] = min(places[below], places[above] - step)
    floor = 0.0
    for at in reversed(order):
        places[at] = max(places[at], floor)
        floor = places[at] + step
    return places
