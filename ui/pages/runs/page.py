"""The Runs page: the list with its filters, and what is ticked in it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import sentence_html
from synth.text.wording import Bold, counted
from ui.imported import received_runs
from ui.imported.opened_file import opened_file
from ui.imported.opening import run_id
from ui.imported.received_runs import Received
from ui.look.elements import beside, box, error_box, lead, small, zone
from ui.pages.runs import actions, connect, detail, listing, trace
from ui.received import whose
from ui.session import browser, keys, workspace
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.runs import Every, Filter, Owner
from ui.store.store import Store, current_store
from ui.store.tables import RunInfo


def draw() -> None:
    """The whole page: the trace that is open, else the list."""
    file = opened_file()
    if file.runs:
        trace.draw(file)
        return
    # People have several workspaces on a machine of their own.
    owner = Every.WORKSPACE if browser.is_own_machine() else workspace.current().id
    try:
        _list(current_store(), owner)
    except SynthError as problem:
        _unreadable(problem)


def _unreadable(problem: SynthError) -> None:
    error_box("The saved runs can't be read.", str(problem))


def _list(store: Store, owner: Owner) -> None:
    _older(store)
    lead_row = lead()
    wanted = listing.choose(store, owner, zone())
    received, unread = _received(store, wanted)
    count = _count(store, owner, wanted)
    actions.draw_undo(store, owner)
    with lead_row:
        if count:
            st.html(sentence_html([Bold(counted(count, "run"))]), width="stretch")
        else:
            _nothing(store, owner, wanted)
        trace.draw_popover()
        connect.draw()
    trace.draw_problem(opened_file())
    if unread:
        small(f"{counted(unread, 'older trace')} will be read when the page is drawn next.")
    if count:
        st.fragment(_runs)(store, owner, wanted, received)


def _older(store: Store) -> None:
    older = store.database().older
    values = workspace.current().values
    if older is not None and not values.get(keys.OLDER_SAID):
        values[keys.OLDER_SAID] = True
        place = f"in {older}" if browser.is_own_machine() else "in its database"
        small(f"Runs and workspaces of an older version stay {place}, and are not shown here.")


def _received(store: Store, wanted: Filter) -> Received:
    """Return what applications sent that the filter lets through, and was not opened since."""
    if not whose.may_see():
        return Received((), 0)
    runs, unread = received_runs.received()
    space, shared = workspace.current().id, browser.is_own_machine()
    ids = {run.id: run_id(run.id, space, shared) for run in runs}
    saved = saved_runs.find_saved(store, [id for id in ids.values() if id is not None])
    others = [run for run in runs if ids[run.id] not in saved]
    return Received([run for run in others if received_runs.matches(run, wanted)], unread)


def _runs(store: Store, owner: Owner, wanted: Filter, received: Sequence[RunInfo]) -> None:
    workspace.current()
    if keys.LEFT_DELETED in st.session_state:  # by another tab, which the whole page says
        st.rerun()
    local = zone()
    try:
        found = saved_runs.find(store, owner, wanted, listing.PAGE, listing.offset(wanted))
        left, right = beside("runs", 7, 3)
        with left:
            ticked = listing.draw(store, found, received, wanted, local)
        sent = [run for run in ticked if run in received]
        if sent:
            st.session_state[keys.TICKED_RUNS] = [run.id for run in ticked if run not in sent]
            received_runs.open_in(opened_file(), sent[0])
            st.rerun()
        with right:
            detail.draw(store, owner, ticked, local)
    except StoreError as problem:
        _unreadable(problem)


def _count(store: Store, owner: Owner, wanted: Filter) -> int:
    received, _ = _received(store, wanted)
    return len(received) + saved_runs.find(store, owner, wanted, limit=0).count


def _nothing(store: Store, owner: Owner, wanted: Filter) -> None:
    if not _count(store, owner, Filter()):
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    if older := _count(store, owner, replace(wanted, since=None, until=None)):
        box("No run is found in this time.", f"{older:,} at other times: choose “Any time”.")
    else:
        box("No run is found.", "Use other words, or fewer filters.")
