"""All modes as a table to sort and to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from synth.pictures.budget import BudgetRow, budget_bars
from synth.pictures.shapes import WIDE, shown
from ui.compare import head, report_view
from ui.compare.analysis.column_data import ColumnData, any_ended
from ui.compare.analysis.measures import CUT_OFF, measure_rows
from ui.compare.analysis.tables import modes_frame, outcome
from ui.compare.columns import FEWEST_COLUMNS, MOST_COLUMNS, columns_of_modes, store_columns
from ui.compare.comparison import Comparison
from ui.compare.run_slots import copy_runs
from ui.look.elements import ROW, section, small, table
from ui.look.picture_element import draw_picture
from ui.views.shared import legend

_KEY = "modes_table"
_WIDTHS = {"Mode": 136, "Gives": 200}
"""Pixels of the columns of texts; those of numbers share the rest."""
_ANSWER, _LABELS = 370, 136
"""Pixels of the answers of runs, and of the names of modes beside their bars."""
_BARS = ("Calls", "Prompt tokens", "Cut off")
"""How the headings begin of numbers that have a bar."""
_CUT_OFF = CUT_OFF.capitalize()


def draw(comparison: Comparison, data: Sequence[ColumnData]) -> None:
    """The table, the choice of columns, and the first call of each mode against the window."""
    ended = any_ended(data)
    frame = runs_frame(data) if ended else modes_frame(data)
    table(
        frame,
        key=_KEY,
        row_height=ROW + 2,
        height=(ROW + 2) * (len(frame) + 1) + 8,
        column_config=_run_column_config(frame) if ended else _plan_column_config(frame),
        on_select="rerun",
        selection_mode="multi-row",
        alt="All modes; tick two to four rows to see them side by side",
    )
    _side_by_side_button(comparison)
    _first_calls(data)
    report_view.draw(data, 0)


def runs_frame(data: Sequence[ColumnData]) -> pd.DataFrame:
    """One row per mode after a run: its answer, and the measures as numbers."""
    frame = pd.DataFrame({"Mode": pd.Series([column.request.mode for column in data])})
    frame["Answer"] = pd.Series([outcome(column) for column in data], dtype=object)
    for row in measure_rows(data):
        frame[row.name.capitalize()] = pd.Series(row.amounts, dtype="Float64")
    return frame


def _plan_column_config(frame: pd.DataFrame) -> dict[str, Any]:
    """The columns of plans: texts, numbers, dollars, and bars each on a scale of its own."""
    config: dict[str, Any] = {
        name: st.column_config.TextColumn(width=width) for name, width in _WIDTHS.items()
    }
    for name in frame.columns.difference([*_WIDTHS]):
        if name.startswith(_BARS):
            config[name] = _bar(frame[name])
        else:
            number_format = "$%.4f" if name.startswith("Cost") else "localized"
            config[name] = st.column_config.NumberColumn(format=number_format)
    return config


def _bar(numbers: pd.Series) -> Any:
    """A column of bars; a missing number has none."""
    most = max(1, int(numbers.fillna(0).max()))
    return st.column_config.ProgressColumn(format="localized", min_value=0, max_value=most)


def _run_column_config(frame: pd.DataFrame) -> dict[str, Any]:
    formats = {"Dollars": "$%.4f", "Seconds": "%.2f", "Longest chain, seconds": "%.2f"}
    numbers = [*frame.columns[2:], *formats]
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format=formats.get(name, "localized"))
        for name in numbers
    }
    config[_CUT_OFF] = _bar(frame[_CUT_OFF])
    return config | {"Answer": st.column_config.TextColumn(width=_ANSWER)}


def _side_by_side_button(comparison: Comparison) -> None:
    """The button that makes the ticked modes the columns."""
    ticked = _ticked(len(comparison.columns))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Side by side",
            icon=":material/view_column:",
            key="side_by_side",
            disabled=not FEWEST_COLUMNS <= len(ticked) <= MOST_COLUMNS,
            on_click=_show_side_by_side,
            args=([comparison.columns[row].name for row in ticked],),
        )
        small(_hint(len(ticked)))


def _ticked(count: int) -> list[int]:
    """The rows that are ticked, of a table of `count` rows."""
    state: Any = st.session_state.get(_KEY)
    rows = state["selection"]["rows"] if state else []
    return [row for row in rows if row < count]


def _hint(ticked: int) -> str:
    if ticked > MOST_COLUMNS:
        return f"{ticked:,} rows are ticked; at most four fit side by side."
    if ticked < FEWEST_COLUMNS:
        return "Sort by a heading. Tick two to four rows to see them side by side."
    return f"{ticked:,} rows are ticked."


def _show_side_by_side(modes: list[str]) -> None:
    """Make the ticked modes the columns, together with their runs."""
    columns = columns_of_modes(modes)
    store_columns(columns)
    for column, mode in zip(columns, modes, strict=True):
        copy_runs(mode, column.name)
    head.show_columns()


def _first_calls(data: Sequence[ColumnData]) -> None:
    """The budget of each mode's first call."""
    bars = [
        BudgetRow(column.request.mode, column.high.budget(column.high.calls[0]), bound=False)
        for column in data
        if column.high and column.high.calls
    ]
    if not bars:
        return
    section("Budget of the first call of each mode, in tokens")
    legend(bars)
    pictures = [budget_bars(bars, width, 26, left=_LABELS) for width in WIDE]
    draw_picture(shown(pictures), "first_calls")
