"""The ways from a synthesis to the other pages: each opens what Import opens."""

from collections.abc import Callable
from time import sleep

import streamlit as st

from ui.imported import opening
from ui.pages.live.chosen import LiveRuns, live_runs
from ui.session import keys

GOES_ON = "The way of a fact, other modes and a contract wait for its last span."
_IN_FLIGHT = 0.3  # seconds in which the last look of the page that was left arrives


def draw(id: str, grows: bool, stepped: bool) -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why.

    The steps of one that `grows` are shown on this page, also at its end if they are shown then.
    """
    file = live_runs()
    problem = file.shown.why_not_opened if file.runs else GOES_ON
    with st.container(horizontal=True, key="live_ways", width="content"):
        if file.runs and problem is not None and file.shown.run.calls:
            opening.as_recorded_button(file)
        if grows or stepped:
            _steps_here("" if stepped else id)
        else:
            _button("Steps", ":material/footprint:", _steps, problem)
        _button("Where was it lost?", ":material/search:", opening.show, problem)
        off = problem is not None
        with st.popover("Re-plan", icon=":material/alt_route:", disabled=off, help=problem):
            compare, varies = ":material/compare_arrows:", ":material/show_chart:"
            _button("Beside other modes, in Compare", compare, opening.compare, problem)
            _button("In every mode, on What if", varies, opening.vary, problem)
        _button("Contract", ":material/verified:", _contract, problem)


def _button(label: str, icon: str, way: Callable[[LiveRuns], None], problem: str | None) -> None:
    if st.button(label, icon=icon, disabled=problem is not None, help=problem):
        st.session_state[keys.LIVE_WAY] = way
        st.rerun()


def go() -> bool:
    """Go the way that was pressed; whether one was. Nothing may look at the page any more.

    Streamlit takes a look of the page that was left for a return to it, and shows nothing.
    """
    way: Callable[[LiveRuns], None] | None = st.session_state.pop(keys.LIVE_WAY, None)
    if way is None or not live_runs().runs:
        return False
    sleep(_IN_FLIGHT)
    way(live_runs())
    return True


def _steps_here(id: str) -> None:
    """Draw the button that shows the steps of this synthesis, or of none, on this page.

    It is one button, and draws the whole page: else the browser may keep what is to go.
    """
    label, icon = ("Steps", ":material/footprint:") if id else ("Flow", ":material/account_tree:")
    if st.button(label, icon=icon, key="live_steps_here"):
        st.session_state[keys.LIVE_STEPS] = id
        st.rerun()


def _steps(file: LiveRuns) -> None:
    opening.show(file, view="steps", step="1")


def _contract(file: LiveRuns) -> None:
    st.session_state[keys.EXPORT_OPEN] = True
    opening.show(file)
