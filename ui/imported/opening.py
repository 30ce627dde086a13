"""The ways from a recorded run to the other pages, and to the saved runs."""

from hashlib import sha256

import streamlit as st

from ui.controls import handover
from ui.imported.as_request import settings_beside
from ui.imported.opened_file import OpenedFile
from ui.look.elements import small
from ui.runs import start
from ui.session import browser, keys, workspace
from ui.settings import state
from ui.settings.model import Recorded
from ui.settings.request import Request
from ui.store.run_json import Run
from ui.store.tables import RunInfo


def draw(file: OpenedFile) -> None:
    """Draw the buttons; they are off where the other pages can't show the run, and say why."""
    run = file.shown
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
    if run.request is None:
        small(problem or "")
        return
    small("Its answers are those of the recording: opening it costs no call.")
    if opens:
        show(file)
    if compares:
        compare(file)


def show(file: OpenedFile) -> None:
    """Show the run in the Playground."""
    request = _put(file)
    recorded = Run(RunInfo(), request, file.shown.trace)
    space = workspace.current().id
    id = run_id(file.shown.run.identity, space, browser.is_own_machine())
    start.show_earlier(start.show_recorded(recorded, space, id=id))
    st.switch_page("app.py", query_params=workspace.address())


def compare(file: OpenedFile) -> None:
    """Show the run and other modes as the columns of Compare."""
    _put(file)
    handover.displace_columns()
    st.switch_page("pages/compare.py", query_params=workspace.address())


def _put(file: OpenedFile) -> Request:
    run, request = file.shown.run, file.shown.request
    assert request is not None
    workspace.current().values[keys.RECORDED] = Recorded(run.model or "", run.trace().log())
    handover.put(request, file.name, handover.TRACE, **settings_beside(run, request))
    return Request.of(state.current())


def run_id(identity: str, space: str, shared: bool) -> str | None:
    """Return the id under which a run is saved once in a workspace, or once if all are `shared`."""
    owner = "" if shared else space
    return sha256(f"{owner} {identity}".encode()).hexdigest()[:32] if identity else None
