"""The trade-off as data: a point for each column, and the scale on which its amount is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, floor, log10

from synth.quality import Interval

_ROOM = 0.12  # of the scale, beside the first and the last interval
_LEAST_DECADES = 0.8  # of a log scale, so that it has two round numbers at least
_MANY_DECADES = 2.0  # from which only the powers of ten are written
_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Point:
    """A column: its mean amount and its mean measure, each with an interval.

    `words` say both. `dominated_by` names a column that takes no more and has at least as much,
    and is better in one of them; "" where there is none.
    """

    name: str
    amount: float
    amounts: Interval
    measure: float
    measures: Interval
    words: str
    dominated_by: str


@dataclass(frozen=True)
class TradeOff:
    """The points, and what stands on the two axes with the form of its numbers (d3's, or text)."""

    points: tuple[Point, ...]
    amount: str
    amount_form: str
    measure: str
    measure_text: Callable[[float], str]

    @property
    def log(self) -> bool:
        """Whether the same step is the same factor: nothing else shows amounts of 0."""
        return all(point.amounts.low > 0 for point in self.points)

    def scaled(self, amount: float) -> float:
        """An amount as its place on the scale."""
        return log10(amount) if self.log else amount

    @property
    def ends(self) -> tuple[float, float]:
        """The places on the scale where it begins and ends."""
        low = self.scaled(min(point.amounts.low for point in self.points))
        high = self.scaled(max(point.amounts.high for point in self.points))
        if not self.log:
            return -_ROOM * (high or 1), (1 + _ROOM) * (high or 1)
        middle, half = (low + high) / 2, max(high - low, _LEAST_DECADES) / 2
        return middle - (1 + _ROOM) * half, middle + (1 + _ROOM) * half

    def ticks(self) -> list[float]:
        """The round amounts on a log scale."""
        first, last = self.ends
        steps = _STEPS if last - first < _MANY_DECADES else _STEPS[:1]
        return [
            step * 10.0**power
            for power in range(floor(first), ceil(last))
            for step in steps
            if first <= log10(step * 10.0**power) <= last
        ]

    def frontier(self) -> Iterator[Point]:
        """The points that nothing dominates, the cheapest first."""
        free = (point for point in self.points if not point.dominated_by)
        yield from sorted(free, key=lambda point: (point.amount, point.measure))
