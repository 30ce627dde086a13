"""The measures of a comparison as small multiples: one panel per measure, one bar per column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.compare.analysis.measures import TOKENS_LOST, MeasureRow
from ui.compare.measure_panels import RIGHT, PanelGrid
from ui.look.escape import plot_text
from ui.look.theme import Figure, Look, base_figure, marker, note, rgba

_HALF = 0.29  # of a row: half of a bar


def measures_figure(
    rows: Sequence[MeasureRow], labels: Sequence[str], look: Look, width: int, reference: int
) -> Figure:
    """One panel per measure, each with its own scale from zero; `width` in pixels.

    The bar at position `reference` is in ink, the others are grey, lost text is hatched, and
    estimates have a dashed outline. If the panels don't fit side by side, they stand in
    several lines.
    """
    grid = PanelGrid(len(rows), labels, width)
    layout: dict[str, Any] = {}
    for position, row in enumerate(rows):
        axis = {"range": [0, grid.reach(row)], "showticklabels": False, "fixedrange": True}
        edges = {"domain": grid.across(position), "anchor": f"y{_axis(position // grid.per_line)}"}
        layout[f"xaxis{_axis(position)}"] = axis | edges | _BARE
    for line in range(grid.lines):
        layout[f"yaxis{_axis(line)}"] = _names(grid, line, look, reference)
    return base_figure(
        look,
        grid.height,
        (grid.left, RIGHT, 0, 0),
        [_bars(row, position, grid, look, reference) for position, row in enumerate(rows)],
        bargap=1 - 2 * _HALF,
        annotations=[_title(row, position, grid, look) for position, row in enumerate(rows)],
        shapes=[
            shape
            for position, row in enumerate(rows)
            for shape in _lines(row, position, grid, look)
        ],
        **layout,
    )


_BARE = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}


def _axis(position: int) -> str:
    """The suffix of Plotly's axes: "", "2", "3" …"""
    return str(position + 1) if position else ""


def _names(grid: PanelGrid, line: int, look: Look, reference: int) -> dict[str, Any]:
    """The axis of a line of panels, with the names of the columns; the reference is bold."""
    names = [plot_text(label, grid.letters) for label in grid.labels]
    if reference < len(names):
        names[reference] = f"<b>{names[reference]}</b>"
    return {
        "domain": grid.up(line),
        "anchor": f"x{_axis(line * grid.per_line)}",
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "tickfont": {"size": 13, "color": look.ink},
        "ticklabelstandoff": 6,
        "fixedrange": True,
        **_BARE,
    }


def _bars(
    row: MeasureRow, position: int, grid: PanelGrid, look: Look, reference: int
) -> dict[str, Any]:
    values = [plot_text(value) for value in row.values]
    names = [plot_text(label, 40) for label in grid.labels]
    unknown = [amount is None for amount in row.amounts]
    return {
        "type": "bar",
        "orientation": "h",
        "name": row.name,
        "xaxis": f"x{_axis(position)}",
        "yaxis": f"y{_axis(position // grid.per_line)}",
        "y": list(range(len(names))),
        "x": [amount or 0 for amount in row.amounts],
        "marker": _marker(row, look, reference),
        "text": values,
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
        "cliponaxis": False,
        "textfont": {
            "size": 12,
            "color": [look.muted if missing else look.ink for missing in unknown],
        },
        "hovertext": [
            f"{name}<br>{row.name}: {value}" for name, value in zip(names, values, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _marker(row: MeasureRow, look: Look, reference: int) -> dict[str, Any]:
    if row.name == TOKENS_LOST:
        return marker(look, "lost")
    fill, edge, _ = look.paint("template")
    fills = [look.ink if bar == reference else fill for bar in range(len(row.values))]
    edges = [look.ink if bar == reference else edge for bar in range(len(row.values))]
    pale = [
        rgba(colour, 0.3) if estimated else colour
        for colour, estimated in zip(fills, row.estimated, strict=True)
    ]
    widths = [0 if estimated else 1 for estimated in row.estimated]
    return {"color": pale, "line": {"color": edges, "width": widths}}


def _title(row: MeasureRow, position: int, grid: PanelGrid, look: Look) -> dict[str, Any]:
    panel = {
        "xref": f"x{_axis(position)} domain",
        "yref": f"y{_axis(position // grid.per_line)} domain",
    }
    anchor = {"xanchor": "left", "yanchor": "bottom", "yshift": 3, "xshift": -3}
    return note(look, 0, 1, f"<b>{plot_text(row.name)}</b>", **panel, **anchor)


def _lines(row: MeasureRow, position: int, grid: PanelGrid, look: Look) -> list[dict[str, Any]]:
    """The zero line of a panel, and dashes around estimates, which Plotly's bars don't have."""
    x, y = f"x{_axis(position)}", f"y{_axis(position // grid.per_line)}"
    zero = {"type": "line", "xref": x, "x0": 0, "x1": 0, "yref": f"{y} domain", "y0": 0, "y1": 1}
    shapes = [zero | {"line": {"color": look.outline, "width": 1}}]
    dashes = {"color": look.ink, "width": 1.2, "dash": "3px,2px"}
    for bar, (amount, estimated) in enumerate(zip(row.amounts, row.estimated, strict=True)):
        if estimated and amount:
            outline = {"type": "rect", "xref": x, "x0": 0, "x1": amount, "yref": y}
            shapes.append(outline | {"y0": bar - _HALF, "y1": bar + _HALF, "line": dashes})
    return shapes


def measures_alt(rows: Sequence[MeasureRow], labels: Sequence[str]) -> str:
    """The measures in words, for those who can't see them."""
    sentences = (
        f" {row.name}: "
        + ", ".join(f"{label} {value}" for label, value in zip(labels, row.values, strict=True))
        + "."
        for row in rows
    )
    return f"A bar for each of {', '.join(labels)}.{''.join(sentences)}"
