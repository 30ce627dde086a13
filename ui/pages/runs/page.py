"""The Runs page: all runs in one list, what is ticked in it, and a recording that is open."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import cast

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.quality.facts import Words
from synth.quality.follow import find_stretches
from synth.runs.trace import Trace
from synth.text.wording import Bold, counted, short
from synth.words.plan_words import Headline
from ui.controls.modes import picture_rule
from ui.look.elements import box, button_row, error_box, small, zone
from ui.look.scripts import clicks
from ui.pages.runs import actions, connect_application, trace
from ui.pages.runs.actions import find_owner, run_id
from ui.pages.runs.recordings import (
    DIFFERENT,
    LONGEST_TITLE,
    SAME,
    STATES,
    ListRow,
    RunOutcome,
    describe_failure,
    make_row,
    opened_file,
    read_received,
    write_title,
)
from ui.session import browser, keys, workspace
from ui.settings.expected import facts_of
from ui.store import runs as saved_runs
from ui.store.rows import RunInfo, RunKind
from ui.store.store import StoreError, current_store

_PATIENCE = 2.0  # seconds in which the prompts of runs in files are compared, before one draw


def draw() -> None:
    """Draw the whole page: the recording that is open, else the list."""
    file = opened_file()
    if file.opened is not None:
        trace.draw(file, file.opened)
        return
    try:
        _draw_list()
    except SynthError as problem:
        _draw_unreadable(problem)


def _draw_unreadable(problem: SynthError) -> None:
    error_box("The saved runs can't be read.", str(problem))


def _draw_list() -> None:
    head = st.container(key="runs_head")
    with st.container(horizontal=True, vertical_alignment="center", key="runs_ways"):
        trace.draw_drop_zone()
        connect_application.draw_connection()
    actions.draw_undo()
    recorded = _read_recorded()
    saved = saved_runs.find(current_store(), find_owner(), limit=_PAGE)
    count = len(recorded) + saved.count
    if not count:
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    rows = [*recorded, *map(_saved_row, saved.runs)]
    with head:
        line = _say_headline(rows, count)
        st.html(sentence_html(line.head) + tag("div.subline", *line.line))
    st.fragment(_draw_rows)(recorded, *_choose())


def _read_recorded() -> list[ListRow]:
    """Read the rows that no saved run has."""
    file, end = opened_file(), monotonic() + _PATIENCE
    rows = [
        make_row(run, f"file-{at}", compares=monotonic() < end) for at, run in enumerate(file.runs)
    ]
    rows += read_received() if browser.is_own_machine() else []
    ids = {
        row.info.id: run_id(row.recording.run.identity if row.recording else row.info.id)
        for row in rows
    }
    saved = saved_runs.find_saved(current_store(), [id for id in ids.values() if id is not None])
    return [row for row in rows if ids[row.info.id] not in saved]


def _matches(row: ListRow, words: str, kind: RunKind | None) -> bool:
    """Whether the search and the kind let a row through that is not saved."""
    run = row.info
    text = f"{run.question} {run.answer} {run.mode} {run.model}".casefold()
    has_words = all(word in text for word in words.casefold().split())
    return has_words and kind in (None, run.kind)


def _draw_rows(recorded: Sequence[ListRow], words: str, kind: RunKind | None) -> None:
    workspace.current()
    if keys.LEFT_DELETED in st.session_state:  # by another tab, which the whole page says
        st.rerun()
    what, _, id = clicks(_tick).partition(" ")
    try:
        most = st.session_state.get(keys.RUNS_DRAWN, _PAGE)
        saved = saved_runs.find(current_store(), find_owner(), words, kind, most)
        rows = [*map(_saved_row, saved.runs)]
        rows += (row for row in recorded if _matches(row, words, kind))
        rows.sort(key=lambda row: row.info.started, reverse=True)
        ids = st.session_state.get(keys.TICKED_RUNS, ())
        ticked = [row for row in rows if row.info.id in ids]
        try:
            for row in rows:
                if what == "open" and row.info.id == id:
                    actions.open_row(row)
            actions.draw(ticked)
        except StoreError:
            raise
        except SynthError as problem:
            st.session_state[keys.RUNS_PROBLEM] = "This can't be opened.", str(problem)
            st.rerun()
        if not rows:
            ways = ["Use other words." if words else "", "Choose All." if kind else ""]
            box("No run is found.", " ".join(filter(None, ways)))
            return
        _draw_table(rows, [row.info.id for row in ticked])
        _draw_more(len(saved.runs), saved.count)
    except StoreError as problem:
        _draw_unreadable(problem)


def _tick(clicked: str) -> None:
    """Tick a run whose box was clicked, or take its tick away; for callbacks."""
    what, _, id = clicked.partition(" ")
    others = [each for each in st.session_state.get(keys.TICKED_RUNS, ()) if each != id]
    if what in ("tick", "untick"):
        st.session_state[keys.TICKED_RUNS] = [*others, id] if what == "tick" else others


def _saved_row(run: RunInfo) -> ListRow:
    return ListRow(run, _outcome_of(run), is_saved=True)


_PAGE = 50
"""Runs that are drawn at first, and that each press on More adds."""

_ICONS: dict[RunKind, str] = {
    "made here": "play_circle",
    "from a file": "description",
    "received": "sensors",
}
_HEADS = ("", "", "time", "question", "", "mode", "model", "calls", "tokens", "outcome")
_ALL = "All"


def _choose() -> tuple[str, RunKind | None]:
    """Draw the search and the kinds; returns the words, and the kind if one is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key="runs_filters"):
        words = st.text_input(
            "Search",
            placeholder="Search questions and answers",
            icon=":material/search:",
            label_visibility="collapsed",
            key="runs_words",
            persist_state="session",
            width=300,
        )
        kind = button_row("Kind", [_ALL, *_ICONS], keys.RUNS_KIND, format_func=_label)
    return words, None if kind == _ALL else cast(RunKind, kind)


