"""The trade-off: what each column of a comparison costs against what its answers are worth.

A point for each column has its intervals and a letter; a line goes along the best.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from synth.quality import Interval
from ui.look.markdown import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, note

_HEIGHT = 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 34, 50  # pixels around the points
_LETTERS = 60  # of a line
_POINT, _BAR = 12, 6  # pixels of a point, and to each side of an interval
_CORNERS = ("top right", "bottom right", "top left", "bottom left")
"""Where the letters of the points stand, in turn, so that none covers another."""
_MEASURE_ROOM, _LEAST_RANGE = 0.08, 0.1  # around the intervals of the measure, and of its axis
_MEASURE_STEPS = (0.02, 0.05, 0.1, 0.25)
_MOST_STEPS = 6
_ROOM = 0.12  # of the scale, beside the first and the last interval
_LEAST_DECADES = 0.8  # of a log scale, so that it has two round numbers at least
_MANY_DECADES = 2.0  # from which only the powers of ten are written
_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Point:
    """A column by its letter: its mean amount and its mean measure, each with an interval.

    `words` say both. `behind` names a column that takes no more and has at least as much, and is
    better in one of them; "" where there is none.
    """

    name: str
    amount: float
    amounts: Interval
    measure: float
    measures: Interval
    words: str
    behind: str


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

    @property
    def measure_ends(self) -> tuple[float, float]:
        """Where the axis of the measure begins and ends: around all intervals."""
        low = min(min(point.measures.low, point.measure) for point in self.points)
        high = max(max(point.measures.high, point.measure) for point in self.points)
        room = _MEASURE_ROOM * max(high - low, _LEAST_RANGE)
        missing = max(0.0, _LEAST_RANGE - (high - low)) / 2
        return low - missing - room, high + missing + room

    def measure_ticks(self) -> list[float]:
        """The round values on the axis of the measure, none beyond 0 and 1."""
        low, high = (min(1.0, max(0.0, end)) for end in self.measure_ends)
        fits = (step for step in _MEASURE_STEPS if (high - low) / step <= _MOST_STEPS)
        step = next(fits)
        return [step * at for at in range(ceil(low / step), floor(high / step) + 1)]

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
        """The points that are behind no other, the cheapest first."""
        free = (point for point in self.points if not point.behind)
        yield from sorted(free, key=lambda point: (point.amount, point.measure))


def trade_off_figure(found: TradeOff) -> Figure:
    """The points of a trade-off; equal ones share a place."""
    front = list(found.frontier())
    behind = [point for point in found.points if point not in front]
    title = f"<b>{plot_text(found.measure, _LETTERS)}</b>"
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return base_figure(
        _HEIGHT,
        (_LEFT, _RIGHT, _TOP, _BOTTOM),
        [_line(front), _points(found, behind, behind=True), _points(found, front)],
        annotations=[note(0, 1, title, size=13, color=INK, xshift=8 - _LEFT, yshift=10, **above)],
        xaxis=_xaxis(found),
        yaxis={
            "range": list(found.measure_ends),
            "showgrid": True,
            "tickvals": found.measure_ticks(),
            "ticktext": [found.measure_text(value) for value in found.measure_ticks()],
        },
    )


def trade_off_alt(found: TradeOff) -> str:
    """The trade-off in words, for those who can't see it."""
    parts = []
    for point in found.points:
        end = f", behind {point.behind}" if point.behind else ""
        parts.append(f"{point.name}: {point.words}{end}")
    return f"{found.measure} against {found.amount}. {'; '.join(parts)}."


def _points(found: TradeOff, points: Sequence[Point], *, behind: bool = False) -> dict[str, Any]:
    """Filled circles, and grey empty ones for the points that are `behind` another one."""
    color = OUTLINE if behind else INK
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [point.amount for point in points],
        "y": [point.measure for point in points],
        "error_x": _interval([(point.amount, point.amounts) for point in points], color),
        "error_y": _interval([(point.measure, point.measures) for point in points], color),
        "marker": {
            "size": _POINT,
            "color": PAPER if behind else INK,
            "opacity": 1,
            "line": {"color": color, "width": 2},
        },
        "text": [f"<b>{plot_text(point.name, _LETTERS)}</b>" for point in points],
        "textposition": [_CORNERS[found.points.index(point) % len(_CORNERS)] for point in points],
        "textfont": {"size": 13, "color": INK},
        "customdata": [
            f"{plot_text(point.name, _LETTERS)}<br>{plot_text(point.words, _LETTERS)}"
            for point in points
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
        "cliponaxis": False,
    }


def _interval(values: Sequence[tuple[float, Interval]], color: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, ends.high - value) for value, ends in values],
        "arrayminus": [max(0.0, value - ends.low) for value, ends in values],
        "color": color,
        "thickness": 2,
        "width": _BAR,
    }


def _line(front: Sequence[Point]) -> dict[str, Any]:
    """The most that can be had for each amount."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [point.amount for point in front],
        "y": [point.measure for point in front],
        "line": {"shape": "hv", "color": MUTED, "width": 1.5, "dash": "2px,3px"},
        "hoverinfo": "skip",
    }


def _xaxis(found: TradeOff) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "title": {"text": plot_text(found.amount, _LETTERS)},
        "range": list(found.ends),
        "showgrid": True,
        "tickformat": found.amount_form,
    }
    if found.log:
        axis |= {"type": "log", "tickvals": found.ticks()}
    return axis
