"""Received syntheses on Runs: those that have ended are saved runs, the others are named."""

import time

import streamlit as st

from ui.history.problems import HistoryError
from ui.imported.received_runs import Listed, arrived
from ui.look.elements import section, small
from ui.received import whose
from ui.session import workspace

_PATIENCE = 1.0  # seconds until the page is drawn without what is still compared
_MOST = 5  # syntheses that are named


def draw() -> None:
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
        st.page_link(
            "pages/live.py",
            label="Follow on Live",
            icon=":material/sensors:",
            query_params=workspace.address(),
        )


def _line(one: Listed, now: float) -> str:
    mode = f"likely {one.mode}" if one.mode else "mode not known yet"
    about = ", ".join(filter(None, (one.service, mode)))
    return f"… {one.query_str or 'no question yet'} · {about}: {one.state(now).words}"
