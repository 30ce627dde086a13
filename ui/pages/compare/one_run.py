"""The run whose tile of the grid is open: its choice, its checks and facts, and its answer."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from synth.html.escape import answer_html, words_html
from synth.html.markup import Html, tag, together
from synth.text.wording import short
from ui.look.elements import beside, dropdown, section, small
from ui.look.scripts import clicks
from ui.pages.compare import outcome_view
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.judged_runs import JudgedRun, Reason, reasons
from ui.pages.compare.run_slots import RunSlot
from ui.session import keys
from ui.settings.chunk_list import Chunk

_NUMBER = r"[0-9]{1,6}"
_CLICKED = re.compile(
    rf"run (?P<question>{_NUMBER}) (?P<column>{_NUMBER}) (?P<repeat>{_NUMBER})"
    rf"|step (?P<call>{_NUMBER})"
)
"""What the tiles of the grid and the outcomes tell of a click."""
_OUTCOMES = {
    "pass": ("✓", "passed"),
    "fail": ("✕", "failed"),
    "not checkable": ("?", "not checkable"),
    "not judged": ("?", "not judged"),
}


def open_question(comparison: Comparison) -> int:
    """The position of the question that is open."""
    count = len(comparison.asked)
    number = max(1, min(int(st.session_state.get(keys.COMPARE_QUESTION, 1)), count))
    st.session_state[keys.COMPARE_QUESTION] = number
    return number - 1


def _choose_question(comparison: Comparison) -> None:
    """The choice of the question that is open."""
    dropdown(
        "Question",
        range(1, len(comparison.asked) + 1),
        keys.COMPARE_QUESTION,
        format_func=lambda number: short(comparison.asked[number - 1].query, 80),
    )


def draw_question(comparison: Comparison, question: int) -> None:
    """Which of several questions is open, with the choice."""
    with st.container(horizontal=True, vertical_alignment="center", key="open_question"):
        section(f"Question {question + 1:,} of {len(comparison.asked):,}")
        _choose_question(comparison)


def follow_tiles(comparison: Comparison) -> None:
    """Open the question of a tile that is clicked."""
    clicks(partial(_clicked, comparison, opened(comparison, open_question(comparison))))


def opened(comparison: Comparison, question: int) -> RunSlot:
    """The slot whose tile is open."""
    positions = []
    for key, count in (
        (keys.GRID_COLUMN, len(comparison.columns)),
        (keys.GRID_REPEAT, comparison.repeats),
    ):
        position = st.session_state.get(key) or 0
        st.session_state[key] = position if position < count else 0
        positions.append(st.session_state[key])
    column, repeat = positions
    return RunSlot(comparison.columns[column].name, question, repeat)


def draw(comparison: Comparison, slot: RunSlot) -> None:
    """The choice of the run, what came of it, and where a click on the grid leads."""
    cell = comparison.cells[slot]
    _choices(comparison, slot.question)
    if cell.judged is not None:
        _detail(cell.judged, comparison.page.chunks)
    else:
        small(cell.problem or "It was not run.")
    clicked = _CLICKED.fullmatch(clicks(partial(_clicked, comparison, slot)))
    if cell.judged is not None and clicked and clicked["call"]:
        outcome_view.see_step(cell.judged.trace, int(clicked["call"]))


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


def _choices(comparison: Comparison, question: int) -> None:
    """The open tile, by its question, its column and its repeat."""
    with st.container(horizontal=True, vertical_alignment="center", key="grid_choices"):
        section("One run")
        _choose_question(comparison)
        words = [f"in {cell.label}" for cell in comparison.row(question)]
        dropdown(
            "Column", range(len(words)), keys.GRID_COLUMN, format_func=words.__getitem__, width=260
        )
        if comparison.repeats > 1:
            dropdown(
                "Repeat",
                range(comparison.repeats),
                keys.GRID_REPEAT,
                format_func=lambda at: f"repeat {at + 1:,}",
                width=140,
            )


def _detail(run: JudgedRun, chunks: Sequence[Chunk]) -> None:
    """What came of each check of the open run, and its answer."""
    if run.trace.response is None:
        small(run.trace.error or "It was stopped.")
    left, right = beside("outcome", 7, 5)
    with left:
        if run.abstained:
            small("The answer says that it can't answer.")
        if run.outcomes:
            st.html(_outcomes_html(run, chunks))
        else:
            small("Nothing is expected of the answer to this question.")
    if run.trace.response is not None:
        with right:
            section("The answer")
            st.html(answer_html(run.trace.response))


def _outcomes_html(run: JudgedRun, chunks: Sequence[Chunk]) -> Html:
    """What came of each check, with the place where a fact was lost."""
    listed_chunks = [chunk.text for chunk in chunks]
    rows = []
    for (one, outcome), reason in zip(run.results, reasons(run, listed_chunks), strict=True):
        sign, word = _OUTCOMES[outcome.state]
        if outcome.state == "fail" and not one.needed:
            sign, word = "–", "not needed"
        what = tag("td", words_html(one.name), dir="auto")
        why = tag("td.muted", words_html(together((reason.text, *_step(reason)))), dir="auto")
        rows.append(tag("tr", tag("td.sign", sign), tag("td", word), what, why))
    return tag("table.outcomes.num", *rows)


def _step(reason: Reason) -> Iterator[str]:
    """The button that leads to the step of the call that lost a fact."""
    if reason.call is not None:
        yield " "
        yield tag("button", "See the step", type="button", data_click=f"step {reason.call}")
