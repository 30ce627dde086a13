"""Curves as panels of a figure and as a table, and the geometry of its lines and labels."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from synth.modes.advice.what_if import Cliff, Totals
from synth.modes.registry import mode_facts
from synth.runs.prices import Price
from synth.text.wording import counted, dollars
from ui.plans.axes import Axis, AxisSpan
from ui.plans.curves import UNFINISHED, Curve

if TYPE_CHECKING:
    from pandas import DataFrame

_SPIKE = 4  # times the typical value: the mode in focus is cut off above it
APART = 0.04  # of the axis, between two marks
_NAMED = 2  # changes of calls that are marked, beside that to one call


@dataclass(frozen=True)
class Line:
    """A mode's values: each holds from its x to the next; None where there is no plan."""

    name: str
    x: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    def value(self, x: float) -> float | None:
        """The value at x, if there is one there."""
        at = bisect_right(self.x, x) - 1
        return self.high[at] if at >= 0 else None

    @property
    def last(self) -> float | None:
        """The value at its right end."""
        return next((value for value in reversed(self.high) if value is not None), None)


class PointLabel(NamedTuple):
    """A point of the figure with a label."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Panel:
    """The curves of one quantity; `here` is the present value of the setting.

    `what` is the title of the axis, or "" where the panel below has the same axis. `wide`: the
    axis is logarithmic. `say` puts a value into words.
    """

    title: str
    lines: tuple[Line, ...]
    focus: str
    ends: tuple[float, float]
    here: float
    here_text: str = ""
    what: str = ""
    marks: tuple[PointLabel, ...] = ()
    wide: bool = False
    say: Callable[[float], str] = "{:,}".format

    def along(self, x: float) -> float:
        """The position of a value between the ends of the axis, from 0 to 1."""
        low, high = self.ends
        return log(x / low) / log(high / low) if self.wide else (x - low) / (high - low)

    def value_at(self, share: float) -> float:
        """The value at a position, from 0 to 1; the inverse of `along`."""
        low, high = self.ends
        return low * (high / low) ** share if self.wide else low + share * (high - low)

    @property
    def named(self) -> tuple[PointLabel, ...]:
        """The marks, without those that are too near an earlier one to have a label."""
        named: list[PointLabel] = []
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


MEASURES = {
    "calls": "calls",
    "prompt_tokens": "prompt tokens",
    "longest_chain": "longest chain",
    "cost": "cost",
}
"""The words on the page for the codes of the measures."""


@dataclass(frozen=True)
class CurveMeasure:
    """A measure that can be drawn: its name, its value, and the value in words."""

    name: str
    of: Callable[[Totals], float]
    say: Callable[[float], str] = "{:,}".format


def measures(price: Price | None) -> dict[str, CurveMeasure]:
    """The measures that can be drawn, by code; cost only if a price is known."""
    by_code = {code: CurveMeasure(words, attrgetter(code)) for code, words in MEASURES.items()}
    if price is None:
        return {code: measure for code, measure in by_code.items() if code != "cost"}
    return by_code | {
        "cost": CurveMeasure(
            MEASURES["cost"], lambda one: price.of(one.prompt_tokens, one.output_tokens), dollars
        )
    }


@dataclass(frozen=True)
class CurveView:
    """The curves that are drawn along an axis, the mode in focus, and the present value `x`."""

    axis: Axis
    span: AxisSpan
    curve_of_mode: Mapping[str, Curve]
    focus: str
    x: int

    @property
    def curve(self) -> Curve:
        """The curve of the mode in focus."""
        return self.curve_of_mode[self.focus]


def panels(view: CurveView, panel_measures: Sequence[CurveMeasure], axis_title: str) -> list[Panel]:
    """One panel for each measure, from top to bottom; `axis_title` stands under the last."""
    stack = []
    for number, measure in enumerate(panel_measures, 1):
        stack.append(
            Panel(
                title=measure.name,
                lines=tuple(_line(curve, measure) for curve in view.curve_of_mode.values()),
                focus=view.focus,
                ends=(view.span.low, view.span.high),
                here=view.x,
                here_text="" if number > 1 else f"you are here: {view.x:,}",
                what=axis_title if number == len(panel_measures) else "",
                marks=_marks(view, measure),
                wide=view.span.wide,
                say=measure.say,
            )
        )
    return stack


def _line(curve: Curve, measure: CurveMeasure) -> Line:
    return Line(
        curve.mode,
        tuple(point.x for point in curve.points),
        tuple(measure.of(point.low) if point.drawn else None for point in curve.points),
        tuple(measure.of(point.high) if point.drawn else None for point in curve.points),
    )


def _marks(view: CurveView, measure: CurveMeasure) -> tuple[PointLabel, ...]:
    """The next changes of the mode in focus, and after the first the end of a curve."""
    cliffs = nearest(view.curve, view.x)
    if measure.name == "calls":
        marks = [_change(view.curve, cliff) for cliff in cliffs]
        of_focus_first = sorted(view.curve_of_mode.values(), key=lambda one: one.mode != view.focus)
        ends = [_end(curve) for curve in of_focus_first if curve.ends]
        return (*marks[:1], *ends[:1], *marks[1:])
    if measure.name == "prompt tokens" and cliffs:
        return (_token_change(view.curve, cliffs[0].x),)
    return ()


def nearest(curve: Curve, x: int) -> list[Cliff]:
    """The changes of calls to mark: the next two above x and that to one call, else those below."""
    steps = [cliff for cliff in curve.cliffs if min(cliff.before, cliff.after) >= 0]
    above = [cliff for cliff in steps if cliff.x > x]
    found = above[:_NAMED]
    if len(above) > _NAMED and above[-1].after == 1:
        found.append(above[-1])
    below = [cliff for cliff in reversed(steps) if cliff.x <= x]
    return found + below[: max(0, _NAMED - len(found))]


def _change(curve: Curve, cliff: Cliff) -> PointLabel:
    words = f"{cliff.before:,} → {counted(cliff.after, 'call')} at {cliff.x:,}"
    return PointLabel(cliff.x, curve.at(cliff.x).calls, words)


def _end(curve: Curve) -> PointLabel:
    """Where a curve begins, or ends, inside the axis."""
    end = curve.ends[0]
    x, where = end.x, f"below {end.x:,}"
    if end.after < 0:
        x, where = end.x - 1, f"from {end.x:,} on" if len(curve.ends) == 1 else f"at {end.x:,}"
    missing = "has no plan"
    if min(end.before, end.after) == UNFINISHED:
        missing = "never ends" if mode_facts(curve.mode).may_never_end else "can't finish"
    return PointLabel(x, curve.at(x).calls, f"{curve.mode} {missing} {where}")


def _token_change(curve: Curve, x: int) -> PointLabel:
    before, after = (curve.at(value).high.prompt_tokens for value in (x - 1, x))
    sign = "+" if after > before else "−"
    return PointLabel(x, after, f"{sign}{abs(after - before):,} tokens")


def frame(axis: Axis, curves: Iterable[Curve], price: Price | None) -> "DataFrame":
    """A table with a row for each mode and value: all measures with short and longest answers."""
    import pandas as pd  # noqa: PLC0415  slow to import, and plans are drawn before curves

    rows = []
    for curve in curves:
        for point in curve.points:
            row: dict[str, object] = {axis.name: point.x, "mode": curve.mode}
            for measure in measures(price).values():
                for end, totals in (("least", point.low), ("most", point.high)):
                    finishes = totals.problem is None
                    row[f"{measure.name}, {end}"] = measure.of(totals) if finishes else None
            row["problem"] = point.high.problem or point.low.problem or ""
            rows.append(row)
    return pd.DataFrame(rows)