def _label(kind: str) -> str:
    return kind if kind == _ALL else f":material/{_ICONS[cast(RunKind, kind)]}: {kind}"


def _draw_table(rows: Sequence[ListRow], ticked: Sequence[str]) -> None:
    """Draw the rows; a click tells `tick`, `untick` or `open`, and the id of a run. StoreError."""
    versions = {(row.info.id, row.info.state, row.info.calls): row for row in rows}
    looks = workspace.current().remember_all(
        "looks of runs", versions, lambda version: _look_into(versions[version])
    )
    st.html(f"<style>{''.join(rule for rule, _ in looks.values())}</style>")
    now = datetime.now(zone())
    body = (
        _row_html(row, row.info.id in ticked, looks[version][1], now)
        for version, row in versions.items()
    )
    heads = tag("tr", *(tag("th", head, scope="col") if head else tag("td") for head in _HEADS))
    inside = tag("table", tag("thead", heads), tag("tbody", *body))
    st.html(tag("div.run-list.num", inside))


def _look_into(row: ListRow) -> tuple[str, bool]:
    """Return the CSS rule of a run's small picture, and whether its server cut prompts in silence.

    Of a run that is neither saved nor the same here nothing is known.
    """
    trace: Trace | None = None
    if row.is_saved:
        with suppress(ImportedRunError):  # who opens it reads what is damaged
            run = saved_runs.load_run(current_store(), find_owner(), row.info.id)
            trace = None if run is None else run.trace
    elif row.recording is not None and row.outcome.sign == SAME:
        trace = row.recording.trace
    if trace is None or not trace.calls:
        return "", False
    rule = picture_rule(f'.run-list [data-run="{row.info.id}"]', trace)
    return rule, trace.counts.cut is not None


