"""The trade-off: what each column of a comparison costs against what its answers are worth.

A point for each column has its intervals and a letter; a line goes along the best.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from synth.quality import Interval
from synth.text.wording import percent
from ui.look.markdown import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, note

_HEIGHT = 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 34, 50  # pixels around the points
_LETTERS = 60  # of a line
_POINT, _BAR = 12, 6  # pixels of a point, and to each side of an interval
_CORNERS = ("top right", "bottom right", "top left", "bottom left")
"""Where the letters of the points stand, in turn, so that none covers another."""
_MOST_TICKS = 6
_ENDS = {"clipmin": -0.08, "clipmax": 1.08}  # a letter has room beside a point at 0 or at 1
_PERCENT = {f"{share}%": percent(share, 100) for share in range(101)}  # Plotly has it without a gap
_LOG = {"type": "log", "dtick": "D2"}  # ticks at 1, 2 and 5 of each power of ten


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
    """The points, and what stands on the two axes with the form of its numbers, as d3 has it."""

    points: tuple[Point, ...]
    amount: str
    amount_form: str
    measure: str
    measure_form: str

    @property
    def log(self) -> bool:
        """Whether the same step is the same factor: nothing else shows amounts of 0."""
        return all(point.amounts.low > 0 for point in self.points)

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
        xaxis={
            "title": {"text": plot_text(found.amount, _LETTERS)},
            "showgrid": True,
            "tickformat": found.amount_form,
            **(_LOG if found.log else {}),
        },
        yaxis={
            "autorangeoptions": _ENDS,
            "showgrid": True,
            "nticks": _MOST_TICKS,
            "tickformat": found.measure_form,
            "labelalias": _PERCENT,
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
