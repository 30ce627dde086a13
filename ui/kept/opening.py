"""What was shared is opened in a new workspace, so that nothing of one's own is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.export import links
from ui.compare.run_slots import ComparedRuns, SlotRun
from ui.controls.handover import settings_of
from ui.history.run_file import RunFile
from ui.history.saved_run import SavedRun
from ui.kept import files
from ui.run.runner import COMPARE, recorded_elsewhere
from ui.run.runs import Runs
from ui.session import keys, workspace
from ui.session.workspace import Workspace
from ui.settings import state

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
    by_slot = space.holding(ComparedRuns).by_slot
    for slot, run in file.runs.items():
        by_slot[slot] = SlotRun(run.request, recorded_elsewhere(run, space.id, COMPARE))
    return space


def copy_of(values: Mapping[str, Any], run: SavedRun | None) -> Workspace:
    """A new workspace with what others may have of these values, and with a copy of the run."""
    space = workspace.registry().find(None)
    space.values.update(files.shared(values))
    if run is not None:
        space.holding(Runs).begin(recorded_elsewhere(RunFile.of(run), space.id))
    return space


def _show(file: RunFile, space: Workspace) -> None:
    """Put a run into a workspace, whose settings become those of the run, but for an endpoint."""
    count, model = len(file.request.chunks), file.request.model
    request = replace(file.request, positions=tuple(range(count)), scores=(None,) * count)
    space.values.update(settings_of(request))
    if model.kind in state.LABELS["model"]:
        space.values |= {"model": model.kind, "model_name": model.name}
        space.values |= {"temperature": model.temperature, "seed": model.seed}
    file = replace(file, request=request)
    space.holding(Runs).begin(recorded_elsewhere(file, space.id))
