"""The Runs page: the list with its filters, and what is ticked in it."""

import time
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from ui.history import history as opened
from ui.history import summaries
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.summaries import Every, Filter, Owner
from ui.imported.opened_file import opened_file
from ui.imported.received_runs import Listed, arrived
from ui.look.elements import beside, box, error_box, lead, section, small, zone
from ui.pages.runs import actions, detail, listing, trace
from ui.pages.runs.listing import Chosen
from ui.received import whose
from ui.session import browser, workspace


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
        workspace.page_link("pages/kept.py", "What is kept, where and for how long")
    except SynthError as problem:
        _unreadable(problem)


def _unreadable(problem: SynthError) -> None:
    error_box("The saved runs can't be read.", str(problem))


def _list(history: History, owner: Owner) -> None:
    lead_row = lead()
    _arriving()
    chosen = listing.choose(history, owner, zone())
    count = summaries.found(history, owner, chosen.filter, limit=0).count
    actions.draw_undo(history, owner)
    with lead_row:
        if count:
            listing.draw_sentence(count, chosen)
        else:
            _nothing(history, owner, chosen)
        trace.draw_popover(opened_file())
    trace.draw_problem(opened_file())
    if count:
        st.fragment(_runs)(history, owner, chosen.filter)


def _runs(history: History, owner: Owner, wanted: Filter) -> None:
    """The table, and what is ticked in it; a tick draws nothing else."""
    local = zone()
    try:
        found = summaries.found(history, owner, wanted, listing.PAGE, listing.offset(wanted))
        left, right = beside("runs", 7, 3)
        with left:
            ticked = listing.draw(history, found, wanted, local)
        with right:
            detail.draw(history, owner, ticked, local)
    except HistoryError as problem:
        _unreadable(problem)


def _nothing(history: History, owner: Owner, chosen: Chosen) -> None:
    """What to do where the list is empty."""
    if summaries.found(history, owner, Filter(), limit=0).count == 0:
        box("No run is saved yet.", "Each run of the Playground and of Compare will stand here.")
        return
    older = summaries.found(history, owner, replace(chosen.filter, since=None, until=None), 0)
    if older.count:
        box("No run is found in this time.", f"{older.count:,} at other times: choose “Any time”.")
    else:
        box("No run is found.", "Use other words, or fewer filters.")


_PATIENCE = 1.0  # seconds until the page is drawn without what is still compared
_MOST = 5  # syntheses that are named


def _arriving() -> None:
    """Save what is verified, and draw what goes on, for whoever may see it.

    It isn't followed here: that Live does.
    """
    if not whose.may_see():
        return
    try:
        found = arrived(_PATIENCE)
    except HistoryError:  # the page says so of the runs
        return
    now = time.time()
    if going := [one for one in found if one.goes_on(now)]:
        section("Received from running applications, going on")
        for one in going[:_MOST]:
            small(_line(one, now))
        workspace.page_link("pages/live.py", "Follow on Live", ":material/sensors:")


def _line(one: Listed, now: float) -> str:
    mode = f"likely {one.mode}" if one.mode else "mode not known yet"
    about = ", ".join(filter(None, (one.service, mode)))
    return f"… {one.query_str or 'no question yet'} · {about}: {one.state(now).words}"
