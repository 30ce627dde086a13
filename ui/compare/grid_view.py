"""The view Grid: which runs passed what is expected of them, and what that tells of the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import streamlit as st

from synth.quality import Average
from synth.wording import counted
from ui.compare import outcome_view
from ui.compare.analysis.column_data import ColumnData, names
from ui.compare.analysis.judged_runs import Expected, Judged, JudgedRun, reasons, scores
from ui.compare.analysis.verdict_words import rate_words, rates, verdict_sentences
from ui.compare.comparison import Comparison
from ui.compare.grid_html import LEGEND, grid_html, outcomes_html, verdict_html
from ui.compare.judging import expected_of, judged
from ui.compare.run_slots import RunSlot, slot_runs
from ui.compare.set_editor import offer_shipped
from ui.look.clicks import clicks
from ui.look.elements import box, section, sentence, small
from ui.look.escape import Bold, answer_html, short
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


def draw(comparison: Comparison, data: Sequence[ColumnData], question: int, reference: int) -> None:
    """The rates in a sentence, the grid, the verdicts, and the run whose tile is open."""
    labels = names(data)
    expected = [expected_of(comparison, at) for at in range(len(comparison.questions))]
    if not any(one.facts or one.checks for one in expected):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks under Edit columns, or type the facts"
            " of a question under Facts.",
        )
    if not comparison.asked:
        offer_shipped("grid")
    columns = judged(comparison, expected)
    found = rates(columns)
    column, repeat = _opened(comparison)
    opened = (question, column, repeat)
    if words := _rate_sentence(labels, found):
        sentence(words)
    with st.container(key="two_grid"):
        left, right = st.columns([10, 4], gap="medium")
    with left:
        st.html(grid_html(comparison.questions, expected, labels, columns, found, opened))
        st.html(LEGEND)
    with right:
        _verdicts(labels, columns, reference)
    _choices(comparison, labels)
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


def _rate_sentence(labels: Sequence[str], found: Sequence[Average]) -> list[str]:
    """The questions that each column passed, most first."""
    rated = [
        (name, rate) for name, rate in zip(labels, found, strict=True) if rate.mean is not None
    ]
    if not rated:
        return []
    rated.sort(key=lambda pair: -(pair[1].mean or 0))
    (best, rate), *others = rated
    questions = counted(rate.questions, "question")
    parts: list[str] = [Bold(f"{best} passes {rate_words(rate)[0]} of {questions}")]
    for name, other in others:
        # A column that was not run for all questions has another number of them.
        of = f" of {other.questions:,}" if other.questions != rate.questions else ""
        parts.append(f", {name} {rate_words(other)[0]}{of}")
    return [*parts, "."]


def _verdicts(labels: Sequence[str], columns: Sequence[Judged], reference: int) -> None:
    section(f"{labels[reference]} beside the others")
    found = verdict_sentences(labels, [scores(column) for column in columns], reference)
    if not found:
        small("Run all to see which of them is better, if that can be told.")
        return
    with st.container(border=True, gap="small"):
        for words, detail in found:
            st.html(verdict_html(words, detail))
    small(
        "A question passes where its facts and checks all do; of several repeats it counts the"
        " share. One column is called better only where the bootstrap interval and the exact sign"
        " test agree, both corrected for the number of columns."
    )


def _opened(comparison: Comparison) -> tuple[int, int]:
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


def _choices(comparison: Comparison, labels: Sequence[str]) -> None:
    """The open tile, by its question, its column and its repeat."""
    with st.container(horizontal=True, vertical_alignment="center", key="grid_choices"):
        section("One run")
        st.selectbox(
            "Question",
            range(1, len(comparison.questions) + 1),
            format_func=lambda number: short(comparison.questions[number - 1], 80),
            key=keys.COMPARE_QUESTION,
            persist_state="session",
            label_visibility="collapsed",
        )
        st.selectbox(
            "Column",
            range(len(labels)),
            format_func=lambda at: f"in {labels[at]}",
            key=keys.GRID_COLUMN,
            persist_state="session",
            width=240,
            label_visibility="collapsed",
        )
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
