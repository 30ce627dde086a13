"""Workspaces come back by their address, are shared by a link or a file, and go.

What others made is opened in a new one.

The file that `synth app` was given is opened by the first session, as if it was dropped there.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.export.files import unpack
from synth.terminal import FILES
from ui.controls import own_text
from ui.controls.input_changes import settings_of
from ui.pages.runs import actions
from ui.pages.runs.recordings import opened_file
from ui.runs.start import PLAYGROUND, Runs, reopen, show_recorded
from ui.session import browser, keys, workspace
from ui.session.workspace import Workspace
from ui.settings import expected
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.rows import Run
from ui.store.store import current_store
from ui.workspaces import files
from ui.workspaces.saving import saver

LINK = "open"
"""The parameter of an address that holds a whole workspace."""


def take_link() -> SynthError | None:
    """Open the workspace that the address holds, if it holds one; the problem if it can't be."""
    letters = st.query_params.get(LINK)
    try:
        if letters is not None:
            go_to(in_new_workspace(unpack(letters)))
    except SynthError as problem:
        return problem
    return None


def go_to(space: Workspace) -> None:
    """Have this tab enter a workspace."""
    st.query_params.pop(LINK, None)
    st.query_params["w"] = st.session_state[keys.WORKSPACE] = space.id


def in_new_workspace(data: str | bytes) -> Workspace:
    """Make a workspace with what this file holds; SynthError for a file that can't be opened."""
    try:
        file = files.read(data if isinstance(data, str) else data.decode())
    except UnicodeDecodeError:
        raise ImportedRunError("It is no text: choose a file that was saved here.") from None
    space = workspace.registry().find(None)
    if isinstance(file, Run):
        _show(file, space)
    else:
        space.values.update(file)
    return space


def _show(file: Run, space: Workspace) -> None:
    """Put a run into a workspace, whose settings become those of the run, but for an endpoint."""
    request, model = file.request.with_own_chunk_list(), file.request.model
    settings = settings_of(request)
    settings |= replace(model, address="").settings
    space.values[keys.SETTINGS] = DEFAULT.with_(settings)
    file = replace(file, request=request)
    space.holding(Runs).begin(show_recorded(file, space.id))


def enter() -> SynthError | None:
    """Enter the workspace of this tab, from the database if this server does not have it.

    On one's own machine the bare address opens the workspace that was saved last; `w=new` in it
    opens a new one. Returns the problem that keeps workspaces from being loaded.
    """
    problem = None
    _begin()
    id = workspace.find_id()
    if id is None or not workspace.registry().has(id):
        try:
            _restore(id or _latest())
        except SynthError as error:
            problem = error
    workspace.enter()
    return problem


@st.cache_resource(show_spinner=False)
def _begin() -> None:
    workspace.registry().bring_back = _bring_back
    workspace.registry().save = saver().save_space


def _latest() -> str | None:
    """The workspace that a bare address opens, which is no link to something else."""
    if st.query_params.keys() <= {"w"} and browser.is_own_machine():
        return saved_runs.find_latest_workspace(current_store())
    return None


def _bring_back(id: str) -> None:
    """Take a workspace into memory again; where that fails, the next page says why."""
    with suppress(SynthError):
        _restore(id)


def _restore(id: str | None) -> None:
    if id is None:
        return
    store = current_store()
    latest = saved_runs.find_latest(store, id, PLAYGROUND)
    run = None
    with suppress(ImportedRunError):  # who opens it on Runs reads what is wrong with it
        run = saved_runs.load_run(store, id, latest) if latest else None
    values = files.from_json(saved_runs.load_workspace(store, id))
    if not values and run is None:
        return
    space = Workspace(id, values)
    if run is not None:
        space.values.setdefault(keys.SETTINGS, DEFAULT)  # which are not saved
        space.holding(Runs).begin(reopen(run))
    workspace.registry().spaces.setdefault(id, space)  # another tab may have been faster
    saver().note(space)
    st.session_state[keys.WORKSPACE] = id


def delete(id: str) -> None:
    """Delete this workspace now, and stop its runs; StoreError, and all stays, if refused."""
    store = current_store()
    saved_runs.delete_workspace(store, id)
    if (space := workspace.registry().spaces.pop(id, None)) is not None:
        space.stop()
    store.forget(id)
    saved_runs.delete_workspace(store, id)  # what was saved of it meanwhile


def leave() -> None:
    """Let this tab forget the workspace that it was in, and begin a new one that says so."""
    st.session_state.clear()
    st.session_state[keys.LEFT_DELETED] = True
    st.query_params.from_dict({"w": "new"})


def take_given() -> tuple[str, bytes] | None:
    """Take the file into a new workspace, which this tab enters; None but for the first session."""
    if browser.is_own_machine():
        with suppress(IndexError):  # there is none, or another session was faster
            file = FILES.popleft()
            go_to(workspace.registry().find(None))
            return file
    return None


def open_given(name: str, data: bytes) -> Mapping[str, str]:
    """Open the page where such a file belongs; returns why it is none of those that are known."""
    readers = {
        "a workspace": _open_workspace,
        "a trace": _open_trace,
        "chunks": _open_chunks,
        "questions": _open_questions,  # which take any column for one
    }
    problems = {}
    for kind, read in readers.items():
        try:
            page = read(name, data)
            st.switch_page(page, query_params=workspace.address())
        except SynthError as problem:
            problems[kind] = str(problem)
    return problems


def _open_workspace(_: str, data: bytes) -> str:
    go_to(in_new_workspace(data))
    workspace.enter()
    return "app.py"


def _open_trace(name: str, data: bytes) -> str:
    file = opened_file()
    file.read(name, data)
    st.session_state[keys.RUNS_KIND] = "from a file"
    if len(file.runs) == 1 and file.runs[0].request is not None:
        actions.show_recorded(file.runs[0])
    return "pages/runs.py"


def _open_questions(name: str, data: bytes) -> str:
    expected.take(name, data)
    return "pages/compare.py"


def _open_chunks(name: str, data: bytes) -> str:
    readable, problems = own_text.readable_texts([(name, data)])
    if problems:
        raise SynthError(problems[0])
    own_text.put_texts(readable)
    return "app.py"
