"""A list of questions: what every column answered to each, and the one that is open."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.compare.analysis import grid_frame
from ui.compare.lineup import Lineup
from ui.look.elements import ROW, WIDE, sentence, small, table
from ui.look.escape import Bold
from ui.session import keys

_TALLEST = 12  # rows before the table scrolls


def draw(shown: Lineup) -> int:
    """The grid, a question a row; a click on a cell opens its question. Returns its place."""
    count = len(shown.questions)
    frame = grid_frame(
        shown.questions,
        [[shown.entry(column, question) for question in range(count)] for column in shown.columns],
    )
    table(
        frame,
        key="compare_grid",
        row_height=ROW,
        height=min(ROW * (len(frame) + 1) + 12, ROW * _TALLEST),
        column_config={
            name: st.column_config.TextColumn(width=WIDE // len(frame.columns))
            for name in frame.columns
        },
        on_select=_clicked,
        selection_mode="single-cell",
        alt="The answers of all columns; choose a cell to open its question",
    )
    small("Choose a cell to see its question side by side.")
    number = max(1, min(int(st.session_state.get(keys.COMPARE_QUESTION, 1)), count))
    st.session_state[keys.COMPARE_QUESTION] = number
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input(
            "Open question",
            1,
            count,
            key=keys.COMPARE_QUESTION,
            width=120,
            label_visibility="collapsed",
        )
        sentence([Bold(f"Question {number:,} of {count:,}: "), shown.questions[number - 1]])
    return number - 1


def _clicked() -> None:
    cells: list[Any] = st.session_state["compare_grid"]["selection"]["cells"]
    if cells:
        st.session_state[keys.COMPARE_QUESTION] = int(cells[0][0]) + 1
