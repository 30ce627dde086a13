"""The Runs page: all runs in one list, what is ticked in it, and a recording that is open."""

from collections.abc import Sequence
from time import monotonic

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import sentence_html
from synth.html.markup import tag
from ui.imported.opened_file import opened_file
from ui.imported.rows import (
    ListRow,
    RunKind,
    find_outcome,
    make_row,
    read_received,
    say_headline,
)
from ui.look.elements import box, error_box, small
from ui.look.scripts import clicks
from ui.pages.runs import actions, listing, trace
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
    older = store.database().older
    if older is not None and keys.OLDER_SAID not in st.session_state:
        st.session_state[keys.OLDER_SAID] = True
        small(f"Runs of an older version stay in {older}, and are not shown here.")
    actions.draw_undo(store, owner)
    recorded, received_ids = _read_recorded(store)
    count = len(recorded) + saved_runs.find(store, owner, Filter(), limit=0).count
    if not count:
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    latest = saved_runs.find(store, owner, Filter(), listing.PAGE).runs
    rows = [*recorded, *(_saved_row(run, received_ids) for run in latest)]
    with head:
        line = say_headline(rows, count)
        st.html(sentence_html(line.head) + tag("div.subline", *line.line))
    words, kind = listing.choose()
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
        most = st.session_state.get(keys.RUNS_DRAWN, listing.PAGE)
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
        listing.draw(store, owner, rows, [row.info.id for row in ticked])
        listing.draw_more(len(saved.runs), saved.count)
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
