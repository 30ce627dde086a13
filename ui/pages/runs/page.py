"""The Runs page: all runs in one list, what is ticked in it, and a recording that is open."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import NamedTuple, cast

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.runs.trace import Trace
from synth.text.wording import short
from ui.controls.modes import picture_rule
from ui.imported.opened_file import opened_file
from ui.imported.rows import (
    LONGEST_TITLE,
    SAME,
    ListRow,
    RunKind,
    find_outcome,
    make_row,
    read_received,
    say_headline,
    write_title,
)
from ui.look.elements import box, button_row, day, error_box, small, zone
from ui.look.scripts import clicks
from ui.pages.runs import actions, trace
from ui.pages.runs.actions import run_id
from ui.session import browser, keys, workspace
from ui.store import runs as saved_runs
from ui.store.database import StoreError
from ui.store.runs import Every, Filter, Owner
from ui.store.store import Store, current_store
from ui.store.tables import RunInfo

_PATIENCE = 2.0  # seconds in which the prompts of runs in files are compared, before one draw


def draw() -> None:
    """Draw the whole page: the recording that is open, else the list."""
    file = opened_file()
    if file.opened is not None:
        trace.draw(file, file.opened)
        return
    # People have several workspaces on a machine of their own.
    owner = Every.WORKSPACE if browser.is_own_machine() else workspace.current().id
    try:
        _draw_list(current_store(), owner)
    except SynthError as problem:
        _draw_unreadable(problem)


def _draw_unreadable(problem: SynthError) -> None:
    error_box("The saved runs can't be read.", str(problem))


def _draw_list(store: Store, owner: Owner) -> None:
    head = st.container(key="runs_head")
    with st.container(horizontal=True, vertical_alignment="center", key="runs_ways"):
        trace.draw_drop_zone()
        trace.draw_connection()
    trace.draw_problem(opened_file())
    actions.draw_undo(store, owner)
    recorded, received_ids = _read_recorded(store)
    count = len(recorded) + saved_runs.find(store, owner, Filter(), limit=0).count
    if not count:
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    latest = saved_runs.find(store, owner, Filter(), _PAGE).runs
    rows = [*recorded, *(_saved_row(run, received_ids) for run in latest)]
    with head:
        line = say_headline(rows, count)
        st.html(sentence_html(line.head) + tag("div.subline", *line.line))
    words, kind = _choose()
    st.fragment(_draw_rows)(store, owner, words, kind, recorded, received_ids)


def _read_recorded(store: Store) -> tuple[list[ListRow], frozenset[str]]:
    """Read the rows that no saved run has, and the ids under which received runs are saved."""
    file, end = opened_file(), monotonic() + _PATIENCE
    rows = [
        make_row(run, "from a file", f"file-{at}", compares=monotonic() < end)
        for at, run in enumerate(file.runs)
    ]
    received = read_received() if browser.is_own_machine() else []
    ids = {
        row.info.id: run_id(row.recording.run.identity if row.recording else row.info.id)
        for row in (*rows, *received)
    }
    saved = saved_runs.find_saved(store, [id for id in ids.values() if id is not None])
    received_ids = frozenset(id for row in received if (id := ids[row.info.id]) is not None)
    unsaved = [row for row in (*rows, *received) if ids[row.info.id] not in saved]
    return unsaved, received_ids


def _filter_of(words: str, kind: RunKind | None, received_ids: frozenset[str]) -> Filter:
    if kind == "received":
        return Filter(words, ids=received_ids)
    if kind == "from a file":
        return Filter(words, of_trace=True, but=received_ids)
    return Filter(words, of_trace=False if kind == "made here" else None)


def _matches(row: ListRow, words: str, kind: RunKind | None) -> bool:
    """Whether the search and the kind let a row through that is not saved."""
    run = row.info
    text = f"{run.question} {run.answer} {run.mode} {run.model}".casefold()
    return kind in (None, row.kind) and all(word in text for word in words.casefold().split())


def _draw_rows(
    store: Store,
    owner: Owner,
    words: str,
    kind: RunKind | None,
    recorded: Sequence[ListRow],
    received_ids: frozenset[str],
) -> None:
    workspace.current()
    if keys.LEFT_DELETED in st.session_state:  # by another tab, which the whole page says
        st.rerun()
    wanted = _filter_of(words, kind, received_ids)
    clicked = clicks(_tick)
    try:
        most = st.session_state.get(keys.RUNS_DRAWN, _PAGE)
        saved = saved_runs.find(store, owner, wanted, most)
        rows = [_saved_row(run, received_ids) for run in saved.runs]
        rows += (row for row in recorded if _matches(row, words, kind))
        rows.sort(key=lambda row: row.info.started, reverse=True)
        ids = st.session_state.get(keys.TICKED_RUNS, ())
        ticked = [row for row in rows if row.info.id in ids]
        try:
            _open(store, owner, rows, clicked)
            actions.draw(store, owner, ticked)
        except StoreError:
            raise
        except SynthError as problem:
            error_box("This can't be opened.", str(problem))
        if not rows:
            box("No run is found.", "Use other words, or another kind.")
            return
        _draw_table(store, owner, rows, [row.info.id for row in ticked])
        _draw_more(len(saved.runs), saved.count)
    except StoreError as problem:
        _draw_unreadable(problem)


def _open(store: Store, owner: Owner, rows: Sequence[ListRow], clicked: str) -> None:
    """Open the run whose title was clicked."""
    what, _, id = clicked.partition(" ")
    for row in rows:
        if what == "open" and row.info.id == id:
            actions.open_row(store, owner, row)


def _tick(clicked: str) -> None:
    """Tick a run whose box was clicked, or take its tick away; for callbacks."""
    what, _, id = clicked.partition(" ")
    others = [each for each in st.session_state.get(keys.TICKED_RUNS, ()) if each != id]
    if what in ("tick", "untick"):
        st.session_state[keys.TICKED_RUNS] = [*others, id] if what == "tick" else others


def _saved_row(run: RunInfo, received_ids: frozenset[str]) -> ListRow:
    kind: RunKind = "from a file" if run.unpriced else "made here"
    if run.id in received_ids:
        kind = "received"
    return ListRow(run, kind, find_outcome(run), is_saved=True)


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
        kind = button_row("Kind", [_ALL, *_ICONS], "runs_kind", format_func=_label)
    return words, None if kind == _ALL else cast(RunKind, kind)


def _label(kind: str) -> str:
    return kind if kind == _ALL else f":material/{_ICONS[cast(RunKind, kind)]}: {kind}"


class _Look(NamedTuple):
    """The CSS rule of a run's small picture, and whether its server cut prompts without a word."""

    rule: str = ""
    is_cut: bool = False


