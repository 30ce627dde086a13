"""The curves of every mode over one setting: their measures, the figure of each, their table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import log10
from operator import attrgetter
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.modes.advice.what_if import Cliff, Totals
from synth.modes.registry import mode_facts
from synth.runs.prices import Price
from synth.text.wording import counted, dollars
from ui.look.markdown import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, mixed, note
from ui.plans.curves import UNFINISHED, Axis, AxisSpan, Curve

if TYPE_CHECKING:
    from pandas import DataFrame

_SPIKE = 4  # times the typical value: the mode in focus is cut off above it
_APART = 0.04  # of the axis, between two marks
_MARKED = 2  # changes of calls that are marked, beside that to one call
_LETTERS = 28  # of a line in the label of a mark
_MARGIN = 64, 14, 36, 96  # pixels: left, right, top, bottom
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

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
    del by_code["cost"]
    if price is None:
        return by_code

    def cost(totals: Totals) -> float:
        return price.of(totals.prompt_tokens, totals.output_tokens)

    return by_code | {"cost": CurveMeasure(MEASURES["cost"], cost, dollars)}


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

    def place(self, x: float) -> float:
        """Return a value as it stands on the axis of the figure."""
        return log10(x) if self.span.is_wide else x


class PointLabel(NamedTuple):
    """A point of the figure with a label."""

    x: int
    y: float
    text: str


def curves_figure(view: CurveView, measure: CurveMeasure, title: str, height: int) -> Figure:
    """Draw a line for each mode; `title` stands under the curves, `height` of them is in pixels."""
    ordered = sorted(view.curve_of_mode.values(), key=lambda curve: curve.mode == view.focus)
    top, labels = _top(view, measure), _without_near(view, list_marks(view, measure))
    ends = [view.place(view.span.low), view.place(view.span.high)]
    scale = {"type": "log", "dtick": "D2"} if view.span.is_wide else {}
    titles = {"text": plot_text(title, 60)}
    margins = _MARGIN[2] + _MARGIN[3]
    corner = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    head = f"<b>{measure.name}</b>"
    return base_figure(
        height + margins,
        _MARGIN,
        [
            *(band for curve in ordered for band in _bands(curve, measure, view.focus)),
            *(_line(at, curve, measure, view.focus) for at, curve in enumerate(ordered)),
            _rings(labels, top),
        ],
        annotations=[
            note(0, 1, head, size=13, color=INK, xshift=8 - _MARGIN[0], yshift=8, **corner),
            _here_label(view),
            *(_mark_label(view, rank, label, top) for rank, label in enumerate(labels)),
        ],
        shapes=[_here_line(view)],
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        xaxis={"range": ends, "tickformat": ",", "title": titles, **scale},
        yaxis={
            "showgrid": True,
            "range": [0, top],
            "nticks": 5,
            "tickformat": "$,.4~f" if measure.say is dollars else ",",
        },
    )


def curves_alt(view: CurveView, measure: CurveMeasure) -> str:
    """Say the curves in one sentence, for those who can't see them."""
    lasts = {mode: _last(curve, measure) for mode, curve in view.curve_of_mode.items()}
    ends = [f"{mode} {measure.say(last)}" for mode, last in lasts.items() if last is not None]
    span = f"{view.span.low:,} to {view.span.high:,}"
    subject = f"{measure.name.capitalize()} of each mode from {span}"
    if not ends:
        return f"{subject}; no mode has a plan."
    return f"{subject}; at the right end: {', '.join(ends)}."


def _values(curve: Curve, measure: CurveMeasure, end: str) -> list[float | None]:
    """The values with short answers ("low") or long ones ("high"); None where there is no plan."""
    totals = attrgetter(end)
    return [measure.of(totals(point)) if point.has_plan else None for point in curve.points]


def _last(curve: Curve, measure: CurveMeasure) -> float | None:
    values = _values(curve, measure, "high")
    return next((value for value in reversed(values) if value is not None), None)


