"""The measures of a comparison as small multiples: a panel a measure, a bar a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.compare.analysis.rows import Row
from ui.safe import plot_text
from ui.theme import Look, base_figure


def measures_figure(
    rows: Sequence[Row], labels: Sequence[str], look: Look, width: int, reference: int = 0
) -> go.Figure:
    """A panel a measure, each with its own scale from zero; `width` in pixels.

    The column at place `reference` is in ink, the others are grey.
    """
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    share = 1 / max(1, len(rows))
    for at, row in enumerate(rows):
        axis = "" if at == 0 else str(at + 1)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "xaxis": f"x{axis}",
                "y": list(range(len(labels))),
                "x": [amount or 0 for amount in row.amounts],
                "text": list(row.values),
                "constraintext": "none",
                "textposition": "outside",
                "cliponaxis": False,
            }
        )
        most = max((amount or 0 for amount in row.amounts), default=0) or 1
        layout[f"xaxis{axis}"] = {
            "domain": [at * share, (at + 0.95) * share],
            "range": [0, most * 1.7],
            "showticklabels": False,
            "title_text": row.name,
        }
    return base_figure(
        look,
        60 + 30 * len(labels),
        (132, 12, 8, 40),
        traces,
        yaxis={
            "range": [len(labels) - 0.4, -0.6],
            "tickvals": list(range(len(labels))),
            "ticktext": [plot_text(label) for label in labels],
        },
        **layout,
    )


def measures_alt(rows: Sequence[Row], labels: Sequence[str]) -> str:
    """The measures in words, for those who can't see them."""
    said = (
        f"{row.name}: "
        + ", ".join(f"{label} {value}" for label, value in zip(labels, row.values, strict=True))
        for row in rows
    )
    return f"{'. '.join(said)}."
