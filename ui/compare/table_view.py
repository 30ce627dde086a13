"""All modes as a table to sort and to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from synth.budget import budget
from ui.compare import columns, grid_view, head, runs
from ui.compare.analysis import (
    Entry,
    any_ended,
    findings,
    modes_frame,
    outcome,
    planned_findings,
    rows,
)
from ui.compare.lineup import Lineup
from ui.compare.totals import total
from ui.figures import BudgetRow, budget_alt, budget_bars
from ui.safe import key_html
from ui.theme import MEANINGS, Look
from ui.words import ROW, at_two_widths, section, sentence, small, table

_KEY = "modes_table"
_WIDTHS = {
    "Mode": 136,
    "Gives": 184,
    "Calls, at most": 104,
    "Chain, at most": 104,
    "Prompt tokens, low": 118,
    "Prompt tokens, high": 126,
    "Output, at most": 104,
    "Cost, at most": 92,
    "Tokens not sent": 118,
    "Sent twice": 76,
}
"""Pixels of the columns of a plan."""
_ANSWER, _LABELS = 370, 136
"""Pixels of the answers of runs, and of the names of modes beside their bars."""
_BARS = ("Calls, at most", "Prompt tokens, high", "Tokens not sent")


def draw(shown: Lineup, look: Look) -> None:
    """The findings, the table, and the first call of each mode against the window."""
    question = grid_view.draw(shown) if len(shown.questions) > 1 else 0
    entries = [shown.entry(column, question) for column in shown.columns]
    made = any_ended(entries)
    parts = findings(entries) if made else planned_findings(entries)
    if parts:
        sentence(parts)
    if line := total(shown, runs.asking(runs.missing(shown), shown)):
        small(line)
    frame = made_frame(entries) if made else modes_frame(entries)
    table(
        frame,
        key=_KEY,
        row_height=ROW + 2,
        height=(ROW + 2) * (len(frame) + 1) + 8,
        column_config=_made_shapes(frame) if made else _planned_shapes(frame),
        on_select="rerun",
        selection_mode="multi-row",
        alt="All modes; tick two to four rows to see them side by side",
    )
    _chosen(shown)
    _first_calls(entries, look)


def made_frame(entries: Sequence[Entry]) -> pd.DataFrame:
    """A row a mode that was run: its answer, and the measures as numbers."""
    frame = pd.DataFrame({"Mode": pd.Series([entry.request.mode for entry in entries])})
    frame["Answer"] = pd.Series([outcome(entry) for entry in entries], dtype=object)
    for row in rows(entries):
        frame[row.name.capitalize()] = pd.Series(row.amounts, dtype="Float64")
    return frame


def _planned_shapes(frame: pd.DataFrame) -> dict[str, Any]:
    """How each column of a plan is shown: words, numbers, dollars, bars on a scale of their own."""
    shapes: dict[str, Any] = {}
    for name, width in _WIDTHS.items():
        if name in _BARS:
            most = max(1, int(frame[name].fillna(0).max()))
            shapes[name] = st.column_config.ProgressColumn(
                width=width, format="localized", min_value=0, max_value=most
            )
        elif name in ("Mode", "Gives"):
            shapes[name] = st.column_config.TextColumn(width=width)
        else:
            form = "$%.4f" if name.startswith("Cost") else "localized"
            shapes[name] = st.column_config.NumberColumn(width=width, format=form)
    return shapes


def _made_shapes(frame: pd.DataFrame) -> dict[str, Any]:
    shapes: dict[str, Any] = {
        name: st.column_config.NumberColumn(format="localized") for name in frame.columns[2:]
    }
    for name, form in (("Dollars", "$%.4f"), ("Seconds", "%.2f"), ("Critical path", "%.2f")):
        shapes[name] = st.column_config.NumberColumn(format=form)
    return shapes | {"Answer": st.column_config.TextColumn(width=_ANSWER)}


def _chosen(shown: Lineup) -> None:
    """What is ticked, and the way to see it side by side."""
    ticked = _ticked(len(shown.columns))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Side by side",
            icon=":material/view_column:",
            key="side_by_side",
            disabled=not columns.FEWEST <= len(ticked) <= columns.MOST,
            on_click=_take,
            args=([shown.columns[place].name for place in ticked],),
        )
        small(_hint(len(ticked)))


def _ticked(count: int) -> list[int]:
    state: Any = st.session_state.get(_KEY)
    rows = state["selection"]["rows"] if state else []
    return [row for row in rows if row < count]


def _hint(ticked: int) -> str:
    if ticked > columns.MOST:
        return f"{ticked:,} rows are ticked; four fit side by side."
    if ticked < columns.FEWEST:
        return "Sort by a heading. Tick two to four rows to see them side by side."
    return f"{ticked:,} rows are ticked."


def _take(modes: list[str]) -> None:
    """Make the ticked modes the columns, with the runs that they have."""
    chosen = columns.of_modes(modes)
    columns.keep(chosen)
    for column, mode in zip(chosen, modes, strict=True):
        columns.give_runs(mode, column.name)
    head.show_columns()


def _first_calls(entries: Sequence[Entry], look: Look) -> None:
    """The budget of each mode's first call."""
    bars = [
        BudgetRow(entry.request.mode, budget(entry.high.calls[0], entry.high.setup), bound=False)
        for entry in entries
        if entry.high and entry.high.calls
    ]
    if not bars:
        return
    section("Budget of the first call of each mode, in tokens")
    held = [kind for kind in MEANINGS if any(bar.tokens(kind) for bar in bars)]
    st.html(key_html([kind for kind in held if kind != "padding"]))
    at_two_widths(
        lambda width: budget_bars(bars, look, width, 26, left=_LABELS),
        "first calls",
        budget_alt(bars),
    )
