"""Workspaces come back when their address is opened again; what others made is opened in a new one.

So nothing of one's own is lost.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.export import links
from ui.controls import handover
from ui.history import history as opened
from ui.history import workspaces
from ui.history.history import History
from ui.history.run_file import RunFile
from ui.history.saved_run import SavedRun, latest
from ui.kept import deletion, files
from ui.kept.saving import saver
from ui.kept.values import from_json
from ui.pages.compare.run_slots import ComparedRuns, SlotRun
from ui.runs.branches import Runs
from ui.runs.start import COMPARE, PLAYGROUND, recorded_elsewhere, reopened
from ui.session import browser, keys, workspace
from ui.session.workspace import Workspace
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, Settings

LINK = "open"
"""The parameter of an address that holds a whole workspace."""


def take_link() -> SynthError | None:
    """Open the workspace that the address holds, if it holds one; the problem if it can't be."""
    letters = st.query_params.get(LINK)
    if letters is None:
        return None
    try:
        space = in_new_workspace(links.unpacked(letters))
    except SynthError as problem:
        return problem
    st.query_params.from_dict({"w": space.id})
    st.session_state[keys.WORKSPACE] = space.id
    return None


def in_new_workspace(text: str) -> Workspace:
    """A new workspace with what this file holds; SynthError for a file that can't be opened."""
    file = files.read(text)
    space = workspace.registry().find(None)
    if isinstance(file, RunFile):
        _show(file, space)
        return space
    space.values.update(file.values)
    space.values[keys.GONE] = file.gone
    by_slot = space.holding(ComparedRuns).by_slot
    for slot, run in file.runs.items():
        by_slot[slot] = SlotRun(run.request, recorded_elsewhere(run, space.id, COMPARE))
    return space


def _show(file: RunFile, space: Workspace) -> None:
    """Put a run into a workspace, whose settings become those of the run, but for an endpoint."""
    request, model = file.request.with_own_chunk_list(), file.request.model
    settings = handover.settings_of(request)
    settings |= replace(model, address="").settings
    space.values[keys.SETTINGS] = DEFAULT.with_(settings)
    file = replace(file, request=request)
    space.holding(Runs).begin(recorded_elsewhere(file, space.id))


def enter() -> SynthError | None:
    """Enter the workspace of this tab, from the database if this server does not have it.

    On one's own machine the bare address opens the workspace that was saved last; `w=new` in it
    opens a new one. Returns the problem that keeps workspaces from being loaded.
    """
    problem = None
    _begin()
    id = workspace.named()
    if id is None or not workspace.registry().has(id):
        if id is not None and deletion.is_deleted(id):
            deletion.leave()
        problem = _load(workspace.named())
    workspace.enter()
    return problem


@st.cache_resource(show_spinner=False)
def _begin() -> None:
    """Save workspaces from now on, and bring back those that left memory."""
    workspace.registry().bring_back = _bring_back
    saver()


def _load(id: str | None) -> SynthError | None:
    """Bring what was saved under this id into memory."""
    try:
        history = opened.history()
        bare = id is None and st.query_params.keys() <= {"w"}  # no link to something else
        id = workspaces.latest(history) if bare and browser.is_own_machine() else id
        if id is None:
            return None
        values, run, names = _saved(history, id)
    except SynthError as problem:
        return problem
    if values or run is not None:
        _restore(id, values, run, names)
    return None


def _saved(history: History, id: str) -> tuple[dict[str, Any], SavedRun | None, Collection[str]]:
    """The values and the latest run that are saved of a workspace, and the saved names."""
    data = workspaces.load(history, id)
    values, run = from_json(data), latest(history, id, PLAYGROUND)
    if run is not None and workspaces.older_than(history, id, run.summary.id):
        values, run = _caught_up(values, run)
    return values, run, data.keys()


def _caught_up(values: Mapping[str, Any], run: SavedRun) -> tuple[dict[str, Any], SavedRun]:
    """The values with the settings of a run that began after they were saved, and the run.

    A server that is killed in the seconds between the two has saved the run, with all that it was
    asked, but not the edits that led to it. The chunk list is kept if the run was sent chunks of
    it. Else the run's chunks are the list, in the order in which they were sent, and the request
    of the run says so.
    """
    request, before = run.request, values.get(keys.SETTINGS, DEFAULT)
    settings = handover.settings_of(request, handover.RUN)
    settings |= request.model.settings
    if _sends(before, request):
        del settings["chunks"]
        if any(score is not None for score in request.scores):
            settings |= {"selection": "top", "similarity_top_k": len(request.text_chunks)}
    else:
        request = request.with_own_chunk_list()
    return {**values, keys.SETTINGS: before.with_(settings)}, replace(run, request=request)


def _sends(settings: Settings, request: Request) -> bool:
    """Whether the chunks of these settings are those of the request, in all its places."""
    on = {position: chunk.text for position, chunk in enumerate(settings.chunks) if chunk.on}
    if tuple(on.get(position) for position in request.positions) != request.text_chunks:
        return False
    return any(score is not None for score in request.scores) or len(on) == len(request.text_chunks)


def _bring_back(id: str) -> None:
    """Take a workspace into memory again; where that fails, the next page says why."""
    if deletion.is_deleted(id):
        st.session_state[keys.LEFT_DELETED] = True
        return
    with suppress(SynthError):
        values, run, names = _saved(opened.history(), id)
        if values or run is not None:
            _restore(id, values, run, names)


def _restore(id: str, values: dict[str, Any], run: SavedRun | None, names: Collection[str]) -> None:
    space = Workspace(id, values)
    if run is not None:
        space.holding(Runs).begin(reopened(run))
    workspace.registry().restore(space)
    saver().note(space, names)
    st.session_state[keys.WORKSPACE] = id
