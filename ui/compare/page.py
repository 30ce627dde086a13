"""The Compare page: its head, then the running columns, or their findings, answers and plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from synth.wording import Bold
from ui.compare import (
    editors,
    facts_view,
    grid_view,
    head,
    one_run,
    progress_view,
    runs,
    saved_runs,
    side_by_side,
    table_view,
    trade_off_view,
)
from ui.compare.analysis.column_data import ColumnData, any_ended
from ui.compare.analysis.run_findings import run_findings
from ui.compare.analysis.tables import grid_frame
from ui.compare.columns import columns_of_all_modes, current_columns, put_recorded_first
from ui.compare.comparison import Comparison, comparison_of
from ui.compare.judge import view as judge_view
from ui.compare.run_slots import RunSlot, slot_runs
from ui.controls import destinations
from ui.controls.sidebar import draw_sidebar
from ui.look.elements import ROW, box, sentence, small, table
from ui.request.changes import changes
from ui.run.pool import RUNS
from ui.session import keys, workspace
from ui.settings import state

_TABLE = 1100  # pixels of the table of questions
_TALLEST = 12  # rows before the table of questions scrolls


def draw() -> None:
    """The whole page."""
    saved_runs.take()
    draw_sidebar()
    recorded = put_recorded_first()
    head_container = st.container()
    view = head.chosen_view()
    as_table = view == "modes"
    if st.session_state.get(keys.COMPARE_EDITING):
        editors.draw(every_mode=as_table)
    state.remember()
    comparison = comparison_of(columns_of_all_modes() if as_table else current_columns())
    if recorded is not None and comparison.can_run(slot := RunSlot(recorded.name)):
        runs.start(comparison, [slot])
    running = runs.running(comparison)
    notes_container = st.container()
    question = 0
    if len(comparison.questions) > 1 and not running and view != "trade_off":
        question = one_run.open_question(comparison)
        if view not in ("grid", "judge"):  # these have a choice of their own
            _answers(comparison, question)
    data = [comparison.column_data(column, question) for column in comparison.columns]
    with head_container:
        advised = head.draw(comparison, data, view, running)
    with notes_container:
        _notes(comparison, data, view, running)
    if running:
        st.fragment(progress_view.draw, run_every=RUNS.pace)(comparison)
        return
    reference = side_by_side.reference_position(comparison)
    match view:
        case "modes":
            table_view.draw(comparison, data)
        case "facts":
            facts_view.draw(comparison, data, question)
        case "grid":
            grid_view.draw(comparison, data, question, reference)
        case "judge":
            judge_view.draw(comparison, data, question, reference)
        case "trade_off":
            trade_off_view.draw(comparison, data, reference)
        case "columns":
            side_by_side.draw(comparison, data, question, advised)


def _notes(
    comparison: Comparison, data: Sequence[ColumnData], view: head.View, running: bool
) -> None:
    """What is to be known before the columns: what is wrong, what was found, what is to run."""
    if problem := runs.too_many(comparison):
        box("Too many runs.", problem)
    if not comparison.questions[0].strip():
        box("The question is missing.", "Type one on the Playground, or some under Edit.")
    if running:
        return
    destinations.draw(comparison.lookups, "columns")
    _out_of_date(comparison)
    if view in ("columns", "modes") and any_ended(data):
        reference = 0 if view == "modes" else side_by_side.reference_position(comparison)
        if parts := _findings(data, reference):
            sentence(parts)
    if line := runs.still_to_run(comparison):
        small(line)


def _out_of_date(comparison: Comparison) -> None:
    """The changes since the runs, with the columns that each concerns; the results stay."""
    slot_run_of = slot_runs()
    columns_by_change: dict[str, list[str]] = {}
    for slot in comparison.slots():
        run, request = slot_run_of.get(slot), comparison.request(slot)
        if run is not None and run.request != request:
            change = "; ".join(changes(run.request, request))
            names = columns_by_change.setdefault(change, [])
            if slot.column not in names:
                names.append(slot.column)
    if columns_by_change:
        sentences = [
            f"{', '.join(names)}: {change}." for change, names in columns_by_change.items()
        ]
        box("Out of date.", f"Changed since these runs: {' '.join(sentences)}")


def _findings(data: Sequence[ColumnData], reference: int) -> list[str]:
    """The findings of the runs, from memory until one of them is another."""
    shown = tuple(
        (column.label, column.request, column.problem, id(column.trace)) for column in data
    )

    def make() -> tuple[list[str], Sequence[ColumnData]]:
        # The runs are kept beside their findings, so that no other run gets the id of one.
        return run_findings(data, reference), data

    parts, _ = workspace.current().remembered("compared runs", (reference, shown), make)
    return parts


def _answers(comparison: Comparison, question: int) -> None:
    """The answers of all columns to all questions, and the choice of one question."""
    count = len(comparison.questions)
    frame = grid_frame(
        comparison.questions,
        [
            [comparison.column_data(column, question) for question in range(count)]
            for column in comparison.columns
        ],
    )
    table(
        frame,
        key="compare_grid",
        row_height=ROW,
        height=min(ROW * (len(frame) + 1) + 12, ROW * _TALLEST),
        column_config={
            name: st.column_config.TextColumn(width=_TABLE // len(frame.columns))
            for name in frame.columns
        },
        on_select=_open_clicked,
        selection_mode="single-cell",
        alt="The answers of all columns; choose a cell to open its question",
    )
    small("Choose a cell to see its question side by side.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input(
            "Open question",
            1,
            count,
            key=keys.COMPARE_QUESTION,
            width=120,
            label_visibility="collapsed",
        )
        sentence(
            [Bold(f"Question {question + 1:,} of {count:,}: "), comparison.questions[question]]
        )


def _open_clicked() -> None:
    cells: list[Any] = st.session_state["compare_grid"]["selection"]["cells"]
    if cells:
        st.session_state[keys.COMPARE_QUESTION] = int(cells[0][0]) + 1
