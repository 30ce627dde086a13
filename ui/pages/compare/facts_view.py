"""The view Facts: how far each fact came in each column, and where one of them was lost."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import streamlit as st

from synth.pictures.fates import Fate, Funnel, FunnelFact, Panel
from synth.pictures.funnel import funnel_picture
from synth.pictures.shapes import WIDE, Click, shown
from synth.quality import Fact, FactPath, Follower, Place, SentText
from synth.quality.sending import Texts
from synth.quality.words import Words
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, agreeing, counted, listed, numbered, short
from synth.words.fact_words import end_of_bar, losing_call, path_sentence
from ui.look.elements import beside, dropdown, section, sentence, small
from ui.look.scripts import draw_picture
from ui.pages.compare import outcome_view, set_editor
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import ColumnPlace, may_override
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.one_run import choose_column
from ui.session import keys, workspace
from ui.settings import state
from ui.views import fact_detail, fact_line

_QUOTED = 48  # characters of a fact in a finding


class Followed(NamedTuple):
    """What became of facts in columns: their funnel, their paths and their places.

    `paths` are those of all facts through the run of each column, None without a run. `places` are
    those of each fact in the chunks, or else in the list of chunks.
    """

    funnel: Funnel
    paths: Sequence[Sequence[FactPath] | None]
    places: Sequence[tuple[Place, ...]]

    def path(self, fact: int, column: int) -> FactPath | None:
        """The path of a fact through the run of a column, each by its position from 0."""
        paths = self.paths[column]
        return paths[fact] if paths else None


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
    labelled = tuple(
        replace(panel, name=cell.label)
        for panel, cell in zip(followed.funnel.panels, row, strict=True)
    )
    funnel = replace(followed.funnel, panels=labelled)
    pictures = [funnel_picture(funnel, width, (fact, column)) for width in WIDE]
    draw_picture(shown(pictures), "funnel", _clicked)
    small(
        "Sent is exact: it is read from the text in the prompts. Answers are compared by the"
        " accepted wordings, with numbers, dates, units and case made alike. With “not” or the like"
        " a few words before a fact, or “is not true” right after it, an answer denies it."
    )
    fact, column = _choices(asked.facts, row)
    _detail(comparison, row[column], followed, fact, column)
    set_editor.draw_expected(asked)


def _followed(facts: tuple[Fact, ...], row: Sequence[Cell]) -> Followed:
    """All facts in all columns, from memory until a run or a plan is another."""
    listed_chunks = tuple(chunk.text for chunk in state.current().chunks)
    shown = tuple((cell.label, cell.request, cell.version) for cell in row)
    key = (facts, shown, listed_chunks)
    return workspace.current().remembered(
        "facts followed", key, lambda: follow_facts(facts, row, listed_chunks)
    )


def follow_facts(
    facts: Sequence[Fact], row: Sequence[Cell], listed_chunks: Sequence[str]
) -> Followed:
    """The facts through the columns of a question."""
    read = cache(Words)
    paths = [_paths(cell, facts, listed_chunks, read) for cell in row]
    given, others = Texts(row[0].request.text_chunks, read), Texts(listed_chunks, read)
    places = [given.places("chunk", fact) or others.places("listed", fact) for fact in facts]
    panels = (_panel(cell, path, facts) for cell, path in zip(row, paths, strict=True))
    return Followed(Funnel(tuple(map(_fact, facts, places)), tuple(panels)), paths, places)


def _chosen(followed: Followed) -> tuple[int, int]:
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
        words = [short(fact.text, 60) for fact in facts]
        fact = dropdown("Fact", range(len(facts)), keys.FACT, format_func=words.__getitem__)
        column = choose_column(row, keys.FACT_COLUMN)
    return fact, column


def _detail(
    comparison: Comparison, cell: Cell, followed: Followed, number: int, column: int
) -> None:
    """What became of the fact on the left, and the smallest change that sends it on the right."""
    fact = cell.asked.facts[number]
    path, fate = followed.path(number, column), followed.funnel.panels[column].fates[number]
    left, right = beside("fact", 7, 5)
    with left:
        if path is not None and cell.trace is not None:
            fact_detail.draw(path, cell.trace)
            if (call := losing_call(path)) is not None:
                outcome_view.step_button(comparison, cell.slot, cell.trace, call)
        else:
            sentence([fate.sentence])
            if (plan := cell.plans.high) is not None:
                sent = SentText(plan.setup, plan.calls)
                fact_detail.draw_planned(sent.sending(fact), plan)
    with right:
        if any(fate.passed):
            small("A prompt or the answer holds it already: no setting has to change.")
        elif not followed.places[number]:
            small("It stands in no chunk, so no setting can send it.")
        elif path is not None and path.why == "unfinished":
            small("The run ended early: run it again to see whether the fact is sent.")
        elif cell.stale:
            small("The settings have changed since this run: run it again to search from them.")
        else:
            settings = comparison.settings(cell.slot)
            fact_line.draw_change(fact, settings, partial(_take, cell.slot.column))


def _take(column: str, changed: dict[str, Any]) -> None:
    """Give a column these settings; those of the chunks are shared by all columns."""
    own = {name: value for name, value in changed.items() if may_override(name)}
    ColumnPlace(column).take(own)
    shared = {name: value for name, value in changed.items() if name not in own}
    if shared:
        state.put(**shared)


def _paths(
    cell: Cell, facts: Sequence[Fact], listed_chunks: Sequence[str], read: Callable[[str], Words]
) -> list[FactPath] | None:
    if cell.trace is None:
        return None
    follower = Follower(cell.trace, listed_chunks, read)
    return [follower.path(fact) for fact in facts]


def _fact(fact: Fact, places: Sequence[Place]) -> FunnelFact:
    numbers = tuple(sorted({place.number for place in places}))
    retrieved = any(place.kind == "chunk" for place in places)
    return FunnelFact(fact.text, fact.must, numbers, retrieved)


def _panel(column: Cell, paths: Sequence[FactPath] | None, facts: Sequence[Fact]) -> Panel:
    trace = column.trace
    if paths is not None and trace is not None:
        return Panel(column.name, False, tuple(_fate(path, trace) for path in paths))
    plans = column.plans
    return Panel(column.name, True, tuple(_planned(plans.high, facts, plans.refused or "")))


def _fate(path: FactPath, trace: Trace) -> Fate:
    passed = (bool(path.sent), bool(path.answers), path.stage == "answered")
    words = "".join(path_sentence(path, trace))
    return Fate(passed, end_of_bar(path), words, unread=path.stage == "not_read")


def _planned(plan: Plan | None, facts: Sequence[Fact], refused: str) -> list[Fate]:
    """The fates as far as a plan knows them: which facts are sent."""
    if plan is None:
        return [Fate((False, False, False), "", refused or "This mode has no plan.")] * len(facts)
    text = SentText(plan.setup, plan.calls)
    fates = []
    for fact in facts:
        sending = text.sending(fact)
        calls = numbered("call", sending.calls)
        if sending.calls:
            fates.append(Fate((True, False, False), "", f"It would be sent in {calls}."))
        elif sending.places:
            fates.append(Fate((False, False, False), "not sent", "The plan does not send it."))
        else:
            fates.append(Fate((False, False, False), "", "It is in no chunk that is sent."))
    return fates


def finding(funnel: Funnel) -> list[str]:
    """What the funnel shows, in one or two sentences, for `sentence_html`."""
    ended = [panel for panel in funnel.panels if not panel.planned]
    if not ended:
        return _planned_finding(funnel)
    return [*_musts(funnel, ended), *_counts(funnel, ended)]


def _planned_finding(funnel: Funnel) -> list[str]:
    given = sum(fact.retrieved for fact in funnel.facts)
    less = [
        f"{panel.name} would send {panel.counts()[0]:,}"
        for panel in funnel.panels
        if panel.counts()[0] < given
    ]
    stand = agreeing("stand", given)
    head = f"{given:,} of {counted(len(funnel.facts), 'fact')} {stand} in the chunks"
    if not less:
        return [f"{head}, and ", Bold("every column would send them all"), "."]
    others = "the others" if len(less) < len(funnel.panels) else "none"
    return [f"{head}: ", Bold(listed(less)), f"; {others} all of them."]


def _musts(funnel: Funnel, ended: Sequence[Panel]) -> list[str]:
    """Which columns lost facts that must arrive."""
    musts = [number for number, fact in enumerate(funnel.facts) if fact.must]
    if not musts:
        return []
    missing = {
        panel.name: [number for number in musts if not panel.fates[number].passed[-1]]
        for panel in ended
    }
    losers = [name for name, lost in missing.items() if lost]
    if not losers:
        return [Bold("Every answer holds all facts that must arrive"), ". "]
    facts = [funnel.facts[number].text for number in missing[losers[0]]]
    quoted = listed([f"“{short(fact, _QUOTED)}”" for fact in facts])
    if len(losers) == len(ended) > 1:
        return [Bold("Every answer lacks a fact that must arrive"), f", {losers[0]} {quoted}. "]
    if len(losers) == 1:
        return [Bold(f"Only {losers[0]} loses {quoted}"), _where(ended, missing), ". "]
    return [Bold(f"{listed(losers)} lose facts that must arrive"), f", {losers[0]} {quoted}. "]


def _where(ended: Sequence[Panel], missing: dict[str, list[int]]) -> str:
    """Whether the only loser was never sent what it lost."""
    [panel] = [panel for panel in ended if missing[panel.name]]
    unsent = not any(panel.fates[number].passed[0] for number in missing[panel.name])
    sent_elsewhere = unsent and len(ended) > 1
    return ", before any call" if sent_elsewhere else ""


def _counts(funnel: Funnel, ended: Sequence[Panel]) -> list[str]:
    counts = [panel.counts()[-1] for panel in ended]
    every = counted(len(funnel.facts), "fact")
    if len(set(counts)) == 1:
        holds = "Each answer holds" if len(ended) > 1 else "The answer holds"
        return [f"{holds} {counts[0]:,} of {every}."]
    parts = [f"{panel.name} {count:,}" for panel, count in zip(ended, counts, strict=True)]
    return [f"Of {every} the answers hold: {', '.join(parts)}."]
