"""Workspaces are saved while people work, and come back when their address is opened again.

A thread compares the workspaces every two seconds with what it saved of them, so that drawing
waits for nothing. A server that is stopped saves once more; one that is killed can lose two
seconds of edits, and nothing else.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping
from contextlib import suppress
from time import sleep
from typing import Any

import streamlit as st

from synth.errors import SynthError
from ui.history import changes, workspaces
from ui.history import history as opened
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.saved_run import latest
from ui.kept.values import from_json, kept, to_json
from ui.run.runner import PLAYGROUND, reopened
from ui.run.runs import Runs
from ui.session import keys, own_machine, workspace
from ui.session.workspace import Registry, Workspace

_EVERY = 2.0  # seconds
_NOTHING: Mapping[str, Any] = {}


class Saver:
    """Saves what has changed in the workspaces of a registry. `problem` says why it can't."""

    def __init__(self, registry: Registry) -> None:
        self.problem: SynthError | None = None
        self._registry = registry
        self._lock = threading.Lock()
        self._saved: dict[str, Mapping[str, Any]] = {}

    def start(self) -> None:
        """Save every two seconds, in a thread of its own, and when the process ends."""
        threading.Thread(target=self._work, daemon=True).start()
        atexit.register(self.save)

    def note(self, space: Workspace) -> None:
        """Take what a workspace holds now as saved."""
        self._saved[space.id] = kept(space.values.copy())

    def has_saved(self, space: Workspace) -> bool:
        """Whether the workspace as it is now is in the database."""
        return self._saved.get(space.id, _NOTHING) == kept(space.values.copy())

    def save(self) -> None:
        """Save what has changed since it was saved last."""
        with self._lock:
            spaces = self._registry.all()
            for gone in self._saved.keys() - {space.id for space in spaces}:
                del self._saved[gone]
            for space in spaces:
                values = kept(space.values.copy())
                before = self._saved.get(space.id, _NOTHING)
                # Values are replaced, never changed, so most are compared by identity.
                if values != before:
                    self._save(space.id, before, values)

    def _save(self, id: str, before: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        nothing = object()
        changed = {
            name: value for name, value in values.items() if before.get(name, nothing) != value
        }
        history = opened.history()
        try:
            if isinstance(history, HistoryError):
                raise history
            workspaces.save(history, id, to_json(changed), before.keys() - values.keys())
        except SynthError as problem:
            self.problem = problem  # it is tried again
        else:
            self.problem = None
            self._saved[id] = values

    def _work(self) -> None:
        self._purge()
        while True:
            sleep(_EVERY)
            self.save()

    def _purge(self) -> None:
        history = opened.history()
        if isinstance(history, History):
            with suppress(HistoryError):  # the next start of a server tries it again
                changes.purge(history)


@st.cache_resource(show_spinner=False)
def saver() -> Saver:
    """The saver of this server."""
    made = Saver(workspace.registry())
    workspace.registry().bring_back = _bring_back
    made.start()
    return made


def enter() -> SynthError | None:
    """Enter the workspace of this tab, from the database if this server does not have it.

    On one's own machine the bare address opens the workspace that was saved last; `w=new` in it
    opens a new one. Returns the problem that keeps workspaces from being saved or loaded.
    """
    problem = saver().problem
    id = workspace.named()
    if id is None or not workspace.registry().has(id):
        problem = _restore(id) or problem
    workspace.enter()
    return problem


def _restore(id: str | None) -> SynthError | None:
    history = opened.history()
    if isinstance(history, HistoryError):
        return history
    try:
        bare = id is None and st.query_params.keys() <= {"w"}  # no link to something else
        id = workspaces.latest(history) if bare and own_machine.is_this() else id
        if id is not None and _take_back(history, id):
            st.session_state[keys.WORKSPACE] = id
    except SynthError as problem:
        return problem
    return None


def _bring_back(id: str) -> None:
    """Take a workspace into memory again; where that fails, the next page says why."""
    history = opened.history()
    if isinstance(history, History):
        with suppress(SynthError):
            _take_back(history, id)


def _take_back(history: History, id: str) -> bool:
    """Take a saved workspace into memory; False if nothing of it was saved."""
    saved = _loaded(history, id)
    if saved is None:
        return False
    workspace.registry().restore(saved)
    saver().note(saved)
    return True


def _loaded(history: History, id: str) -> Workspace | None:
    """The saved workspace with its latest run; None if nothing of it was saved."""
    values = from_json(workspaces.load(history, id))
    run = latest(history, id, PLAYGROUND)
    if not values and run is None:
        return None
    space = Workspace(id, values)
    if run is not None:
        space.holding(Runs).begin(reopened(run))
    return space
