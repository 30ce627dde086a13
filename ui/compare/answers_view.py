"""The answers below their columns: equal ones once, with the reason, others as a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from synth.word_diff import TOO_DIFFERENT, count_words, word_diff
from synth.wording import counted, listed
from ui.compare import column_answer, outcome_view
from ui.compare.analysis.answers import AnswerGroup, answer_groups, neighbours, why_equal
from ui.compare.analysis.column_data import ColumnData
from ui.compare.comparison import ColumnView
from ui.look.elements import section, small
from ui.look.escape import answer_html, escape
from ui.session import keys, workspace
from ui.text.diff import diff_html
from ui.text.provenance import NOTE, joined, matches, provenance_html

_LONG = 3_000  # characters: longer answers scroll
_TALLEST = 640  # pixels of an answer that scrolls


def draw(views: Sequence[ColumnView], data: Sequence[ColumnData]) -> None:
    """All answers; `views` and `data` are of the same columns."""
    groups = answer_groups(data)
    if not groups:
        return
    tagged = _choices(views[0].names)
    compared = next(one.answer for one, view in zip(data, views, strict=True) if view.is_reference)
    places = neighbours(groups, len(views))
    with st.container(key="answers"):
        containers = st.columns([len(positions) for _, positions in places], gap="medium")
    for (group, positions), container in zip(places, containers, strict=True):
        if group is None:
            continue
        below = [views[position] for position in positions]
        with container, st.container(border=True):
            if positions[0] == group.positions[0]:
                _group(group, views, data, compared, tagged)
            else:
                _again(below, views[group.positions[0]])
            for view in below:
                _actions(view, named=len(below) > 1)
    if tagged:
        small(NOTE)


def _choices(names: Mapping[str, str]) -> bool:
    """The heading with the reference; returns whether the words are to be tagged."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_choices"):
        section("Answers")
        st.space("stretch")
        st.selectbox(
            "Compare the answers with",
            list(names),
            format_func=lambda column: f"against {names[column]}",
            key=keys.REFERENCE,
            persist_state="session",
            width=230,
            label_visibility="collapsed",
        )
        return st.toggle("Tag the words by chunk", key=keys.TAG_WORDS, persist_state="session")


def _group(
    group: AnswerGroup,
    views: Sequence[ColumnView],
    data: Sequence[ColumnData],
    compared: str | None,
    tagged: bool,
) -> None:
    """One answer, and how it differs from the reference's."""
    own = [views[position] for position in group.positions]
    words = counted(count_words(group.answer), "word")
    together = f" gave the same {words}" if len(own) > 1 else ""
    diff = None
    if compared is not None and compared != group.answer and compared and group.answer:
        diff = workspace.current().remembered(
            "compared answers",
            (compared, group.answer),
            lambda: word_diff(compared, group.answer),
        )
    note = f"{diff.added:,} words added, {diff.dropped:,} dropped" if diff else ""
    if diff and not diff.readable:
        note = TOO_DIFFERENT
    if not note and not together and group.answer:
        note = words
    _heading(f"{listed([view.name for view in own])}{together}", note)
    if not group.answer:
        small("The answer is empty; only the sources are returned.")
    else:
        html = answer_html(group.answer)
        if tagged:
            html = _tagged_html(group, data[group.positions[0]])
        elif diff is not None and diff.readable:
            html = diff_html(diff)
        # A very long answer scrolls, so that the others stay beside it.
        long = len(group.answer) > _LONG
        with st.container(height=_TALLEST if long else "content", border=False):
            st.html(html)
    if len(own) > 1 and (reason := why_equal([data[position] for position in group.positions])):
        small(reason)


def _again(views: Sequence[ColumnView], first: ColumnView) -> None:
    """The heading of columns whose answer is that of the column `first`, where it is printed."""
    _heading(listed([view.name for view in views]), f"the same answer as {first.name}")


def _heading(name: str, note: str) -> None:
    muted = f' <span class="small muted">{escape(note)}</span>' if note else ""
    st.html(f'<div class="num"><b>{escape(name)}</b>{muted}</div>')


def _tagged_html(group: AnswerGroup, column: ColumnData) -> str:
    chunks = column.request.chunks
    found = workspace.current().remembered(
        "compared matches",
        (group.answer, chunks),
        lambda: joined(group.answer, matches(group.answer, chunks)),
    )
    return provenance_html(group.answer, found)


def _actions(view: ColumnView, named: bool) -> None:
    """The repeats of a column, its rating, its note, and the way into the Playground."""
    if view.comparison.repeats > 1:
        column_answer.draw_repeats(view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if named:
            st.html(f'<div class="small">{escape(view.name)}</div>', width="content")
        column_answer.draw_rating(view)
        st.space("stretch")
        outcome_view.open_button(view)
