"""The measures of a comparison as small multiples: a panel a measure, a bar a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.compare.analysis.rows import LOST, Row
from ui.compare.measure_panels import RIGHT, Panels
from ui.look.escape import plot_text
from ui.look.theme import Figure, Look, base_figure, marker, note, rgba

_HALF = 0.29  # of a row: half of a bar


def measures_figure(
    rows: Sequence[Row], labels: Sequence[str], look: Look, width: int, reference: int
) -> Figure:
    """A panel a measure, each with its own scale from zero; `width` in pixels.

    The column at place `reference` is in ink, the others are grey, lost text is hatched, and
    what is only estimated has a dashed outline. Where there is too little room for all
    panels side by side, they stand in several lines.
    """
    panels = Panels(len(rows), labels, width)
    layout: dict[str, Any] = {}
    for at, row in enumerate(rows):
        axis = {"range": [0, panels.reach(row)], "showticklabels": False, "fixedrange": True}
        ours = {"domain": panels.across(at), "anchor": f"y{_axis(at // panels.a_line)}"}
        layout[f"xaxis{_axis(at)}"] = axis | ours | _BARE
    for line in range(panels.lines):
        layout[f"yaxis{_axis(line)}"] = _names(panels, line, look, reference)
    return base_figure(
        look,
        panels.height,
        (panels.left, RIGHT, 0, 0),
        [_bars(row, at, panels, look, reference) for at, row in enumerate(rows)],
        bargap=1 - 2 * _HALF,
        annotations=[_title(row, at, panels, look) for at, row in enumerate(rows)],
        shapes=[shape for at, row in enumerate(rows) for shape in _lines(row, at, panels, look)],
        **layout,
    )


_BARE = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}


def _axis(at: int) -> str:
    """Plotly's name for its axes after the first: "", "2", "3" …"""
    return str(at + 1) if at else ""


def _names(panels: Panels, line: int, look: Look, reference: int) -> dict[str, Any]:
    """The axis of a line of panels, with the names of the columns; the reference is bold."""
    names = [plot_text(label, panels.letters) for label in panels.labels]
    if reference < len(names):
        names[reference] = f"<b>{names[reference]}</b>"
    return {
        "domain": panels.up(line),
        "anchor": f"x{_axis(line * panels.a_line)}",
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "tickfont": {"size": 13, "color": look.ink},
        "ticklabelstandoff": 6,
        "fixedrange": True,
        **_BARE,
    }


def _bars(row: Row, at: int, panels: Panels, look: Look, reference: int) -> dict[str, Any]:
    values = [plot_text(value) for value in row.values]
    names = [plot_text(label, 40) for label in panels.labels]
    unknown = [amount is None for amount in row.amounts]
    return {
        "type": "bar",
        "orientation": "h",
        "name": row.name,
        "xaxis": f"x{_axis(at)}",
        "yaxis": f"y{_axis(at // panels.a_line)}",
        "y": list(range(len(names))),
        "x": [amount or 0 for amount in row.amounts],
        "marker": _marker(row, look, reference),
        "text": values,
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
        "cliponaxis": False,
        "textfont": {"size": 12, "color": [look.muted if no else look.ink for no in unknown]},
        "hovertext": [
            f"{name}<br>{row.name}: {value}" for name, value in zip(names, values, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _marker(row: Row, look: Look, reference: int) -> dict[str, Any]:
    if row.name == LOST:
        return marker(look, "lost")
    fill, edge, _ = look.paint("template")
    fills = [look.ink if at == reference else fill for at in range(len(row.values))]
    edges = [look.ink if at == reference else edge for at in range(len(row.values))]
    pale = [
        rgba(colour, 0.3) if estimated else colour
        for colour, estimated in zip(fills, row.estimated, strict=True)
    ]
    widths = [0 if estimated else 1 for estimated in row.estimated]
    return {"color": pale, "line": {"color": edges, "width": widths}}


def _title(row: Row, at: int, panels: Panels, look: Look) -> dict[str, Any]:
    place = {"xref": f"x{_axis(at)} domain", "yref": f"y{_axis(at // panels.a_line)} domain"}
    anchor = {"xanchor": "left", "yanchor": "bottom", "yshift": 3, "xshift": -3}
    return note(look, 0, 1, f"<b>{plot_text(row.name)}</b>", **place, **anchor)


def _lines(row: Row, at: int, panels: Panels, look: Look) -> list[dict[str, Any]]:
    """The zero of a panel, and dashes around its estimates: Plotly's bars have no such outline."""
    x, y = f"x{_axis(at)}", f"y{_axis(at // panels.a_line)}"
    zero = {"type": "line", "xref": x, "x0": 0, "x1": 0, "yref": f"{y} domain", "y0": 0, "y1": 1}
    shapes = [zero | {"line": {"color": look.outline, "width": 1}}]
    dashes = {"color": look.ink, "width": 1.2, "dash": "3px,2px"}
    for place, (amount, estimated) in enumerate(zip(row.amounts, row.estimated, strict=True)):
        if estimated and amount:
            box = {"type": "rect", "xref": x, "x0": 0, "x1": amount, "yref": y}
            shapes.append(box | {"y0": place - _HALF, "y1": place + _HALF, "line": dashes})
    return shapes


def measures_alt(rows: Sequence[Row], labels: Sequence[str]) -> str:
    """The measures in words, for those who can't see them."""
    said = (
        f" {row.name}: "
        + ", ".join(f"{label} {value}" for label, value in zip(labels, row.values, strict=True))
        + "."
        for row in rows
    )
    return f"A bar for each of {', '.join(labels)}.{''.join(said)}"
