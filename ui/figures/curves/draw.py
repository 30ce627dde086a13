"""Step curves with their bands, their names at the right, the cliffs and "you are here"."""

from __future__ import annotations

from math import log10
from textwrap import wrap
from typing import Any

from ui.figures.curves.data import Line, Mark, Panel, Run, apart, stepped
from ui.safe import plot_text
from ui.theme import Figure, Look, base_figure, note, rgba

LEFT, RIGHT, TOP, BOTTOM = 64, 172, 36, 12
AXIS = 34
"""Pixels around the curves, and of the numbers and words under them."""
NAME = 16
"""Pixels of one name at the right."""
_LETTERS = 28  # of a line in the words of a mark

_DASHES = ("solid", "12px,3px", "6px,3px", "1.5px,3px", "2.5px,2px", "8px,3px,2px,3px", "1px,5px")
_ROUND = (1, 2, 5)


def curves_figure(panel: Panel, look: Look, height: int = 210) -> Figure:
    """One line a mode over the values of a setting; `height` of the curves is in pixels."""
    lines = sorted(enumerate(panel.lines), key=lambda one: one[1].name == panel.focus)
    bands = [band for at, line in lines for band in _bands(line, panel, look)]
    curves = [_curve(line, panel, look, _pen(at, line, panel, look)) for at, line in lines]
    names, pieces = _names(panel, look, height)
    below = AXIS if panel.what else 0
    return base_figure(
        look,
        TOP + height + BOTTOM + below,
        (LEFT, RIGHT, TOP, BOTTOM + below),
        [*bands, *curves, _dots(panel, look)],
        annotations=[
            _title(panel, look),
            *_here(panel, look),
            *names,
            *_words(panel, look, height),
        ],
        shapes=[*pieces, _here_line(panel, look)],
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
    said = [
        f"{line.name} {panel.form.format(line.last)}"
        for line in panel.lines
        if line.last is not None
    ]
    values = f"; at the right end: {', '.join(said)}" if said else "; no mode has a plan"
    return f"{panel.title.capitalize()} of each mode from {ends}{values}."


def _pen(at: int, line: Line, panel: Panel, look: Look) -> dict[str, Any]:
    """The mode in focus is ink, the others grey, each with dashes of its own."""
    if line.name == panel.focus:
        return {"color": look.ink, "width": 2.5}
    return {"color": look.outline, "width": 1.6, "dash": _DASHES[at % len(_DASHES)]}


def _curve(line: Line, panel: Panel, look: Look, pen: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": line.name,
        "x": line.x,
        "y": line.high,
        "line": {"shape": "hv", **pen},
        "text": [_said(line, at, panel.form) for at in range(len(line.x))],
        "hovertemplate": f"<b>{plot_text(line.name)}</b><br>at %{{x:,}}: %{{text}}"
        f" {panel.title}<extra></extra>",
    }


def _said(line: Line, at: int, form: str) -> str:
    low, high = line.low[at], line.high[at]
    if low is None or high is None:
        return ""
    return form.format(high) if low == high else f"{form.format(low)} to {form.format(high)}"


def _bands(line: Line, panel: Panel, look: Look) -> list[dict[str, Any]]:
    """From short answers to long ones, where the two differ."""
    focused = line.name == panel.focus
    fill = rgba(look.ink, 0.16) if focused else rgba(look.muted, 0.07)
    return [_band(run, fill) for run in line.runs() if any(low != high for _, low, high in run)]


def _band(run: Run, fill: str) -> dict[str, Any]:
    upper = stepped([(x, high) for x, _, high in run])
    lower = stepped([(x, low) for x, low, _ in run])
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


def _dots(panel: Panel, look: Look) -> dict[str, Any]:
    """A ring at every point that has words."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mark.x for mark in panel.named],
        "y": [min(mark.y, panel.top) for mark in panel.named],
        "marker": {"size": 9, "color": look.paper, "line": {"color": look.ink, "width": 2}},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _names(
    panel: Panel, look: Look, height: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """At the right the name of each line after a piece of it, none on another."""
    there = [(at, line) for at, line in enumerate(panel.lines) if line.last is not None]
    wanted = [min(line.last or 0, panel.top) for _, line in there]
    places = apart(wanted, panel.top * NAME / height)
    names, pieces = [], []
    for (at, line), y in zip(there, places, strict=True):
        focused = line.name == panel.focus
        name = plot_text(line.name, 20)
        names.append(
            note(
                look,
                1,
                y,
                f"<b>{name}</b>" if focused else name,
                color=look.ink if focused else look.muted,
                xref="paper",
                xanchor="left",
                xshift=42,
            )
        )
        pixels = {"xsizemode": "pixel", "xref": "paper", "xanchor": 1, "x0": 12, "x1": 40}
        pieces.append(
            {"type": "line", **pixels, "y0": y, "y1": y, "line": _pen(at, line, panel, look)}
        )
    return names, pieces


def _title(panel: Panel, look: Look) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return note(
        look,
        0,
        1,
        f"<b>{panel.title}</b>",
        size=13,
        color=look.ink,
        xshift=8 - LEFT,
        yshift=8,
        **place,
    )


def _here(panel: Panel, look: Look) -> list[dict[str, Any]]:
    if not panel.here_text:
        return []
    along = panel.along(panel.here)
    side = "left" if along < 0.15 else "right" if along > 0.85 else "center"
    place = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom", "yshift": 2}
    return [
        note(look, along, 1, f"<b>{plot_text(panel.here_text, 60)}</b>", color=look.ink, **place)
    ]


def _here_line(panel: Panel, look: Look) -> dict[str, Any]:
    pen = {"color": look.ink, "width": 1.5, "dash": "4px,3px"}
    ends = {"x0": panel.here, "x1": panel.here, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": pen}


def _words(panel: Panel, look: Look, height: int) -> list[dict[str, Any]]:
    """The words of the marks, each a little higher than the next to its right."""
    order = sorted(panel.named, key=lambda mark: -mark.x)
    return [_word(mark, rank, panel, look, height) for rank, mark in enumerate(order)]


def _word(mark: Mark, rank: int, panel: Panel, look: Look, height: int) -> dict[str, Any]:
    """Words above their point, or below one that has no room above it."""
    right = panel.along(mark.x) < 0.6
    y = min(mark.y, panel.top)
    room = height * (1 - y / panel.top) - NAME
    rise = min(34 + 22 * rank, room) if room > NAME else -34
    return {
        "x": log10(mark.x) if panel.wide else mark.x,
        "y": y,
        "ax": 30 if right else -24,
        "ay": -rise,
        "text": "<br>".join(plot_text(line, _LETTERS) for line in wrap(mark.text, _LETTERS)),
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": look.ink,
        "standoff": 4,
        "font": {"size": 12, "color": look.ink},
        "bgcolor": look.paper,
        "borderpad": 2,
        "xanchor": "left" if right else "right",
        "align": "left",
    }


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
