"""The ways from a recorded run to the other pages, and to the saved runs."""

from hashlib import sha256

import streamlit as st

from ui.controls import handover
from ui.imported.as_request import settings_beside
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.look.elements import small
from ui.runs import start
from ui.session import browser, keys, workspace
from ui.settings import state
from ui.settings.model import Recorded
from ui.settings.request import Request
from ui.store.run_json import Run
from ui.store.tables import RunInfo


def draw(run: OpenedRun) -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why."""
    problem = run.why_not_opened
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
    if problem is not None:
        small(problem)
    elif opens:
        show(run)
    elif compares:
        compare(run)


def open_recording(file: OpenedFile, run: OpenedRun) -> None:
    """Show the run in the Playground, or its recording where the Playground can't."""
    if run.request is not None:
        show(run)
    file.opened = run
    st.rerun()


def show(run: OpenedRun) -> None:
    """Show the run in the Playground; it costs no call."""
    recorded = Run(RunInfo(), _put(run), run.trace)
    space = workspace.current().id
    id = run_id(run.run.identity, space, browser.is_own_machine())
    start.show_earlier(start.show_recorded(recorded, space, id=id))
    st.switch_page("app.py", query_params=workspace.address())


def compare(run: OpenedRun) -> None:
    """Show the run and other modes as the columns of Compare."""
    _put(run)
    handover.displace_columns()
    st.switch_page("pages/compare.py", query_params=workspace.address())


def _put(run: OpenedRun) -> Request:
    request = run.request
    assert request is not None
    workspace.current().values[keys.RECORDED] = Recorded(run.run.model or "", run.run.trace().log())
    handover.put(request, run.source, handover.TRACE, **settings_beside(run.run, request))
    return Request.of(state.current())


def run_id(identity: str, space: str, shared: bool) -> str | None:
    """Return the id under which a run is saved once in a workspace, or once if all are `shared`."""
    owner = "" if shared else space
    return sha256(f"{owner} {identity}".encode()).hexdigest()[:32] if identity else None
