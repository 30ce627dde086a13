"""Step curves with bands, their names at the right, labelled cliffs and "you are here"."""

from __future__ import annotations

from math import log10
from typing import Any

from ui.figures.curves.data import CurveSegment, Line, Panel, stepped
from ui.figures.curves.labels import (
    LEFT,
    here_label,
    line_style,
    mark_labels,
    names,
    names_below,
    names_height,
    title,
)
from ui.look.escape import plot_text
from ui.look.theme import INK, MUTED, PAPER, Figure, base_figure, mixed

RIGHT, NARROW_RIGHT, TOP, BOTTOM = 172, 14, 36, 12
AXIS = 34
"""Pixels around the curves, and of the numbers and words under them."""

_ROUND = (1, 2, 5)


def curves_figure(panel: Panel, height: int = 210, *, narrow: bool = False) -> Figure:
    """One line per mode over the values of a setting; `height` of the curves is in pixels.

    A narrow figure has the names under the last panel instead of at the right, and no labels at
    its marks.
    """
    lines = sorted(enumerate(panel.lines), key=lambda numbered: numbered[1].name == panel.focus)
    bands = [band for at, line in lines for band in _bands(line, panel)]
    curves = [_curve(line, panel, line_style(at, line, panel)) for at, line in lines]
    below = AXIS if panel.what else 0
    if narrow:
        name_notes, samples = names_below(panel, below) if panel.what else ([], [])
        below += names_height(panel) if panel.what else 0
    else:
        name_notes, samples = names(panel, height)
    return base_figure(
        TOP + height + BOTTOM + below,
        (LEFT, NARROW_RIGHT if narrow else RIGHT, TOP, BOTTOM + below),
        [*bands, *curves, _dots(panel)],
        annotations=[
            title(panel),
            *here_label(panel),
            *name_notes,
            *([] if narrow else mark_labels(panel, height)),
        ],
        shapes=[*samples, _here_line(panel)],
        xaxis=_xaxis(panel),
        yaxis={
            "showgrid": True,
            "range": [0, panel.top],
            "nticks": 5,
            "tickformat": "$,.4~f" if "$" in panel.form else ",",
        },
    )


def curves_alt(panel: Panel) -> str:
    """The curves in one sentence, for those who can't see them."""
    ends = " to ".join(f"{end:,g}" for end in panel.ends)
    values_at_end = [
        f"{line.name} {panel.form.format(line.last)}"
        for line in panel.lines
        if line.last is not None
    ]
    subject = f"{panel.title.capitalize()} of each mode from {ends}"
    if not values_at_end:
        return f"{subject}; no mode has a plan."
    return f"{subject}; at the right end: {', '.join(values_at_end)}."


def _curve(line: Line, panel: Panel, style: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": line.name,
        "x": line.x,
        "y": line.high,
        "line": {"shape": "hv", **style},
        "text": [_range_text(line, at, panel.form) for at in range(len(line.x))],
        "hovertemplate": f"<b>{plot_text(line.name)}</b><br>at %{{x:,}}: %{{text}}"
        f" {panel.title}<extra></extra>",
    }


def _range_text(line: Line, at: int, form: str) -> str:
    low, high = line.low[at], line.high[at]
    if low is None or high is None:
        return ""
    return form.format(high) if low == high else f"{form.format(low)} to {form.format(high)}"


def _bands(line: Line, panel: Panel) -> list[dict[str, Any]]:
    """The areas between the values for short and for long answers, where the two differ."""
    focused = line.name == panel.focus
    fill = mixed(INK, 0.16) if focused else mixed(MUTED, 0.07)
    return [
        _band(segment, fill)
        for segment in line.segments()
        if any(low != high for _, low, high in segment)
    ]


def _band(segment: CurveSegment, fill: str) -> dict[str, Any]:
    upper = stepped([(x, high) for x, _, high in segment])
    lower = stepped([(x, low) for x, low, _ in segment])
    corners = [*upper, *reversed(lower)]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _ in corners],
        "y": [y for _, y in corners],
        "fill": "toself",
        "fillcolor": fill,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _dots(panel: Panel) -> dict[str, Any]:
    """A ring at every labelled mark."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mark.x for mark in panel.named],
        "y": [min(mark.y, panel.top) for mark in panel.named],
        "marker": {"size": 9, "color": PAPER, "line": {"color": INK, "width": 2}},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _here_line(panel: Panel) -> dict[str, Any]:
    dashed = {"color": INK, "width": 1.5, "dash": "4px,3px"}
    ends = {"x0": panel.here, "x1": panel.here, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": dashed}


def _xaxis(panel: Panel) -> dict[str, Any]:
    low, high = panel.ends
    axis: dict[str, Any] = {
        "range": [low, high],
        "tickformat": ",",
        "showticklabels": bool(panel.what),
    }
    if panel.what:
        axis["title"] = {"text": plot_text(panel.what, 60)}
    if panel.wide:
        ticks = [
            step * 10**power
            for power in range(int(log10(low)), int(log10(high)) + 1)
            for step in _ROUND
            if low <= step * 10**power <= high
        ]
        axis |= {"type": "log", "range": [log10(low), log10(high)], "tickvals": ticks}
    return axis
