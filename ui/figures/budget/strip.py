"""The budgets of many calls at once: one thin column per call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.figures.budget.row import MANY, BudgetRow, hovers, reach
from ui.look.theme import INK, MEANINGS, SEGMENTS, Figure, base_figure, marker, note, paint

_DRAWN = tuple(name for name in SEGMENTS if name not in ("padding", "free"))


def budget_strip(
    rows: Sequence[BudgetRow], height: int = 190, selected: int | None = None
) -> Figure:
    """One column per call, for more calls than bars can show; `selected` is a position in `rows`.

    With more than MANY calls the columns touch, and each meaning is one area: a browser takes
    longer to draw thousands of bars than the rest of the page.
    """
    window, top = rows[0].budget.window, reach(rows) * 1.08
    many = len(rows) > MANY
    sums = [row.arithmetic for row in rows]
    ink = {"color": INK, "width": 2}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": window, "y1": window}
    shapes: list[dict[str, Any]] = [across | {"line": ink}]
    if selected is not None:
        frame = {"type": "rect", "x0": selected + 0.5, "x1": selected + 1.5, "y0": 0, "y1": top}
        shapes.append(frame | {"line": ink})
    position = {"xref": "paper", "xanchor": "left", "xshift": 6, "align": "left", "color": INK}
    return base_figure(
        height,
        (64, 76, 24, 44),
        _areas(rows, sums) if many else [_columns(rows, name, sums) for name in _DRAWN],
        barmode="stack",
        bargap=0.12,
        shapes=shapes,
        annotations=[note(1, window, f"<b>window<br>{window:,}</b>", **position)],
        xaxis={"title": {"text": "call"}, "tickformat": ",", "range": [0.4, len(rows) + 0.6]},
        yaxis={"title": {"text": "tokens"}, "tickformat": ",", "nticks": 4, "range": [0, top]},
    )


def _columns(rows: Sequence[BudgetRow], meaning: str, sums: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": MEANINGS[meaning].label,
        "x": list(range(1, len(rows) + 1)),
        "y": [row.tokens(meaning) for row in rows],
        "marker": marker(meaning, line=0.5),
        "hovertext": hovers(rows, meaning, sums),
    }


def _areas(rows: Sequence[BudgetRow], sums: Sequence[str]) -> list[dict[str, Any]]:
    """One area per meaning, on the one before, and an unseen bar per call with what it says."""
    edges = [edge for at in range(len(rows)) for edge in (at + 0.5, at + 1.5)]
    below = [0] * len(rows)
    areas = []
    for meaning in _DRAWN:
        tops = [low + row.tokens(meaning) for low, row in zip(below, rows, strict=True)]
        if tops != below:
            areas.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": MEANINGS[meaning].label,
                    "x": [*edges, *reversed(edges)],
                    "y": [*_twice(tops), *reversed(_twice(below))],
                    "line": {"width": 0},
                    "fill": "toself",
                    "fillcolor": paint(meaning).fill,
                }
            )
        below = tops
    unseen = {
        "type": "bar",
        "x": list(range(1, len(rows) + 1)),
        "y": [row.needed for row in rows],
        "width": 1,
        "marker": {"color": "rgba(0,0,0,0)"},
        "hovertext": sums,
    }
    return [*areas, unseen]


def _twice(heights: Sequence[int]) -> list[int]:
    """The height at both edges of each column."""
    return [height for height in heights for _ in range(2)]
