"""The budgets of many calls at once: one thin column per call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.figures.budget.row import MANY, BudgetRow, hover, reach
from ui.look.theme import MEANINGS, SEGMENTS, Figure, Look, base_figure, marker, note

_DRAWN = tuple(name for name in SEGMENTS if name not in ("padding", "free"))


def budget_strip(
    rows: Sequence[BudgetRow], look: Look, height: int = 190, selected: int | None = None
) -> Figure:
    """One column per call, for more calls than bars can show; `selected` is a position in `rows`.

    With more than MANY calls the columns touch, and each meaning is one area: a browser takes
    longer to draw thousands of bars than the rest of the page.
    """
    window, top = rows[0].budget.window, reach(rows) * 1.08
    many = len(rows) > MANY
    ink = {"color": look.ink, "width": 2}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": window, "y1": window}
    shapes: list[dict[str, Any]] = [across | {"line": ink}]
    if selected is not None:
        frame = {"type": "rect", "x0": selected + 0.5, "x1": selected + 1.5, "y0": 0, "y1": top}
        shapes.append(frame | {"line": ink})
    position = {"xref": "paper", "xanchor": "left", "xshift": 6, "align": "left", "color": look.ink}
    return base_figure(
        look,
        height,
        (64, 76, 24, 44),
        _areas(rows, look) if many else [_columns(rows, name, look) for name in _DRAWN],
        barmode="stack",
        bargap=0.12,
        hovermode="x" if many else "closest",
        shapes=shapes,
        annotations=[note(look, 1, window, f"<b>window<br>{window:,}</b>", **position)],
        xaxis={"title": {"text": "call"}, "tickformat": ",", "range": [0.4, len(rows) + 0.6]},
        yaxis={"title": {"text": "tokens"}, "tickformat": ",", "nticks": 4, "range": [0, top]},
    )


def _columns(rows: Sequence[BudgetRow], meaning: str, look: Look) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": MEANINGS[meaning].label,
        "x": list(range(1, len(rows) + 1)),
        "y": [row.tokens(meaning) for row in rows],
        "marker": marker(look, meaning, line=0.5),
        "customdata": [row.arithmetic for row in rows],
        "hovertemplate": hover(meaning, "y"),
    }


def _areas(rows: Sequence[BudgetRow], look: Look) -> list[dict[str, Any]]:
    """One area per meaning, stacked, and an invisible line that carries the hover text."""
    line = {"type": "scatter", "mode": "lines"}
    step = line | {"stackgroup": "calls", "line": {"width": 0, "shape": "hv"}, "hoverinfo": "skip"}
    edges = [at + 0.5 for at in range(len(rows) + 1)]
    tops = line | {
        "x": list(range(1, len(rows) + 1)),
        "y": [row.needed for row in rows],
        "line": {"width": 0},
        "customdata": [row.arithmetic for row in rows],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    areas = [
        {
            "name": MEANINGS[meaning].label,
            "x": edges,
            "y": [row.tokens(meaning) for row in (*rows, rows[-1])],
            "fillcolor": look.paint(meaning).fill,
        }
        for meaning in _DRAWN
        if any(row.tokens(meaning) for row in rows)
    ]
    return [*(step | area for area in areas), tops]
