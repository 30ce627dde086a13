"""The fact funnel of a comparison, and what it shows in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synth.pictures.funnel import Fate, Funnel, FunnelFact, Panel
from synth.quality import Fact, FactPath, Follower, Place, SentText
from synth.quality.words import Words
from synth.trace import Plan, Trace
from synth.wording import Bold, counted, listed, numbered, short
from ui.compare.cells import Cell
from ui.trace.fact_words import end_of_bar, path_sentence

_QUOTED = 48  # characters of a fact in a finding

Paths = tuple[FactPath, ...] | None
"""The paths of all facts through the run of a column; None without a run."""


def column_paths(
    column: Cell,
    facts: Sequence[Fact],
    listed_chunks: Sequence[str],
    read: Callable[[str], Words] = Words,
) -> Paths:
    """The paths of the facts through the run of a column; `read` may remember words of texts."""
    if column.trace is None:
        return None
    follower = Follower(column.trace, listed_chunks, read)
    return tuple(follower.path(fact) for fact in facts)


def funnel_of(
    facts: Sequence[Fact],
    columns: Sequence[Cell],
    paths: Sequence[Paths],
    places: Sequence[tuple[Place, ...]],
) -> Funnel:
    """The funnel; `places` are those of each fact in the chunks, or else in the list of chunks."""
    panels = (_panel(column, path, facts) for column, path in zip(columns, paths, strict=True))
    return Funnel(tuple(map(_fact, facts, places)), tuple(panels))


def _fact(fact: Fact, places: Sequence[Place]) -> FunnelFact:
    numbers = tuple(sorted({place.number for place in places}))
    retrieved = any(place.kind == "chunk" for place in places)
    return FunnelFact(fact.text, fact.must, numbers, retrieved)


def _panel(column: Cell, paths: Paths, facts: Sequence[Fact]) -> Panel:
    trace = column.trace
    if paths is not None and trace is not None:
        return Panel(column.name, False, tuple(_fate(path, trace) for path in paths))
    plans = column.plans
    return Panel(column.name, True, tuple(_planned(plans.high, facts, plans.refused or "")))


def _fate(path: FactPath, trace: Trace) -> Fate:
    passed = (bool(path.sent), bool(path.answers), path.stage == "answered")
    return Fate(passed, end_of_bar(path), "".join(path_sentence(path, trace)))


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
    head = f"{given:,} of {counted(len(funnel.facts), 'fact')} stand in the chunks"
    if not less:
        return [f"{head}, and ", Bold("every column would send them all"), "."]
    return [f"{head}: ", Bold(listed(less)), f"; {_others(less, funnel)}."]


def _others(less: Sequence[str], funnel: Funnel) -> str:
    return "the others all of them" if len(less) < len(funnel.panels) else "none all of them"


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
