"""The budgets of many calls at once: a thin column a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.figures.budget.row import MANY, BudgetRow, hover, reach
from ui.theme import MEANINGS, SEGMENTS, Figure, Look, base_figure, marker, note


def budget_strip(
    rows: Sequence[BudgetRow], look: Look, height: int = 190, selected: int | None = None
) -> Figure:
    """A column a call, for more calls than bars can show; `selected` is a position in `rows`.

    It has no words: a click gives the position of the call as `point_index`.
    """
    window, top = rows[0].budget.window, reach(rows) * 1.08
    shown = [name for name in SEGMENTS if name not in ("padding", "free")]
    ink = {"color": look.ink, "width": 2}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": window, "y1": window}
    shapes: list[dict[str, Any]] = [across | {"line": ink}]
    if selected is not None:
        frame = {"type": "rect", "x0": selected + 0.5, "x1": selected + 1.5, "y0": 0, "y1": top}
        shapes.append(frame | {"line": ink})
    place = {"xref": "paper", "xanchor": "left", "xshift": 6, "align": "left", "color": look.ink}
    return base_figure(
        look,
        height,
        (64, 76, 24, 44),
        [_columns(rows, name, look) for name in shown],
        barmode="stack",
        bargap=0.12,
        shapes=shapes,
        annotations=[note(look, 1, window, f"<b>window<br>{window:,}</b>", **place)],
        xaxis={"title": {"text": "call"}, "tickformat": ",", "range": [0.4, len(rows) + 0.6]},
        yaxis={"title": {"text": "tokens"}, "tickformat": ",", "nticks": 4, "range": [0, top]},
    )


def _columns(rows: Sequence[BudgetRow], meaning: str, look: Look) -> dict[str, Any]:
    many = len(rows) > MANY
    return {
        "type": "bar",
        "name": MEANINGS[meaning].label,
        "x": list(range(1, len(rows) + 1)),
        "y": [row.tokens(meaning) for row in rows],
        "marker": marker(look, meaning, line=0 if many else 0.5, pattern=not many),
        "customdata": [row.arithmetic for row in rows],
        "hovertemplate": hover(meaning, "y"),
        "unselected": {"marker": {"opacity": 1}},
    }
