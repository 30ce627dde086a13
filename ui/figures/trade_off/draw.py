"""Drawing the trade-off: points with intervals, a line along the best, and a label for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from synth.quality import Interval
from synth.wording import short
from ui.figures.trade_off.data import Point, TradeOff
from ui.figures.trade_off.labels import Box, Offset, Scene, placed, size_of
from ui.look.escape import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, note

HEIGHT = 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 34, 50  # pixels around the points
WIDTHS = (1.0, 1.5, 2.3)  # of the narrowest: figures in which no label meets another one
_UP = 6  # pixels that a label may stand higher than the points, below the title
_NAME, _LETTERS = 24, 60  # letters of a name, and of a line
_BAR, _DOTS = 6, 2  # pixels to each side of an interval, and of the line along the best
_FAR = 42  # pixels from a point, where a line leads from its label
_MEASURES, _TICKS = (-0.03, 1.06), (0, 0.25, 0.5, 0.75, 1)  # the axis of the measure


def trade_off_figure(found: TradeOff, narrowest: int) -> Figure:
    """The points of a trade-off in a figure that is drawn this wide in pixels, or wider."""
    front = list(found.frontier())
    behind = [point for point in found.points if point not in front]
    title = f"<b>{plot_text(found.measure, _LETTERS)}</b>"
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return base_figure(
        HEIGHT,
        (_LEFT, _RIGHT, _TOP, _BOTTOM),
        [_line(front), _points(behind, behind=True), _points(front)],
        annotations=[
            note(0, 1, title, size=13, color=INK, xshift=8 - _LEFT, yshift=10, **above),
            # A line to a label lies below the plates of the others.
            *sorted(_labels(found, narrowest), key=lambda label: not label["showarrow"]),
        ],
        xaxis=_xaxis(found),
        yaxis={
            "range": list(_MEASURES),
            "showgrid": True,
            "tickvals": list(_TICKS),
            "ticktext": [found.measure_text(value) for value in _TICKS],
        },
    )


def trade_off_alt(found: TradeOff) -> str:
    """The trade-off in words, for those who can't see it."""
    parts = []
    for point in found.points:
        end = f", dominated by {point.dominated_by}" if point.dominated_by else ""
        parts.append(f"{point.name}: {point.words}{end}")
    return f"{found.measure} against {found.amount}. {'; '.join(parts)}."


def _points(points: Sequence[Point], *, behind: bool = False) -> dict[str, Any]:
    """Filled circles, and grey empty ones for the points that are `behind` another one."""
    color = OUTLINE if behind else INK
    fill = PAPER if behind else INK
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [point.amount for point in points],
        "y": [point.measure for point in points],
        "error_x": _interval([(point.amount, point.amounts) for point in points], color),
        "error_y": _interval([(point.measure, point.measures) for point in points], color),
        "marker": {
            "size": 13,
            "color": fill,
            "opacity": 1,
            "line": {"color": color, "width": 2},
        },
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


def _labels(found: TradeOff, narrowest: int) -> Iterator[dict[str, Any]]:
    """A label for each point, with a line to the point where it stands far from it."""
    lines = [lines_of(point) for point in found.points]
    scenes = [scene_of(found, share * narrowest) for share in WIDTHS]
    for point, (name, words), offset in zip(
        found.points, lines, placed(list(map(size_of, lines)), scenes), strict=True
    ):
        head = plot_text(name) if point.dominated_by else f"<b>{plot_text(name)}</b>"
        yield note(
            found.scaled(point.amount),
            point.measure,
            f"{head}<br>{plot_text(words, _LETTERS)}",
            color=MUTED if point.dominated_by else INK,
            **_place(offset),
        )


def lines_of(point: Point) -> tuple[str, str]:
    """Its name, and below it both values or the point that dominates it."""
    below = point.words
    if point.dominated_by:
        below = f"dominated by {short(point.dominated_by, _NAME)}"
    return short(point.name, _NAME), below


def _place(offset: Offset) -> dict[str, Any]:
    """Where a label stands from its point."""
    align = {"xanchor": offset.side, "align": offset.side, "yanchor": "middle", "borderpad": 0}
    align["bgcolor"] = PAPER  # a plate, for where no place is free of intervals and lines
    if abs(offset.y) <= _FAR:
        return {"xshift": round(offset.x, 1), "yshift": round(-offset.y, 1), **align}
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": OUTLINE}
    return {"ax": round(offset.x, 1), "ay": round(offset.y, 1), "standoff": 8, **line, **align}


def scene_of(found: TradeOff, width: float) -> Scene:
    """The points, their intervals and the line along the best in a figure of this width."""
    first, last = found.ends
    lowest, highest = _MEASURES

    def x(amount: float) -> float:
        share = (found.scaled(amount) - first) / (last - first)
        return _LEFT + share * (width - _LEFT - _RIGHT)

    def y(measure: float) -> float:
        share = (highest - measure) / (highest - lowest)
        return _TOP + share * (HEIGHT - _TOP - _BOTTOM)

    points = [(x(point.amount), y(point.measure)) for point in found.points]
    lines = []
    for point, (across, down) in zip(found.points, points, strict=True):
        low, high = point.amounts
        lines.append(Box(x(low), down, x(high), down).wider(_BAR))
        low, high = point.measures
        lines.append(Box(across, y(high), across, y(low)).wider(_BAR))
    for one, other in pairwise(found.frontier()):
        left, right, low, high = x(one.amount), x(other.amount), one.measure, other.measure
        lines.append(Box(left, y(low), right, y(low)).wider(_DOTS))
        lines.append(Box(right, y(high), right, y(low)).wider(_DOTS))
    return Scene(Box(0, _TOP - _UP, width, HEIGHT - _BOTTOM), points, lines)


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
