"""The curves of every mode over one setting: their measures, the figure of each, their table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import ceil, log10
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from synth.modes.advice.what_if import Totals
from synth.runs.prices import Price
from synth.text.wording import dollars
from ui.look.markdown import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, Figure, base_figure, mix, note
from ui.plans.curves import Axis, AxisSpan, Curve

if TYPE_CHECKING:
    from pandas import DataFrame

_SPIKE = 4  # times the typical value: the mode in focus is cut off above it
_LEFT, _RIGHT, _TOP, _AXIS, _NAME = 64, 14, 36, 52, 20  # pixels; a line of names has `_NAME`
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

    def place(self, x: float) -> float:
        """Return a value as it stands on the axis of the figure."""
        return log10(x) if self.span.is_wide else x


def curves_figure(view: CurveView, measure: CurveMeasure, title: str, height: int) -> Figure:
    """Draw a line for each mode; `title` stands under the curves, `height` of them is in pixels."""
    ordered = sorted(view.curve_of_mode.values(), key=lambda curve: curve.mode == view.focus)
    top = _top(view, measure)
    ends = [view.place(view.span.low), view.place(view.span.high)]
    scale = {"type": "log", "dtick": "D2"} if view.span.is_wide else {}
    titles = {"text": plot_text(title, 60)}
    below = _AXIS + _NAME * ceil(len(ordered) / 2)  # two names a line, also on a narrow page
    names = {"orientation": "h", "entrywidth": 0.49, "entrywidthmode": "fraction"}
    corner = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    head = f"<b>{measure.name}</b>"
    return base_figure(
        _TOP + height + below,
        (_LEFT, _RIGHT, _TOP, below),
        [
            *(band for curve in ordered for band in _bands(curve, measure, view.focus)),
            *(_line(at, curve, measure, view.focus) for at, curve in enumerate(ordered)),
        ],
        annotations=[
            note(0, 1, head, size=13, color=INK, xshift=8 - _LEFT, yshift=8, **corner),
            _here_label(view),
        ],
        shapes=[_here_line(view)],
        showlegend=True,
        legend={**names, "font": {"size": 11}, "yref": "container", "y": 0, "yanchor": "bottom"},
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
    """The value at the top edge, above nine of ten points and the right end: a spike is cut off."""
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
    fill = mix(INK, 0.16) if curve.mode == focus else mix(MUTED, 0.07)
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


def _here_line(view: CurveView) -> dict[str, Any]:
    ends = {"x0": view.x, "x1": view.x, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": {"color": INK, "width": 1.5, "dash": "4px,3px"}}


def _here_label(view: CurveView) -> dict[str, Any]:
    low, high, x = map(view.place, (view.span.low, view.span.high, view.x))
    share = (x - low) / (high - low)
    side = "left" if share < 0.15 else "right" if share > 0.85 else "center"
    position = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom", "yshift": 2}
    return note(share, 1, f"<b>you are here: {view.x:,}</b>", color=INK, **position)


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
