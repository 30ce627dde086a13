"""Workspaces come back by their address, or go; what others made is opened in a new one."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.export.files import unpack
from ui.controls import handover
from ui.runs.start import PLAYGROUND, Runs, reopen, show_recorded
from ui.session import browser, keys, workspace
from ui.session.workspace import Workspace
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.run_json import Run
from ui.store.store import current_store
from ui.workspaces import files
from ui.workspaces.saving import saver

LINK = "open"
"""The parameter of an address that holds a whole workspace."""


def take_link() -> SynthError | None:
    """Open the workspace that the address holds, if it holds one; the problem if it can't be."""
    letters = st.query_params.get(LINK)
    if letters is None:
        return None
    try:
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
        return space
    space.values.update(file)
    return space


def _show(file: Run, space: Workspace) -> None:
    """Put a run into a workspace, whose settings become those of the run, but for an endpoint."""
    request, model = file.request.with_own_chunk_list(), file.request.model
    settings = handover.settings_of(request)
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
    bare = st.query_params.keys() <= {"w"}
    return (
        saved_runs.find_latest_workspace(current_store())
        if bare and browser.is_own_machine()
        else None
    )


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
    workspace.registry().restore(space)
    saver().note(space)
    st.session_state[keys.WORKSPACE] = id


def delete(id: str) -> None:
    """Delete this workspace now, and stop its runs; StoreError, and all stays, if refused."""
    store = current_store()
    saved_runs.delete_workspace(store, id)
    if (space := workspace.registry().remove(id)) is not None:
        space.stop()
    store.forget(id)
    saved_runs.delete_workspace(store, id)  # what was saved of it meanwhile


def leave() -> None:
    """Let this tab forget the workspace that it was in, and begin a new one that says so."""
    st.session_state.clear()
    st.session_state[keys.LEFT_DELETED] = True
    st.query_params.from_dict({"w": "new"})
