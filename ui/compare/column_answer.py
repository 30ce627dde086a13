"""What stands below the answer of a column: its repeats, its rating, and a note."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.word_diff import word_diff
from synth.wording import counted
from ui.compare.analysis.answers import identical_answers
from ui.compare.comparison import ColumnView
from ui.compare.run_slots import RunSlot, slot_runs
from ui.look.elements import section, small
from ui.look.escape import answer_html
from ui.session import keys, workspace
from ui.text.diff import diff_html


def draw_repeats(view: ColumnView) -> None:
    """The different answers of the repeats, each once, with how often it was given."""
    runs, repeats = slot_runs(), view.comparison.repeats
    slots = [RunSlot(view.column.name, view.question, repeat) for repeat in range(repeats)]
    traces = [runs[slot].job.trace for slot in slots if slot in runs]
    answers = [trace.response for trace in traces if trace and trace.response is not None]
    groups = identical_answers(answers)
    small(repeats_summary(len(answers), len(groups), repeats))
    if len(groups) < 2:
        return
    with st.expander(f"{len(groups):,} different answers", key=f"repeats {view.column.name}"):
        first = answers[groups[0][0]]
        for group in groups:
            answer = answers[group[0]]
            section("given once" if len(group) == 1 else f"given {len(group):,} times")
            st.html(answer_html(answer) if answer == first else diff_html(word_diff(first, answer)))


def repeats_summary(answered: int, different: int, repeats: int) -> str:
    """The number of repeats with an answer, and of different answers."""
    head = f"{answered:,} of {counted(repeats, 'repeat')} answered"
    if answered < 2:
        return f"{head}."
    return f"{head}: {'all identical' if different == 1 else f'{different:,} different answers'}."


def draw_rating(view: ColumnView) -> None:
    """Thumbs and a note on the run of a column; a column that shares it has its own."""
    serial, column = slot_runs()[view.slot].job.serial, view.column.name
    rating = _ratings().get((serial, column), {})
    _put_value(f"thumb {serial} {column}", rating.get("thumb"))
    st.feedback(
        "thumbs",
        key=f"thumb {serial} {column}",
        on_change=_store_rating,
        args=(serial, column, "thumb"),
    )
    note = rating.get("note")
    with st.popover("Note", icon=":material/edit_note:" if note else ":material/add_comment:"):
        _put_value(f"note {serial} {column}", note or "")
        st.text_area(
            "Note on this answer",
            key=f"note {serial} {column}",
            on_change=_store_rating,
            args=(serial, column, "note"),
        )


def _ratings() -> dict[tuple[int, str], dict[str, Any]]:
    """Thumb and note by the serial of the run and the name of the column."""
    ratings: dict[tuple[int, str], dict[str, Any]] = workspace.current().values.setdefault(
        keys.RATINGS, {}
    )
    return ratings


def _put_value(key: str, value: Any) -> None:
    """Give a widget its first value."""
    if key not in st.session_state:
        st.session_state[key] = value


def _store_rating(serial: int, column: str, part: str) -> None:
    rating = _ratings().get((serial, column), {})
    _ratings()[serial, column] = rating | {part: st.session_state[f"{part} {serial} {column}"]}
