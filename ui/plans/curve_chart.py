"""One quantity against one setting: one line per mode, the one in focus in ink."""

from collections.abc import Callable
from itertools import groupby
from math import ceil, log10
from textwrap import wrap
from typing import Any

from synth.text.wording import dollars
from ui.look.markdown import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, mixed, note
from ui.plans.chart_data import Line, Panel, PointLabel, apart

_LEFT, _RIGHT, _NARROW_RIGHT, _TOP, _BOTTOM = 64, 160, 14, 36, 12
"""Pixels around the curves; the title begins at the left edge."""
_AXIS, _NAME = 34, 16
"""Pixels of the numbers and words under the curves, and of one name at the right."""
_LETTERS = 28  # of a line in the label of a mark


def curves_figure(panel: Panel, height: int = 210, narrow: bool = False) -> Figure:
    """One line per mode over the values of a setting; `height` of the curves is in pixels.

    A narrow figure has the names under the last panel instead of at the right, and no labels at
    its marks.
    """
    lines = sorted(enumerate(panel.lines), key=lambda numbered: numbered[1].name == panel.focus)
    bands = [band for at, line in lines for band in _bands(line, panel)]
    curves = [_curve(line, panel) for _, line in lines]
    signs = [_signs(at, line, panel) for at, line in lines if line.name != panel.focus]
    below = _AXIS if panel.what else 0
    if not narrow:
        name_notes = _names(panel, height)
    elif panel.what:
        name_notes = _names_below(panel, below)
        below += (_NAME + 4) * ceil(len(panel.lines) / 2) + 8  # two names on a line
    else:
        name_notes = []
    return base_figure(
        _TOP + height + _BOTTOM + below,
        (_LEFT, _NARROW_RIGHT if narrow else _RIGHT, _TOP, _BOTTOM + below),
        [*bands, *curves, *signs, _dots(panel)],
        annotations=[
            _title(panel),
            *_here_label(panel),
            *name_notes,
            *([] if narrow else _mark_labels(panel, height)),
        ],
        shapes=[_here_line(panel)],
        xaxis=_xaxis(panel),
        yaxis={
            "showgrid": True,
            "range": [0, panel.top],
            "nticks": 5,
            "tickformat": "$,.4~f" if panel.say is dollars else ",",
        },
    )


def curves_alt(panel: Panel) -> str:
    """The curves in one sentence, for those who can't see them."""
    ends = " to ".join(f"{end:,g}" for end in panel.ends)
    values_at_end = [
        f"{line.name} {panel.say(line.last)}" for line in panel.lines if line.last is not None
    ]
    subject = f"{panel.title.capitalize()} of each mode from {ends}"
    if not values_at_end:
        return f"{subject}; no mode has a plan."
    return f"{subject}; at the right end: {', '.join(values_at_end)}."


def _curve(line: Line, panel: Panel) -> dict[str, Any]:
    focused = line.name == panel.focus
    style = {"color": INK, "width": 2.5} if focused else {"color": OUTLINE, "width": 1.3}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": line.name,
        "x": line.x,
        "y": line.high,
        "line": {"shape": "hv", **style},
        "text": [_range_text(line, at, panel.say) for at in range(len(line.x))],
        "hovertemplate": f"<b>{plot_text(line.name)}</b><br>at %{{x:,}}: %{{text}}"
        f" {panel.title}<extra></extra>",
    }


def _range_text(line: Line, at: int, say: Callable[[float], str]) -> str:
    low, high = line.low[at], line.high[at]
    if low is None or high is None:
        return ""
    return say(high) if low == high else f"{say(low)} to {say(high)}"


def _bands(line: Line, panel: Panel) -> list[dict[str, Any]]:
    """The areas between the values for short and for long answers, where the two differ."""
    focused = line.name == panel.focus
    fill = mixed(INK, 0.16) if focused else mixed(MUTED, 0.07)
    edges: list[dict[str, Any]] = []
    points = zip(line.x, line.low, line.high, strict=True)
    for planned, segment in groupby(points, lambda point: None not in point):
        x, low, high = zip(*segment, strict=True)
        if planned and low != high:
            style = {"shape": "hv", "width": 0}
            edge = {"type": "scatter", "mode": "lines", "x": x, "line": style, "fillcolor": fill}
            edges += [{**edge, "y": low, "hoverinfo": "skip"}]
            edges += [{**edges[-1], "y": high, "fill": "tonexty"}]
    return edges


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
        axis |= {"type": "log", "range": [log10(low), log10(high)], "dtick": "D2"}
    return axis


