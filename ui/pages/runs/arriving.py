"""Received syntheses on Runs: those that go on, and those that become saved runs."""

import time

import streamlit as st

from ui.history.problems import HistoryError
from ui.imported.received_runs import Listed, keep, listed
from ui.look.elements import section, small
from ui.received import whose
from ui.session import keys, workspace

_PACE = 2.0  # seconds between two looks
_MOST = 5  # syntheses that are named


def draw() -> None:
    """Draw what goes on, for whoever may see it; the page is drawn anew once one is saved."""
    if whose.may_see():
        st.session_state.pop(keys.RUNS_KEPT, None)
        st.fragment(_draw, run_every=_PACE)()


def _draw() -> None:
    workspace.enter()
    try:
        found = listed()
        kept = keep(found)
    except HistoryError:  # the page says so of the runs
        return
    if st.session_state.setdefault(keys.RUNS_KEPT, kept) != kept:
        st.rerun()
    now = time.time()
    if going := [one for one in found if one.goes_on(now)]:
        section("Received from running applications, going on")
        for one in going[:_MOST]:
            small(_line(one, now))
        st.page_link(
            "pages/live.py",
            label="Follow on Live",
            icon=":material/sensors:",
            query_params=workspace.address(),
        )


def _line(one: Listed, now: float) -> str:
    mode = f"likely {one.mode}" if one.mode else "mode not known yet"
    return f"… {one.query_str} {one.service}, {mode}: {one.state(now).words}"
