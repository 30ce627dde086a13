"""The budget bar: one row a call, segments in the order of the prompt, the window as a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from synth.budget import Budget
from ui.safe import plot_text
from ui.theme import MEANINGS, SEGMENTS, Look, base_figure, marker, note

LEFT, RIGHT = 94, 106
GAP, TWO_LINES = 7, 36
"""Pixels between two bars, and of a row that also says by how much it is over."""


@dataclass(frozen=True)
class BudgetRow:
    """The budget of one call; `bound`: its answer segment is the longest that was assumed."""

    label: str
    budget: Budget
    bound: bool

    def tokens(self, meaning: str) -> int:
        """Tokens of one segment."""
        return int(getattr(self.budget, meaning))

    @property
    def needed(self) -> int:
        """Tokens of the prompt and of the answer it leaves room for."""
        return self.budget.prompt + self.budget.reserved

    def start(self, meaning: str) -> int:
        """Tokens before a segment."""
        return sum(self.tokens(before) for before in SEGMENTS[: SEGMENTS.index(meaning)])


def budget_bars(
    rows: Sequence[BudgetRow],
    look: Look,
    width: int = 880,
    row: int = 34,
    selected: int | None = None,
) -> go.Figure:
    """A bar a call, all under the window of the first; `selected` is a position in `rows`.

    `width` is what the page is likely to give the figure, in pixels: words that would not
    fit are left out. A click gives the position of the row as `point_index`.
    """
    window = rows[0].budget.window
    reach = max(window, *(one.needed for one in rows))
    per_pixel = reach / (width - LEFT - RIGHT)
    if any(one.budget.over for one in rows):
        row = max(row, TWO_LINES)
    bars = [
        _segment_trace(rows, meaning, look, per_pixel)
        for meaning in SEGMENTS
        if any(one.tokens(meaning) for one in rows)
    ]
    return base_figure(
        look,
        46 + row * len(rows),
        (LEFT, RIGHT, 24, 22),
        bars,
        barmode="stack",
        bargap=GAP / row,
        annotations=_notes(rows, look, per_pixel, window, reach),
        shapes=_shapes(rows, look, window, selected, 0.5 - GAP / row / 2),
        xaxis={"range": [0, reach * 1.002], "tickformat": ",", "nticks": 6, "ticksuffix": " "},
        yaxis={
            "range": [len(rows) - 0.38, -0.66],
            "tickvals": list(range(len(rows))),
            "ticktext": [plot_text(one.label, 14) for one in rows],
            "tickfont": {"size": 13, "color": look.ink},
        },
    )


def budget_alt(rows: Sequence[BudgetRow]) -> str:
    """The budget bars in one sentence, for those who can't see them."""
    window = rows[0].budget.window
    fullest = max(rows, key=lambda row: row.needed)
    calls = "1 call" if len(rows) == 1 else f"{len(rows):,} calls"
    at_most = "at most " if fullest.bound else ""
    over = f", {fullest.budget.over:,} over" if fullest.budget.over else ""
    return (
        f"Budget of {calls} in a window of {window:,} tokens; the fullest needs"
        f" {at_most}{fullest.needed:,}{over}."
    )


def _segment_trace(
    rows: Sequence[BudgetRow], meaning: str, look: Look, per_pixel: float
) -> dict[str, Any]:
    """The segments of one meaning in all rows; words of hatched ones are plates, not bar text."""
    hatched = MEANINGS[meaning].pattern
    words = ["" if hatched else _wording(row, meaning, per_pixel) for row in rows]
    return {
        "type": "bar",
        "orientation": "h",
        "name": MEANINGS[meaning].label,
        "y": list(range(len(rows))),
        "x": [row.tokens(meaning) for row in rows],
        "marker": marker(look, meaning),
        "text": words,
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "insidetextfont": {"size": 12, "color": look.paint(meaning).label},
        "customdata": [arithmetic(row) for row in rows],
        "hovertemplate": hover(meaning, "x"),
        "unselected": {"marker": {"opacity": 1}},
    }


