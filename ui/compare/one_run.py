"""The run whose tile of the grid is open: its choice, its checks and facts, and its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import streamlit as st

from synth.wording import short
from ui.compare import column_choice, outcome_view
from ui.compare.analysis.judged_runs import Expected, Judged, JudgedRun, reasons
from ui.compare.comparison import Comparison
from ui.compare.grid_html import Opened, outcomes_html
from ui.compare.run_slots import RunSlot, slot_runs
from ui.look.clicks import clicks
from ui.look.elements import section, small
from ui.look.escape import answer_html
from ui.session import keys
from ui.settings import state

_NUMBER = r"[0-9]{1,6}"
_CLICKED = re.compile(
    rf"run (?P<question>{_NUMBER}) (?P<column>{_NUMBER}) (?P<repeat>{_NUMBER})"
    rf"|step (?P<call>{_NUMBER})"
)
"""What the tiles and the outcomes of `grid_html` tell of a click."""


def open_question(comparison: Comparison) -> int:
    """The position of the question whose tile is open."""
    count = len(comparison.questions)
    number = max(1, min(int(st.session_state.get(keys.COMPARE_QUESTION, 1)), count))
    st.session_state[keys.COMPARE_QUESTION] = number
    return number - 1


def choose_question(comparison: Comparison) -> None:
    """The choice of the question that is open."""
    st.selectbox(
        "Question",
        range(1, len(comparison.questions) + 1),
        format_func=lambda number: short(comparison.questions[number - 1], 80),
        key=keys.COMPARE_QUESTION,
        persist_state="session",
        label_visibility="collapsed",
    )


def opened(comparison: Comparison) -> tuple[int, int]:
    """The positions of the column and the repeat of the tile that is open."""
    positions = []
    for key, count in (
        (keys.GRID_COLUMN, len(comparison.columns)),
        (keys.GRID_REPEAT, comparison.repeats),
    ):
        position = st.session_state.get(key) or 0
        st.session_state[key] = position if position < count else 0
        positions.append(st.session_state[key])
    return positions[0], positions[1]


def draw(
    comparison: Comparison,
    labels: Sequence[str],
    place: Opened,
    columns: Sequence[Judged],
    expected: Sequence[Expected],
) -> None:
    """The choice of the run, what came of it, and where a click on the grid leads."""
    _choices(comparison, labels)
    question, column, repeat = place
    slot = RunSlot(comparison.columns[column].name, question, repeat)
    run = columns[column][question][repeat]
    if run is not None:
        _detail(run, expected[question])
    else:
        slot_run = slot_runs().get(slot)
        small((slot_run and slot_run.job.problem) or "It was not run.")
    clicked = _CLICKED.fullmatch(clicks(partial(_clicked, comparison, slot)))
    if run is not None and clicked and clicked["call"]:
        outcome_view.see_step(run.trace, int(clicked["call"]))


def _clicked(comparison: Comparison, slot: RunSlot, what: str) -> None:
    """Open the run of a tile here, or this one in the Playground for one of its steps."""
    if not (clicked := _CLICKED.fullmatch(what)):
        return
    if clicked["call"]:
        outcome_view.open_run(comparison, slot)
        return
    st.session_state[keys.COMPARE_QUESTION] = int(clicked["question"]) + 1
    st.session_state[keys.GRID_COLUMN] = int(clicked["column"])
    st.session_state[keys.GRID_REPEAT] = int(clicked["repeat"])


def _choices(comparison: Comparison, labels: Sequence[str]) -> None:
    """The open tile, by its question, its column and its repeat."""
    with st.container(horizontal=True, vertical_alignment="center", key="grid_choices"):
        section("One run")
        choose_question(comparison)
        column_choice.draw(labels, keys.GRID_COLUMN)
        if comparison.repeats > 1:
            st.selectbox(
                "Repeat",
                range(comparison.repeats),
                format_func=lambda at: f"repeat {at + 1:,}",
                key=keys.GRID_REPEAT,
                persist_state="session",
                width=140,
                label_visibility="collapsed",
            )


def _detail(run: JudgedRun, expected: Expected) -> None:
    """What came of each check of the open run, and its answer."""
    if run.trace.response is None:
        small(run.trace.error or "It was stopped.")
    listed_chunks = [chunk.text for chunk in state.get("chunks")]
    with st.container(key="two_outcome"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        if run.abstained:
            small("The answer says that it can't answer.")
        if run.outcomes:
            st.html(outcomes_html(run, expected, reasons(run, expected, listed_chunks)))
        else:
            small("Nothing is expected of the answer to this question.")
    if run.trace.response is not None:
        with right:
            section("The answer")
            st.html(answer_html(run.trace.response))
            if run.reference is not None and run.likeness is not None:
                section("The reference answer")
                st.html(answer_html(run.reference))
                alike = run.likeness
                small(f"Beside it the answer has chrF {alike.chrf:.2f}, token F1 {alike.f1:.2f}.")
