"""All modes as a table to sort and to choose from."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from synth.modes.registry import mode_facts
from synth.pictures.budget import BudgetRow, budget_bars
from synth.pictures.shapes import WIDE, shown
from synth.runs.trace import Plan
from synth.text.wording import ranged
from ui.look.elements import ROW, section, small, table, whole_numbers
from ui.look.scripts import draw_picture
from ui.pages.compare.analysis.measures import CUT_OFF, measure_rows
from ui.pages.compare.cells import Cell, any_ended
from ui.pages.compare.columns import (
    FEWEST_COLUMNS,
    columns_of_modes,
    show_columns,
    store_columns,
)
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.run_slots import copy_runs
from ui.settings.schema import MOST_COLUMNS
from ui.views.run_views import legend

_KEY = "modes_table"
_WIDTHS = {"Mode": 136, "Answer": 370, "Gives": 200}
"""Pixels of the columns of texts; those of numbers share the rest."""
_LABELS = 136  # pixels of the names of modes beside their bars
_COST = "Cost"
_SECONDS = "Seconds"
"""How the headings of costs and of times begin."""
_CUT_OFF = CUT_OFF.capitalize()
_BARS = ("Calls", "Prompt tokens", _CUT_OFF)
"""How the headings begin of numbers that have a bar."""
_WITHOUT_CALLS = {
    "chunks": "no answer: the chunks joined",
    "nothing": "no answer: the chunks alone",
}


def draw(comparison: Comparison, data: Sequence[Cell]) -> None:
    """The table, the choice of columns, and the first call of each mode against the window."""
    frame = modes_frame(data)
    table(
        frame,
        money=[name for name in map(str, frame) if name.startswith(_COST)],
        key=_KEY,
        row_height=ROW + 2,
        height=(ROW + 2) * (len(frame) + 1) + 8,
        column_config=_column_config(frame),
        on_select="rerun",
        selection_mode="multi-row",
        alt="All modes; tick two to four rows to see them side by side",
    )
    _side_by_side_button(comparison)
    _first_calls(data)


def modes_frame(data: Sequence[Cell]) -> pd.DataFrame:
    """One row per mode: its answer and its measures, or before a run what it makes at most.

    A number is missing where there is no plan, no upper bound, or nothing to measure: a mode that
    sends no chunks by design cuts none off. A heading says "at most" where an answer could change
    one of its numbers.
    """
    ended = any_ended(data)
    frame = pd.DataFrame({"Mode": pd.Series([cell.name for cell in data], dtype=object)})
    if ended:
        frame["Answer"] = pd.Series([cell.outcome for cell in data], dtype=object)
    for row in measure_rows([[cell] for cell in data]):
        bounds = [None if value.most == math.inf else value.most for value in row.values]
        exact = ended or not any(value.estimated for value in row.values)
        cells = zip(data, row.amounts, strict=True)
        made = [amount if cell.trace else None for cell, amount in cells]
        numbers = pd.Series(made if ended else bounds, dtype="Float64")
        frame[row.name.capitalize() + ("" if exact else ", at most")] = numbers.convert_dtypes()
    cut_off = next(name for name in map(str, frame) if name.startswith(_CUT_OFF))
    frame.insert(2, cut_off, frame.pop(cut_off))  # in sight on narrow pages too
    if not ended:
        frame["Gives"] = pd.Series([_result(cell) for cell in data], dtype=object)
    return frame


def _column_config(frame: pd.DataFrame) -> dict[str, Any]:
    """The columns: texts, numbers, and bars each on a scale of its own."""
    config: dict[str, Any] = {
        name: st.column_config.TextColumn(width=width) for name, width in _WIDTHS.items()
    }
    bars = _CUT_OFF if "Answer" in frame else _BARS  # beside answers there is less room
    for name in frame.columns.difference([*_WIDTHS]):
        if name.startswith(bars):
            most = max(1, int(frame[name].fillna(0).max()))
            config[name] = st.column_config.ProgressColumn(
                format="accounting", step=1, min_value=0, max_value=most
            )
        elif name.startswith(_SECONDS):
            config[name] = st.column_config.NumberColumn(format="%.2f")
        elif not name.startswith(_COST):
            config[name] = whole_numbers()
    return config


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
    show_columns()


def _first_calls(data: Sequence[Cell]) -> None:
    """The budget of each mode's first call."""
    bars = [
        BudgetRow(column.request.mode, plan.budget(plan.calls[0]), bound=False)
        for column in data
        if (plan := column.plans.high) and plan.calls
    ]
    if not bars:
        return
    section("Budget of the first call of each mode, in tokens")
    legend(bars)
    pictures = [budget_bars(bars, width, 26, left=_LABELS) for width in WIDE]
    draw_picture(shown(pictures), "first_calls")


def _result(column: Cell) -> str:
    """The kind of result that a mode gives, read from the shape of its plans."""
    if column.plans.refused is not None:
        return "nothing: it is refused"
    plans = column.complete
    if plans is None:
        return "not planned" if column.plans.high is None else "no answer: it stops early"
    return _planned_result(plans.low, plans.high)


def _planned_result(low: Plan, high: Plan) -> str:
    calls = high.call_count
    if not calls:
        source = mode_facts(high.setup.mode).response_source
        return _WITHOUT_CALLS.get(source, "no answer: there is nothing to send")
    if calls == 1:
        reads_chunks = any(origin.kind == "chunk" for origin in high.calls[0].origins)
        return "one answer" if reads_chunks else "one answer without the chunks"
    if high.longest_chain == 1:
        return f"{calls:,} answers{', one per chunk' if _one_per_chunk(high) else ''}"
    if (low.longest_chain, high.longest_chain) == (low.call_count, calls):
        return f"one answer, rewritten {_times(low.call_count - 1, calls - 1)}"
    return f"one answer from {ranged(_answers_in_last(low), _answers_in_last(high))} answers"


def _one_per_chunk(plan: Plan) -> bool:
    chunks = [{o.number for o in call.origins if o.kind == "chunk"} for call in plan.calls]
    return chunks == [{number} for number in range(1, len(plan.setup.chunks) + 1)]


def _answers_in_last(plan: Plan) -> int:
    """The number of answers that the last call carries."""
    return len({o.number for o in plan.calls[-1].origins if o.kind == "answer"})


def _times(least: int, most: int) -> str:
    if least == most and most in (1, 2):
        return {1: "once", 2: "twice"}[most]
    return f"{ranged(least, most)} times"
