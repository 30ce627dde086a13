"""The choice of what the answer is for, which Compare and What if share."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from synth.modes.facts import Goal
from ui.plan.advice import GOALS
from ui.session import address, keys

_FIRST: Goal = "detail"


def choose_goal() -> Goal:
    """What the answer is for; the adviser's headline is about this."""
    address.hold(keys.GOAL, get_args(Goal), _FIRST)
    # Set anew, since the box of another page is another widget, which would begin with its first.
    st.session_state[keys.GOAL] = st.session_state.get(keys.GOAL, _FIRST)
    return st.selectbox(
        "What the answer is for",
        list(GOALS),
        format_func=GOALS.__getitem__,
        key=keys.GOAL,
        persist_state="session",
        width=200,
        label_visibility="collapsed",
    )
