"""The labels of the curves: names at the right, the title, "you are here" and the marks."""

from __future__ import annotations

from math import log10
from textwrap import wrap
from typing import Any

from ui.figures.curves.data import Line, Mark, Panel, apart
from ui.look.escape import plot_text
from ui.look.theme import INK, MUTED, OUTLINE, PAPER, note

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