_SIGNS = (
    ("circle-open", "○"),
    ("square-open", "□"),
    ("triangle-up-open", "△"),
    ("diamond-open", "◇"),
    ("x-thin-open", "×"),
    ("cross-thin-open", "+"),
    ("star-open", "☆"),
    ("pentagon-open", "⬠"),
)
"""Plotly's names of the signs on the lines of modes, and the letters for them in names."""
_SIGNS_A_LINE = 7


def _signs(at: int, line: Line, panel: Panel) -> dict[str, Any]:
    """The signs on a line, each at its own places, so that lines that lie on one another show."""
    symbol, _ = _SIGNS[at % len(_SIGNS)]
    shares = [
        (step + (at + 0.5) / len(panel.lines)) / _SIGNS_A_LINE for step in range(_SIGNS_A_LINE)
    ]
    places = [(x, y) for x in map(panel.value_at, shares) if (y := line.value(x)) is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, y in places if y <= panel.top],
        "y": [y for _, y in places if y <= panel.top],
        "marker": {
            "symbol": symbol,
            "size": 9,
            "color": MUTED,
            "line": {"color": MUTED, "width": 1.3},
        },
        "hoverinfo": "skip",
    }


def _named(at: int, line: Line, panel: Panel, letters: int) -> tuple[str, str]:
    """The name of a line behind its sign, and its colour: ink and bold for the mode in focus."""
    name = plot_text(line.name, letters)
    if line.name == panel.focus:
        return f"<b>━ {name}</b>", INK
    return f"{_SIGNS[at % len(_SIGNS)][1]} {name}", MUTED


def _names(panel: Panel, height: int) -> list[dict[str, Any]]:
    """The names at the right, each behind the sign of its line; none overlap."""
    lines = [(at, line) for at, line in enumerate(panel.lines) if line.last is not None]
    wanted = [min(line.last or 0, panel.top) for _, line in lines]
    positions = apart(wanted, panel.top * _NAME / height)
    notes = []
    for (at, line), y in zip(lines, positions, strict=True):
        text, colour = _named(at, line, panel, 20)
        notes.append(note(1, y, text, color=colour, xref="paper", xanchor="left", xshift=12))
    return notes


def _names_below(panel: Panel, below: int) -> list[dict[str, Any]]:
    """The names, each behind the sign of its line, `below` pixels under the curves and further."""
    side = {"xref": "paper", "xanchor": "left", "yref": "paper", "yanchor": "middle"}
    notes = []
    for at, line in enumerate(panel.lines):
        text, colour = _named(at, line, panel, 18)
        half, down = at % 2 / 2, below + 20 + (_NAME + 4) * (at // 2)
        start = -_LEFT / 2 - 24 * (1 - 2 * half)  # the left half begins at the edge of the figure
        notes.append(note(half, 0, text, color=colour, xshift=start, yshift=-down, **side))
    return notes


def _title(panel: Panel) -> dict[str, Any]:
    """The title of the panel, above the numbers of the axis."""
    position = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return note(
        0,
        1,
        f"<b>{panel.title}</b>",
        size=13,
        color=INK,
        xshift=8 - _LEFT,
        yshift=8,
        **position,
    )


def _here_label(panel: Panel) -> list[dict[str, Any]]:
    """The label over the line at the present value."""
    if not panel.here_text:
        return []
    along = panel.along(panel.here)
    side = "left" if along < 0.15 else "right" if along > 0.85 else "center"
    position = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom", "yshift": 2}
    return [note(along, 1, f"<b>{plot_text(panel.here_text, 60)}</b>", color=INK, **position)]


def _mark_labels(panel: Panel, height: int) -> list[dict[str, Any]]:
    """The labels of the marks, each a little higher than the next one to its right."""
    order = sorted(panel.named, key=lambda mark: -mark.x)
    return [_mark_label(mark, rank, panel, height) for rank, mark in enumerate(order)]


def _mark_label(mark: PointLabel, rank: int, panel: Panel, height: int) -> dict[str, Any]:
    """A label above its point, or below it where there is no room above."""
    right = panel.along(mark.x) < 0.6
    y = min(mark.y, panel.top)
    room = height * (1 - y / panel.top) - _NAME
    rise = min(34 + 22 * rank, room) if room > _NAME else -34
    return {
        "x": log10(mark.x) if panel.wide else mark.x,
        "y": y,
        "ax": 30 if right else -24,
        "ay": -rise,
        "text": "<br>".join(plot_text(line, _LETTERS) for line in wrap(mark.text, _LETTERS)),
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": INK,
        "standoff": 4,
        "font": {"size": 12, "color": INK},
        "bgcolor": PAPER,
        "borderpad": 2,
        "xanchor": "left" if right else "right",
        "align": "left",
    }