def hover(meaning: str, axis: str) -> str:
    """What shows under the pointer: the segment's tokens, then the whole sum."""
    return f"<b>{MEANINGS[meaning].label} %{{{axis}:,}}</b><br>%{{customdata}}<extra></extra>"


def arithmetic(row: BudgetRow) -> str:
    """How the segments add up to the window, over two lines."""
    budget = row.budget
    parts = [
        f"{MEANINGS[name].short} {row.tokens(name):,}" for name in SEGMENTS if row.tokens(name)
    ]
    end = (
        f"{budget.window:,} + {budget.over:,} over" if budget.over else f"{budget.window:,} window"
    )
    return f"{plot_text(row.label)}: {' + '.join(parts)}<br>= {end}, in tokens"


def _wording(row: BudgetRow, meaning: str, per_pixel: float) -> str:
    """The longest wording that fits the segment: "chunks 687", "687", or nothing."""
    tokens = row.tokens(meaning)
    number = f"≤ {tokens:,}" if row.bound and meaning == "answer" else f"{tokens:,}"
    for text in (f"{MEANINGS[meaning].short} {number}", number):
        if tokens / per_pixel > 6.2 * len(text) + 7:
            return text
    return ""


def _notes(
    rows: Sequence[BudgetRow], look: Look, per_pixel: float, window: int, reach: int
) -> list[dict[str, Any]]:
    """The window's number, the sum at the end of each bar, and the plates on hatched segments."""
    side = "right" if window > reach / 3 else "left"
    ink = {"color": look.ink}
    notes = [
        note(
            look, window, -0.62, f"<b>window {window:,}</b>", yanchor="bottom", xanchor=side, **ink
        )
    ]
    place = {"xref": "paper", "xanchor": "right", "xshift": RIGHT - 2, "align": "right"}
    notes += [note(look, 1, at, _sum(row), size=13, **place, **ink) for at, row in enumerate(rows)]
    for meaning in SEGMENTS:
        if MEANINGS[meaning].pattern:
            notes += _plates(rows, meaning, look, per_pixel)
    return notes


def _sum(row: BudgetRow) -> str:
    sign = "≤ " if row.bound else ""
    over = f"<br><b>▲ {row.budget.over:,} over</b>" if row.budget.over else ""
    return f"{sign}<b>{row.needed:,}</b> / {row.budget.window:,}{over}"


def _plates(
    rows: Sequence[BudgetRow], meaning: str, look: Look, per_pixel: float
) -> list[dict[str, Any]]:
    fill, _, label = look.paint(meaning)
    return [
        note(
            look,
            row.start(meaning) + row.tokens(meaning) / 2,
            at,
            words,
            color=label,
            bgcolor=fill,
            borderpad=0,
        )
        for at, row in enumerate(rows)
        if (words := _wording(row, meaning, per_pixel))
    ]


def _shapes(
    rows: Sequence[BudgetRow], look: Look, window: int, selected: int | None, half: float
) -> list[dict[str, Any]]:
    """The window's line, dashes around assumed answers, and the frame of the selected row."""
    ink = {"color": look.ink, "width": 2}
    bottom = len(rows) - 0.38
    shapes: list[dict[str, Any]] = [
        {"type": "line", "x0": window, "x1": window, "y0": -0.62, "y1": bottom, "line": ink}
    ]
    for at, row in enumerate(rows):
        if row.bound and row.budget.answer:
            start = row.start("answer")
            dashed = {"color": look.ink, "width": 1.5, "dash": "3px,2px"}
            shapes.append(_box(start, start + row.budget.answer, at, half, dashed))
    if selected is not None:
        end = max(window, rows[selected].needed)
        shapes.append(_box(0, end, selected, 0.5, {"color": look.ink, "width": 2.5}))
    return shapes


def _box(left: float, right: float, at: int, half: float, line: dict[str, Any]) -> dict[str, Any]:
    """A rectangle around part of row `at`; Plotly's bars know no dashed outline."""
    return {"type": "rect", "x0": left, "x1": right, "y0": at - half, "y1": at + half, "line": line}