def _row_html(row: ListRow, is_ticked: bool, is_cut: bool, now: datetime) -> Html:
    run, name = row.info, short(write_title(row.info), LONGEST_TITLE)
    tick = tag(
        "button.tick",
        "✓" if is_ticked else "",
        type="button",
        role="checkbox",
        aria_checked=str(is_ticked).lower(),
        aria_label=f"Tick {name}",
        id=f"tick-{run.id}",
        data_click=f"{'untick' if is_ticked else 'tick'} {run.id}",
    )
    icon = tag("span.icon", _ICONS[run.kind], aria_hidden="true")
    opens = tag(
        "button.opens",
        name,
        type="button",
        dir="auto",
        id=f"open-{run.id}",
        data_click=f"open {run.id}",
    )
    cells = (
        tag("td.box", tick),
        tag("td.kind", icon, tag("span.unseen", run.kind)),
        tag("td.time", _time(run, now)),
        tag("th.title", opens, *_below(run), scope="row"),
        tag("td.sign", data_run=run.id),
        tag("td.mode", run.mode),
        tag("td.model", "you" if run.by_person else run.model),
        tag("td.amount", _calls(run)),
        tag("td.amount", f"{run.prompt_tokens + run.output_tokens:,}"),
        tag("td.outcome", *_outcome(row, is_cut)),
    )
    return tag("tr.ticked" if is_ticked else "tr", *cells)


def _below(run: RunInfo) -> Iterator[Html]:
    """What stands below the title: the question of a run with a name, and its note."""
    words = " · ".join(filter(None, (run.question if run.name else "", run.note)))
    if words:
        yield tag("div.small.muted", short(words, 2 * LONGEST_TITLE), dir="auto")


def _outcome(row: ListRow, is_cut: bool) -> Iterator[Html]:
    words, sign, needs_look = row.outcome
    if sign:
        yield tag("span.mark", sign, aria_hidden="true")
    yield tag("b" if needs_look else "span", words)
    if is_cut:
        yield tag("b", f"{', ' if words else ''}cut off by the server")


def _time(run: RunInfo, now: datetime) -> str:
    there = run.started.astimezone(now.tzinfo)
    return f"{there:%H:%M}" if there.date() == now.date() else f"{there.day} {there:%b %Y}"


def _calls(run: RunInfo) -> str:
    if run.state != "done" and run.planned is not None and run.calls < run.planned:
        return f"{run.calls:,} of {run.planned:,}"
    return f"{run.requests:,}"


def _draw_more(drawn: int, count: int) -> None:
    """Draw how many of the saved runs are drawn, and a button for more; nothing if all are."""
    if count <= drawn:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_more"):
        small(f"The latest {drawn:,} of {count:,}")
        more = {keys.RUNS_DRAWN: drawn + _PAGE}
        st.button("More", on_click=st.session_state.update, args=(more,))


def _outcome_of(run: RunInfo) -> RunOutcome:
    """Say how a saved run ended: what failed, else the facts that its answer holds."""
    if run.state == "failed":
        return describe_failure(run.problem)
    if run.state != "done":
        return STATES[run.state]
    if run.kind != "made here":  # a recording opens as a run only where all prompts are equal
        return RunOutcome("verified", SAME)
    facts, _ = facts_of(run.question)
    needed = [fact for fact in facts if fact.must] or facts
    if not needed:
        return RunOutcome()
    answer = Words(run.answer)
    count = sum(bool(find_stretches(fact, answer)) for fact in needed)
    return RunOutcome(f"{count} of {counted(len(needed), 'fact')}", needs_look=count < len(needed))


def _say_headline(rows: Sequence[ListRow], count: int) -> Headline:
    """Say how many recorded runs are the same here, if all rows are known, and count all runs."""
    signs = [row.outcome.sign for row in rows if row.info.kind != "made here"]
    verified, differing = signs.count(SAME), signs.count(DIFFERENT)
    if not verified or len(rows) < count:
        return Headline([Bold(counted(count, "run"))], [])
    are = "is" if verified == 1 else "are"
    line = f"{counted(count, 'run')} in all."
    if differing:
        line = f"{differing:,} {'differs' if differing == 1 else 'differ'}. {line}"
    words = f"{counted(verified, 'recorded run')} {are} the same here, prompt for prompt."
    return Headline([Bold(words)], [line])
