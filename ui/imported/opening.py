"""The ways from a recorded run to the other pages, and to the saved runs.

There it is once, whether it was received or came in a file.
"""

from hashlib import sha256

import streamlit as st

from synth.traces import ImportedRun
from ui.controls import handover
from ui.history import history, summaries
from ui.history.run_file import RunFile
from ui.imported.as_request import held_request, recorded_of, settings_beside
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.look.elements import small
from ui.runs import start
from ui.session import browser, keys, workspace
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
    if run.request is None:
        small(problem or "")
        return
    small("Its answers are those of the recording: opening it costs no call.")
    if opens:
        show(file)
    if compares:
        compare(file)


def show(file: OpenedFile, **view: str) -> None:
    """Show the run in the Playground, at once in a view of the address if one is given."""
    request = _put(file)
    recorded = RunFile(request, file.shown.beside.trace)
    space = workspace.current().id
    id = run_id(file.shown.run, space, browser.is_own_machine())
    start.show_earlier(start.recorded_elsewhere(recorded, space, id=id))
    st.switch_page("app.py", query_params=workspace.address(**view))


def compare(file: OpenedFile) -> None:
    """Show the run and other modes as the columns of Compare."""
    _put(file)
    handover.displace_columns()
    st.switch_page("pages/compare.py", query_params=workspace.address())


def _open_button(file: OpenedFile, problem: str | None) -> bool:
    """Draw the button that opens the run; True if it was pressed to open it in the Playground."""
    if problem is not None and file.shown.run.calls:
        as_recorded_button(file)
        return False
    return st.button(
        "Open as a run",
        type="primary",
        icon=":material/open_in_new:",
        disabled=problem is not None,
    )


def as_recorded_button(file: OpenedFile) -> None:
    """Draw the button that shows the run as it was recorded."""
    st.button(
        "Open as recorded",
        type="primary",
        icon=":material/visibility:",
        on_click=file.look_at_recording,
        args=(True,),
        help="Its prompts, answers, tokens and times as they are in the trace.",
    )


def _put(file: OpenedFile) -> Request:
    """Give the pages the settings of the run, which can be opened; returns what they ask."""
    run, request = file.shown.run, file.shown.request
    assert request is not None
    workspace.current().values[keys.RECORDED] = recorded_of(run)
    handover.put(request, file.name, file.origin, **settings_beside(run, request))
    return Request.of(state.current())


def run_id(run: ImportedRun, space: str, shared: bool) -> str | None:
    """The id under which the run is saved in a workspace; None if its trace has none.

    Where the runs of all workspaces are `shared`, as on one's own machine, it is the same in all.
    """
    owner = "" if shared else space
    return sha256(f"{owner} {run.identity}".encode()).hexdigest()[:32] if run.identity else None


def save(opened: OpenedRun, space: str, shared: bool) -> bool:
    """Save a run that the pages can hold, unless it was saved before; HistoryError.

    Returns whether it can be saved.
    """
    id, request = run_id(opened.run, space, shared), opened.request
    if id is None or request is None:
        return False
    if not summaries.is_there(history.history(), id):
        file = RunFile(held_request(opened.run, request), opened.beside.trace)
        start.recorded_elsewhere(file, space, start.LIVE, id)
    return True
