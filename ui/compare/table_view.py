"""All modes as a table to sort and to choose from."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.budget import budget
from ui.compare import columns, head, runs
from ui.compare.analysis import findings, modes_frame, outcome, planned_findings
from ui.compare.lineup import Lineup
from ui.compare.totals import total
from ui.figures import BudgetRow, budget_alt, budget_bars
from ui.theme import Look
from ui.views import WIDE
from ui.words import ROW, chart, section, sentence, small, table

_KEY = "modes_table"
_NUMBERS = ("Longest chain", "Prompt tokens, low", "Output, at most", "Sent twice")
_BARS = ("Calls", "Prompt tokens, high", "Tokens not sent")


def draw(shown: Lineup, look: Look) -> None:
    """The findings, the table, and the first call of each mode against the window."""
    entries = [shown.entry(column, 0) for column in shown.columns]
    made = any(entry.trace or entry.problem for entry in entries)
    parts = findings(entries) if made else planned_findings(entries)
    if parts:
        sentence(parts)
    if line := total(shown, runs.asking(runs.missing(shown), shown)):
        small(line)
    frame = modes_frame(entries)
    if made:
        frame["Answer"] = [outcome(entry) for entry in entries]
    table(
        frame,
        key=_KEY,
        row_height=ROW + 2,
        height=(ROW + 2) * (len(frame) + 1) + 6,
        column_config=_shapes(frame),
        on_select="rerun",
        selection_mode="multi-row",
        alt="All modes; tick up to four rows to see them side by side",
    )
    _chosen(shown)
    rows = [
        BudgetRow(entry.request.mode, budget(entry.high.calls[0], entry.high.setup), bound=False)
        for entry in entries
        if entry.high and entry.high.calls
    ]
    if rows:
        section("Budget of the first call of each mode")
        chart(budget_bars(rows, look, WIDE, 26), "first_calls", budget_alt(rows))


def _shapes(frame: Any) -> dict[str, Any]:
    """How each column is shown: bars on one scale a column, numbers, dollars."""
    shapes: dict[str, Any] = {
        name: st.column_config.NumberColumn(format="localized") for name in _NUMBERS
    }
    for name in _BARS:
        most = int(frame[name].fillna(0).max())
        shapes[name] = st.column_config.ProgressColumn(
            format="localized", min_value=0, max_value=max(1, most)
        )
    shapes["Cost, at most"] = st.column_config.NumberColumn(format="$%.4f")
    return shapes


def _chosen(shown: Lineup) -> None:
    """What is ticked, and the way to see it side by side."""
    ticked = _ticked(len(shown.columns))
    fit = columns.FEWEST <= len(ticked) <= columns.MOST
    with st.container(horizontal=True, vertical_alignment="center"):
        small(_hint(len(ticked)))
        st.button(
            "Side by side",
            icon=":material/view_column:",
            key="side_by_side",
            disabled=not fit,
            on_click=_take,
            args=([shown.columns[place].name for place in ticked],),
        )


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
