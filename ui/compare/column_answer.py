"""The answer of a column: its difference from the reference's, its repeats, its rating."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.wording import counted
from ui.compare.analysis.run_findings import identical_answers
from ui.compare.comparison import ColumnView
from ui.compare.run_slots import RunSlot, slot_runs
from ui.look.elements import section, small
from ui.look.escape import answer_html
from ui.session import keys, workspace
from ui.text.diff import TOO_DIFFERENT, diff_html, word_diff
from ui.text.split_words import split_words

_LONG = 3_000  # characters: longer answers scroll
_TALLEST = 640  # pixels of an answer that scrolls


def draw(view: ColumnView, answer: str, reference: str | None) -> None:
    """The answer, compared with that of the reference if it has one, and the repeats."""
    if answer == "":
        small("The answer is empty; only the sources are returned.")
    elif view.is_reference or not reference:
        _text(answer_html(answer), answer)
        words = counted(sum(word.weight > 0 for word in split_words(answer)), "word")
        small(f"{words}{' · the others are compared with this answer' * view.is_reference}")
    else:
        _difference(view.reference, answer, reference)
    if view.comparison.repeats > 1:
        _repeats(view)


def _text(html: str, text: str) -> None:
    """An answer; a very long one scrolls, so that the columns stay beside one another."""
    with st.container(height=_TALLEST if len(text) > _LONG else "content", border=False):
        st.html(html)


def _difference(reference_name: str, answer: str, reference: str) -> None:
    """The answer with the words that it adds to and drops from the reference's."""
    if answer == reference:
        _text(answer_html(answer), answer)
        small(f"identical to {reference_name}'s answer")
        return
    diff = workspace.current().remembered(
        "compared answers", (reference, answer), lambda: word_diff(reference, answer)
    )
    _text(diff_html(diff) if diff.readable else answer_html(answer), answer)
    numbers = (
        f"{counted(diff.kept, 'word')} kept, {diff.added:,} added, {diff.dropped:,} dropped,"
        f" compared with {reference_name}"
    )
    small(numbers if diff.readable else f"{numbers}. {TOO_DIFFERENT}")


def _repeats(view: ColumnView) -> None:
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


def draw_rating(serial: int, column: str) -> None:
    """Thumbs and a note on the run with this serial; a column that shares it has its own."""
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