def _draw_table(store: Store, owner: Owner, rows: Sequence[ListRow], ticked: Sequence[str]) -> None:
    """Draw the rows; a click tells `tick`, `untick` or `open`, and the id of a run. StoreError."""
    versions = {(row.info.id, row.info.state, row.info.calls): row for row in rows}
    looks = workspace.current().remember_all(
        "looks of runs", versions, lambda version: _look_into(store, owner, versions[version])
    )
    st.html(f"<style>{''.join(look.rule for look in looks.values())}</style>")
    now = datetime.now(zone())
    body = (
        _row_html(row, row.info.id in ticked, looks[version].is_cut, now)
        for version, row in versions.items()
    )
    heads = tag("tr", *(tag("th", head, scope="col") if head else tag("td") for head in _HEADS))
    inside = tag("table", tag("thead", heads), tag("tbody", *body))
    st.html(tag("div.run-list.num", inside))


def _look_into(store: Store, owner: Owner, row: ListRow) -> _Look:
    """Look into a run that is saved, or that is the same here; of others nothing is known."""
    trace: Trace | None = None
    if row.is_saved:
        with suppress(ImportedRunError):  # who opens it reads what is damaged
            run = saved_runs.load_run(store, owner, row.info.id)
            trace = None if run is None else run.trace
    elif row.recording is not None and row.outcome.sign == SAME:
        trace = row.recording.trace
    if trace is None or not trace.calls:
        return _Look()
    rule = picture_rule(f'.run-list [data-run="{row.info.id}"]', trace)
    return _Look(rule, trace.counts.cut is not None)


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
    icon = tag("span.icon", _ICONS[row.kind], aria_hidden="true")
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
        tag("td.kind", icon, tag("span.unseen", row.kind)),
        tag("td.time", _time(run, now)),
        tag("th.title", opens, *_below(run), scope="row"),
        tag("td.sign", data_run=run.id),
        tag("td.mode", run.mode),
        tag("td.model", "you" if run.by_person else run.model),
        tag("td.amount", _calls(run)),
        tag("td.amount", f"{_count_tokens(run):,}"),
        tag("td.outcome", *_outcome(row, is_cut)),
    )
    return tag("tr.ticked" if is_ticked else "tr", *cells)


def _below(run: RunInfo) -> Iterator[Html]:
    """What stands below the title: the question of a run with a name, and its note."""
    words = [run.question] if run.name else []
    if run.note:
        words.append(run.note)
    if words:
        yield tag("div.small.muted", short(" · ".join(words), 2 * LONGEST_TITLE), dir="auto")


def _outcome(row: ListRow, is_cut: bool) -> Iterator[Html]:
    words, sign, needs_look = row.outcome
    if sign:
        yield tag("span.mark", sign, aria_hidden="true")
    yield tag("b" if needs_look else "span", words)
    if is_cut:
        yield tag("b", f"{', ' if words else ''}cut off by the server")


def _time(run: RunInfo, now: datetime) -> str:
    there = run.started.astimezone(now.tzinfo)
    return f"{there:%H:%M}" if there.date() == now.date() else day(there, now)


def _calls(run: RunInfo) -> str:
    if run.state != "done" and run.planned is not None and run.calls < run.planned:
        return f"{run.calls:,} of {run.planned:,}"
    return f"{run.requests:,}"


def _count_tokens(run: RunInfo) -> int:
    """Count the tokens of a run's prompts and answers."""
    return run.prompt_tokens + run.output_tokens


def _draw_more(drawn: int, count: int) -> None:
    """Draw how many of the saved runs are drawn, and a button for more; nothing if all are."""
    if count <= drawn:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_more"):
        small(f"The latest {drawn:,} of {count:,}")
        st.button("More", on_click=_add_more, args=(drawn + _PAGE,))


def _add_more(drawn: int) -> None:
    st.session_state[keys.RUNS_DRAWN] = drawn
