"""The ways from a recorded run to the other pages."""

import streamlit as st

from synth.traces import ImportedRun
from ui.controls import handover
from ui.history.run_file import RunFile
from ui.imported.as_request import recorded_of, settings_beside
from ui.imported.opened_file import OpenedFile
from ui.look.elements import small
from ui.runs import start
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.request import Request


def draw(file: OpenedFile) -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why."""
    run = file.shown
    problem = run.why_not_opened
    with st.container(horizontal=True, key="open_import"):
        opens = _open_button(file, problem)
        compares = st.button(
            "Compare with other modes",
            icon=":material/compare_arrows:",
            disabled=problem is not None,
            help="The columns of Compare become this run and other modes.",
        )
        varies = st.button("What if", icon=":material/show_chart:", disabled=problem is not None)
    if run.request is None:
        small(problem or "")
        return
    small("Its answers are those of the recording: opening it costs no call.")
    if opens or compares or varies:
        _put(file.name, run.run, run.request)
    if opens:
        recorded = RunFile(Request.of(state.current()), run.trace)
        start.show(start.recorded_elsewhere(recorded, workspace.current().id))
        _go("app.py")
    if compares:
        handover.displace_columns()
        _go("pages/compare.py")
    if varies:
        _go("pages/what_if.py")


def _open_button(file: OpenedFile, problem: str | None) -> bool:
    """Draw the button that opens the run; True if it was pressed to open it in the Playground."""
    if problem is not None and file.shown.run.calls:
        st.button(
            "Open as recorded",
            type="primary",
            icon=":material/visibility:",
            on_click=file.look_at_recording,
            args=(True,),
            help="Its prompts, answers, tokens and times as they are in the trace.",
        )
        return False
    return st.button(
        "Open as a run",
        type="primary",
        icon=":material/open_in_new:",
        disabled=problem is not None,
    )


def _put(name: str, run: ImportedRun, request: Request) -> None:
    workspace.current().values[keys.RECORDED] = recorded_of(run)
    handover.put(request, name, handover.TRACE, **settings_beside(run, request))


def _go(path: str) -> None:
    st.switch_page(path, query_params=workspace.address())
