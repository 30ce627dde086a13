"""One quantity against one setting: one line per mode, the one in focus in ink."""

from math import log10
from textwrap import wrap
from typing import Any

from ui.look.escape import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, mixed, note
from ui.plans.chart_data import CurveSegment, Line, Mark, Panel, apart, stepped

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


LEFT = 64
"""Pixels beside the curves, where the title begins."""
NAME = 16
"""Pixels of one name at the right."""
_LETTERS = 28  # of a line in the label of a mark

_DASHES = ("solid", "12px,3px", "6px,3px", "1.5px,3px", "2.5px,2px", "8px,3px,2px,3px", "1px,5px")


def line_style(at: int, line: Line, panel: Panel) -> dict[str, Any]:
    """Ink for the mode in focus; grey for the others, each with its own dashes."""
    if line.name == panel.focus:
        return {"color": INK, "width": 2.5}
    return {"color": OUTLINE, "width": 1.6, "dash": _DASHES[at % len(_DASHES)]}


def names(panel: Panel, height: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The names at the right, and before each a sample of its line; none overlap."""
    lines = [(at, line) for at, line in enumerate(panel.lines) if line.last is not None]
    wanted = [min(line.last or 0, panel.top) for _, line in lines]
    positions = apart(wanted, panel.top * NAME / height)
    notes, samples = [], []
    for (at, line), y in zip(lines, positions, strict=True):
        focused = line.name == panel.focus
        name = plot_text(line.name, 20)
        notes.append(
            note(
                1,
                y,
                f"<b>{name}</b>" if focused else name,
                color=INK if focused else MUTED,
                xref="paper",
                xanchor="left",
                xshift=42,
            )
        )
        pixels = {"xsizemode": "pixel", "xref": "paper", "xanchor": 1, "x0": 12, "x1": 40}
        samples.append(
            {"type": "line", **pixels, "y0": y, "y1": y, "line": line_style(at, line, panel)}
        )
    return notes, samples


def names_height(panel: Panel) -> int:
    """The height in pixels of the names under a narrow figure, two on a line."""
    return (NAME + 4) * -(-len(panel.lines) // 2) + 8


def names_below(panel: Panel, below: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The names, each after a sample of its line, `below` pixels under the curves and further."""
    notes, samples = [], []
    for at, line in enumerate(panel.lines):
        focused, name = line.name == panel.focus, plot_text(line.name, 18)
        side = {"xref": "paper", "xanchor": "left", "yref": "paper", "yanchor": "middle"}
        half, down = at % 2 / 2, below + 20 + (NAME + 4) * (at // 2)
        start = -LEFT / 2 - 24 * (1 - 2 * half)  # the left half begins at the edge of the figure
        colour = INK if focused else MUTED
        text = f"<b>{name}</b>" if focused else name
        notes.append(note(half, 0, text, color=colour, xshift=start + 30, yshift=-down, **side))
        pixels = {"xsizemode": "pixel", "xanchor": half, "x0": start, "x1": start + 26}
        pixels |= {"ysizemode": "pixel", "yanchor": 0, "y0": -down, "y1": -down}
        style = line_style(at, line, panel)
        samples.append({"type": "line", "xref": "paper", "yref": "paper", **pixels, "line": style})
    return notes, samples


def title(panel: Panel) -> dict[str, Any]:
    """The title of the panel, above the numbers of the axis."""
    position = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return note(
        0,
        1,
        f"<b>{panel.title}</b>",
        size=13,
        color=INK,
        xshift=8 - LEFT,
        yshift=8,
        **position,
    )


def here_label(panel: Panel) -> list[dict[str, Any]]:
    """The label over the line at the present value."""
    if not panel.here_text:
        return []
    along = panel.along(panel.here)
    side = "left" if along < 0.15 else "right" if along > 0.85 else "center"
    position = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom", "yshift": 2}
    return [note(along, 1, f"<b>{plot_text(panel.here_text, 60)}</b>", color=INK, **position)]


def mark_labels(panel: Panel, height: int) -> list[dict[str, Any]]:
    """The labels of the marks, each a little higher than the next one to its right."""
    order = sorted(panel.named, key=lambda mark: -mark.x)
    return [_mark_label(mark, rank, panel, height) for rank, mark in enumerate(order)]


def _mark_label(mark: Mark, rank: int, panel: Panel, height: int) -> dict[str, Any]:
    """A label above its point, or below it where there is no room above."""
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
        "arrowcolor": INK,
        "standoff": 4,
        "font": {"size": 12, "color": INK},
        "bgcolor": PAPER,
        "borderpad": 2,
        "xanchor": "left" if right else "right",
        "align": "left",
    }
