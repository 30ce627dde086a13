"""The view Facts: how far each fact came in each column, and where one of them was lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import streamlit as st

from synth.pictures.funnel import Fate, Funnel, funnel_picture
from synth.pictures.shapes import WIDE, Click, shown
from synth.quality import Fact, FactPath, Place, SentText
from synth.quality.sending import places_in
from synth.quality.words import Words
from synth.wording import short
from ui.compare import outcome_view, set_editor
from ui.compare.analysis.fact_funnel import column_paths, finding, funnel_of
from ui.compare.cells import Cell
from ui.compare.columns import change_setting
from ui.compare.comparison import Comparison
from ui.compare.one_run import choose_column
from ui.look.elements import section, sentence, small
from ui.look.picture_element import draw_picture
from ui.session import keys, workspace
from ui.settings import state
from ui.trace.fact_words import losing_call
from ui.views import change_card, fact_detail

_IN_CHUNKS = ("selection", "top_k")  # the settings that all columns share


class _Opened(NamedTuple):
    """One fact in one column: its path if that was run, its fate, and its places in the chunks."""

    path: FactPath | None
    fate: Fate
    places: tuple[Place, ...]


class _Followed(NamedTuple):
    """The funnel, the path of each fact in each column, and the places of each in the chunks."""

    funnel: Funnel
    paths: Sequence[Sequence[FactPath] | None]
    places: Sequence[tuple[Place, ...]]

    def opened(self, fact: int, column: int) -> _Opened:
        """One fact in one column, each by its position from 0."""
        paths, panel = self.paths[column], self.funnel.panels[column]
        return _Opened(paths[fact] if paths else None, panel.fates[fact], self.places[fact])


def draw(comparison: Comparison, question: int) -> None:
    """The facts of a question, their funnel, and the detail of one of them."""
    row, asked = comparison.row(question), comparison.asked[question]
    if not asked.facts:
        set_editor.draw_expected(asked, expanded=True)
        small("Type what a good answer holds, and see in each column how far it comes.")
        return
    followed = _followed(asked.facts, row)
    sentence(finding(followed.funnel))
    fact, column = _chosen(followed)
    pictures = [funnel_picture(followed.funnel, width, (fact, column)) for width in WIDE]
    draw_picture(shown(pictures), "funnel", _clicked)
    small(
        "Sent is exact: it is read from the text in the prompts. Answers are compared by the"
        " accepted wordings, with numbers, dates, units and case made alike."
    )
    fact, column = _choices(asked.facts, row)
    _detail(comparison, row[column], asked.facts[fact], followed.opened(fact, column))
    set_editor.draw_expected(asked)


def _followed(facts: tuple[Fact, ...], row: Sequence[Cell]) -> _Followed:
    """All facts in all columns, from memory until a run or a plan is another."""
    listed_chunks = tuple(chunk.text for chunk in state.get("chunks"))

    def make() -> _Followed:
        read = cache(Words)
        paths = [column_paths(cell, facts, listed_chunks, read) for cell in row]
        given = [read(chunk) for chunk in row[0].request.chunks]
        others = [read(chunk) for chunk in listed_chunks]
        places = [
            places_in(given, "chunk", fact) or places_in(others, "listed", fact) for fact in facts
        ]
        return _Followed(funnel_of(facts, row, paths, places), paths, places)

    shown = tuple((cell.name, cell.request, cell.version) for cell in row)
    key = (facts, shown, listed_chunks)
    return workspace.current().remembered("facts followed", key, make)


def _chosen(followed: _Followed) -> tuple[int, int]:
    """The fact and the column that are open: at first, where one that must arrive was lost."""
    facts, panels = followed.funnel.facts, followed.funnel.panels
    fact, column = st.session_state.get(keys.FACT), st.session_state.get(keys.FACT_COLUMN)
    if fact is None or column is None or fact >= len(facts) or column >= len(panels):
        lost = [
            (not facts[at].must, number, at)
            for number, panel in enumerate(panels)
            for at, fate in enumerate(panel.fates)
            if fate.end
        ]
        _, column, fact = min(lost, default=(True, 0, 0))
        st.session_state[keys.FACT], st.session_state[keys.FACT_COLUMN] = fact, column
    return fact, column


def _clicked(click: Click) -> None:
    st.session_state[keys.FACT], st.session_state[keys.FACT_COLUMN] = click


def _choices(facts: Sequence[Fact], row: Sequence[Cell]) -> tuple[int, int]:
    """The open fact and column, which a click on the figure chooses as well."""
    with st.container(horizontal=True, vertical_alignment="center", key="fact_choices"):
        section("Where it was lost")
        fact = st.selectbox(
            "Fact",
            range(len(facts)),
            format_func=lambda at: short(facts[at].text, 60),
            key=keys.FACT,
            persist_state="session",
            label_visibility="collapsed",
        )
        column = choose_column(row, keys.FACT_COLUMN)
    return fact, column


def _detail(comparison: Comparison, cell: Cell, fact: Fact, opened: _Opened) -> None:
    """What became of the fact on the left, and the smallest change that sends it on the right."""
    with st.container(key="two_fact"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        if opened.path is not None and cell.trace is not None:
            fact_detail.draw(opened.path, cell.trace)
            if (call := losing_call(opened.path)) is not None:
                outcome_view.step_button(comparison, cell.slot, cell.trace, call)
        else:
            sentence([opened.fate.sentence])
            if (plan := cell.plans.high) is not None:
                sent = SentText(plan.setup, plan.calls)
                fact_detail.draw_planned(sent.sending(fact), plan)
    with right:
        if any(opened.fate.passed):
            small("A prompt or the answer holds it already: no setting has to change.")
        elif not opened.places:
            small("It stands in no chunk, so no setting can send it.")
        elif opened.path is not None and opened.path.why == "unfinished":
            small("The run ended early: run it again to see whether the fact is sent.")
        elif cell.stale:
            small("The settings have changed since this run: run it again to search from them.")
        else:
            settings = comparison.settings(cell.slot)
            change_card.draw(fact, settings, partial(_take, cell.slot.column))


def _take(column: str, changed: dict[str, Any]) -> None:
    """Give a column these settings; those of the chunks are shared by all columns."""
    for name, value in changed.items():
        if name not in _IN_CHUNKS:
            change_setting(column, name, value)
    shared = {name: value for name, value in changed.items() if name in _IN_CHUNKS}
    if shared:
        state.put(**shared)
