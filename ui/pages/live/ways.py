"""The ways from a synthesis to the other pages: each opens what Import opens."""

import streamlit as st

from ui.imported import opening
from ui.pages.live.chosen import LiveRuns, live_runs
from ui.session import keys

_GOES_ON = "This waits for the last span of the synthesis."


def draw() -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why."""
    file = live_runs()
    problem = file.shown.why_not_opened if file.runs else _GOES_ON
    with st.container(horizontal=True, key="live_ways", width="content"):
        if file.runs and problem is not None and file.shown.run.calls:
            opening.as_recorded_button(file)
        if _button("Steps", ":material/footprint:", problem):
            opening.show(file, view="steps", step="1")
        if _button("Where was it lost?", ":material/search:", problem):
            opening.show(file)
        with st.popover("Re-plan", icon=":material/alt_route:", disabled=problem is not None):
            _other_modes(file)
        if _button("Contract", ":material/verified:", problem):
            st.session_state[keys.EXPORT_OPEN] = True
            opening.show(file)


def _button(label: str, icon: str, problem: str | None) -> bool:
    return st.button(label, icon=icon, disabled=problem is not None, help=problem)


def _other_modes(file: LiveRuns) -> None:
    """The same input in other modes, without a call."""
    if st.button("Beside other modes, in Compare", icon=":material/compare_arrows:"):
        opening.compare(file)
    if st.button("In every mode, on What if", icon=":material/show_chart:"):
        opening.vary(file)