def _top(view: CurveView, measure: CurveMeasure) -> float:
    """The value at the top edge: a spike far above the rest is cut off.

    Typical is what nine of ten points, and the right end, do not exceed.
    """
    typical, focused = 0.0, 0.0
    for curve in view.curve_of_mode.values():
        highs = sorted(v for v in _values(curve, measure, "high") if v is not None)
        if highs:
            last = _last(curve, measure) or 0
            typical = max(typical, highs[(len(highs) - 1) * 9 // 10], last)
            focused = highs[-1] if curve.mode == view.focus else focused
    return max(typical, min(focused, _SPIKE * typical)) * 1.06 or 1


def _line(at: int, curve: Curve, measure: CurveMeasure, focus: str) -> dict[str, Any]:
    style = {"color": OUTLINE, "width": 1.3, "dash": _DASHES[at % len(_DASHES)]}
    if curve.mode == focus:
        style = {"color": INK, "width": 2.5}
    lows, highs = (_values(curve, measure, end) for end in ("low", "high"))
    said = [
        "" if low is None or high is None else _range(measure, low, high)
        for low, high in zip(lows, highs, strict=True)
    ]
    name = plot_text(curve.mode)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [point.x for point in curve.points],
        "y": highs,
        "line": {"shape": "hv", **style},
        "text": said,
        "hovertemplate": f"<b>{name}</b><br>at %{{x:,}}: %{{text}} {measure.name}<extra></extra>",
    }


def _range(measure: CurveMeasure, low: float, high: float) -> str:
    return measure.say(high) if low == high else f"{measure.say(low)} to {measure.say(high)}"


def _bands(curve: Curve, measure: CurveMeasure, focus: str) -> list[dict[str, Any]]:
    """The areas between the values for short and for long answers, where the two differ."""
    fill = mixed(INK, 0.16) if curve.mode == focus else mixed(MUTED, 0.07)
    edge: dict[str, Any] = {"type": "scatter", "mode": "lines", "line": {"shape": "hv", "width": 0}}
    edge |= {"fillcolor": fill, "hoverinfo": "skip", "showlegend": False}
    bands: list[dict[str, Any]] = []
    for has_plan, points in groupby(curve.points, attrgetter("has_plan")):
        if has_plan:
            part = Curve(curve.mode, tuple(points), ())
            low, high = (_values(part, measure, end) for end in ("low", "high"))
            if low != high:
                x = [point.x for point in part.points]
                bands += [
                    {**edge, "x": x, "y": low},
                    {**edge, "x": x, "y": high, "fill": "tonexty"},
                ]
    return bands


def _rings(labels: list[PointLabel], top: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [label.x for label in labels],
        "y": [min(label.y, top) for label in labels],
        "marker": {"size": 9, "color": PAPER, "line": {"color": INK, "width": 2}},
        "hoverinfo": "skip",
        "cliponaxis": False,
        "showlegend": False,
    }


def _here_line(view: CurveView) -> dict[str, Any]:
    ends = {"x0": view.x, "x1": view.x, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": {"color": INK, "width": 1.5, "dash": "4px,3px"}}


def _share(view: CurveView, x: float) -> float:
    """The position of a value between the ends of the axis, from 0 to 1."""
    low, high = view.place(view.span.low), view.place(view.span.high)
    return (view.place(x) - low) / (high - low)


def _here_label(view: CurveView) -> dict[str, Any]:
    share = _share(view, view.x)
    side = "left" if share < 0.15 else "right" if share > 0.85 else "center"
    position = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom", "yshift": 2}
    return note(share, 1, f"<b>you are here: {view.x:,}</b>", color=INK, **position)


def _mark_label(view: CurveView, rank: int, label: PointLabel, top: float) -> dict[str, Any]:
    """A label above its point, each higher than the one before, or below a point at the top."""
    is_left = _share(view, label.x) < 0.6
    y = min(label.y, top)
    return {
        "x": view.place(label.x),
        "y": y,
        "ax": 30 if is_left else -24,
        "ay": -34 - 22 * rank if y < top / 2 else 34 + 22 * rank,
        "text": "<br>".join(plot_text(line, _LETTERS) for line in wrap(label.text, _LETTERS)),
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": INK,
        "standoff": 4,
        "font": {"size": 12, "color": INK},
        "bgcolor": PAPER,
        "xanchor": "left" if is_left else "right",
        "align": "left",
    }


def _without_near(view: CurveView, labels: Iterable[PointLabel]) -> list[PointLabel]:
    """The labels without those that are too near an earlier one."""
    far: list[PointLabel] = []
    for label in labels:
        share = _share(view, label.x)
        if all(abs(share - _share(view, earlier.x)) >= _APART for earlier in far):
            far.append(label)
    return far


def list_marks(view: CurveView, measure: CurveMeasure) -> list[PointLabel]:
    """List the next changes of the mode in focus, and after the first the end of a curve."""
    nearest = list_nearest(view.curve, view.x)
    if measure.name == "calls":
        marks = [_change(view.curve, cliff) for cliff in nearest]
        of_focus_first = sorted(view.curve_of_mode.values(), key=lambda one: one.mode != view.focus)
        ends = [_end(curve) for curve in of_focus_first if curve.ends]
        return [*marks[:1], *ends[:1], *marks[1:]]
    if measure.name == "prompt tokens" and nearest:
        return [_token_change(view.curve, nearest[0].x)]
    return []


def list_nearest(curve: Curve, x: int) -> list[Cliff]:
    """The changes of calls to mark: the next two above x and that to one call, else those below."""
    steps = [cliff for cliff in curve.cliffs if min(cliff.before, cliff.after) >= 0]
    above = [cliff for cliff in steps if cliff.x > x]
    nearest = above[:_MARKED]
    if len(above) > _MARKED and above[-1].after == 1:
        nearest.append(above[-1])
    below = [cliff for cliff in reversed(steps) if cliff.x <= x]
    return nearest + below[: max(0, _MARKED - len(nearest))]


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


def curve_table(axis: Axis, curves: Iterable[Curve], price: Price | None) -> "DataFrame":
    """Make a row for each mode and value: all measures with short and longest answers."""
    import pandas as pd  # noqa: PLC0415  slow to import, and plans are drawn before curves

    rows = []
    for curve in curves:
        for point in curve.points:
            row: dict[str, object] = {axis.name: point.x, "mode": curve.mode}
            for measure in measures(price).values():
                for end, totals in (("least", point.low), ("most", point.high)):
                    value = measure.of(totals) if totals.problem is None else None
                    row[f"{measure.name}, {end}"] = value
            row["problem"] = point.high.problem or point.low.problem or ""
            rows.append(row)
    return pd.DataFrame(rows)
