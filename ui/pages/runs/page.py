"""The Runs page: the list with its filters, and what is ticked in it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import sentence_html
from synth.text.wording import Bold, counted
from ui.history import history as opened
from ui.history import summaries
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.summaries import Every, Filter, Owner
from ui.history.tables import Summary
from ui.imported import received_runs
from ui.imported.opened_file import opened_file
from ui.imported.opening import run_id
from ui.imported.received_runs import Received
from ui.look.elements import beside, box, error_box, lead, small, zone
from ui.pages.runs import actions, connect, detail, listing, trace
from ui.received import whose
from ui.session import browser, keys, workspace


def draw() -> None:
    """The whole page: the trace that is open, else the list."""
    file = opened_file()
    if file.runs:
        trace.draw(file)
        return
    # People have several workspaces on a machine of their own.
    owner = Every.WORKSPACE if browser.is_own_machine() else workspace.current().id
    try:
        _list(opened.history(), owner)
    except SynthError as problem:
        _unreadable(problem)


def _unreadable(problem: SynthError) -> None:
    error_box("The saved runs can't be read.", str(problem))


def _list(history: History, owner: Owner) -> None:
    lead_row = lead()
    wanted = listing.choose(history, owner, zone())
    received, unread = _received(history, wanted)
    count = _count(history, owner, wanted)
    actions.draw_undo(history, owner)
    with lead_row:
        if count:
            st.html(sentence_html([Bold(counted(count, "run"))]), width="stretch")
        else:
            _nothing(history, owner, wanted)
        trace.draw_popover()
        connect.draw()
    trace.draw_problem(opened_file())
    if unread:
        small(f"{counted(unread, 'older trace')} will be read when the page is drawn next.")
    if count:
        st.fragment(_runs)(history, owner, wanted, received)


def _received(history: History, wanted: Filter) -> Received:
    """What applications sent, for whoever may see it: what the filter lets through.

    What was opened since is a saved run, and stands in the list as one.
    """
    if not whose.may_see():
        return Received((), 0)
    runs, unread = received_runs.received()
    space, shared = workspace.current().id, browser.is_own_machine()
    ids = {run.id: run_id(run.id, space, shared) for run in runs}
    saved = summaries.saved(history, [id for id in ids.values() if id is not None])
    others = [run for run in runs if ids[run.id] not in saved]
    return Received([run for run in others if received_runs.matches(run, wanted)], unread)


def _runs(history: History, owner: Owner, wanted: Filter, received: Sequence[Summary]) -> None:
    """The table, and what is ticked in it; a tick draws nothing else, unless it opens a trace."""
    workspace.current()
    if keys.LEFT_DELETED in st.session_state:  # by another tab, which the whole page says
        st.rerun()
    local = zone()
    try:
        found = summaries.found(history, owner, wanted, listing.PAGE, listing.offset(wanted))
        left, right = beside("runs", 7, 3)
        with left:
            ticked = listing.draw(history, found, received, wanted, local)
        sent = [run for run in ticked if run in received]
        if sent:
            st.session_state[keys.TICKED_RUNS] = [run.id for run in ticked if run not in sent]
            received_runs.open_in(opened_file(), sent[0])
            st.rerun()
        with right:
            detail.draw(history, owner, ticked, local)
    except HistoryError as problem:
        _unreadable(problem)


def _count(history: History, owner: Owner, wanted: Filter) -> int:
    """How many runs a filter lets through, with those that applications sent."""
    received, _ = _received(history, wanted)
    return len(received) + summaries.found(history, owner, wanted, limit=0).count


def _nothing(history: History, owner: Owner, wanted: Filter) -> None:
    """What to do where the list is empty."""
    if not _count(history, owner, Filter()):
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    if older := _count(history, owner, replace(wanted, since=None, until=None)):
        box("No run is found in this time.", f"{older:,} at other times: choose “Any time”.")
    else:
        box("No run is found.", "Use other words, or fewer filters.")
