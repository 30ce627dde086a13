"""The ways from a recorded run to the other pages."""

from __future__ import annotations

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.controls import handover
from ui.imports.as_request import recorded_of, settings_beside
from ui.imports.opened_file import OpenedRun
from ui.look.elements import small
from ui.request.from_settings import request_from
from ui.run import runner
from ui.session import keys, workspace
from ui.settings import state


def draw(name: str, run: OpenedRun) -> None:
    """Draw the buttons; they are off where the run is not verified, and say why."""
    problem = _problem(run)
    with st.container(horizontal=True, key="open_import"):
        opens = st.button(
            "Open as a run",
            type="primary",
            icon=":material/open_in_new:",
            disabled=problem is not None,
        )
        compares = st.button(
            "Compare with other modes",
            icon=":material/compare_arrows:",
            disabled=problem is not None,
            help="The columns of Compare become this run and other modes.",
        )
        varies = st.button("What if", icon=":material/show_chart:", disabled=problem is not None)
    if problem is not None:
        small(problem)
        return
    small("Its answers are those of the recording: opening it costs no call.")
    if opens or compares or varies:
        _put(name, run)
    if opens:
        runner.show_imported(request_from(state.get), run.trace)
        _go("app.py")
    if compares:
        workspace.current().values.pop(keys.COLUMNS, None)
        _go("pages/compare.py")
    if varies:
        _go("pages/what_if.py")


def _problem(run: OpenedRun) -> str | None:
    """Why the run can't be opened on other pages; None if it can."""
    if run.run.mode not in MODES:
        return "Only runs of a known mode open on the other pages."
    if not run.run.calls:
        return "A run without calls has nothing to open."
    if not run.verified:
        return "The other pages wait until all prompts are equal: they would show other calls."
    return run.why_not_held


def _put(name: str, run: OpenedRun) -> None:
    workspace.current().values[keys.RECORDED] = recorded_of(run.run)
    handover.put(run.request, name, handover.TRACE, **settings_beside(run.request))


def _go(path: str) -> None:
    st.switch_page(path, query_params={"w": workspace.current().id})
