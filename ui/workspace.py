"""The workspace of a browser tab: what must survive a refresh, and the run that goes on.

It is found by `w` in the URL, an id that nobody can guess, since whoever knows it sees
everything in it. A key is never kept here: it stays in the session that it was typed into.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

import streamlit as st

from ui.jobs import Job
from ui.request import Request

T = TypeVar("T")

ANSWERS = "answers"
"""The kind of results that are kept as long as the workspace: what models have said."""

_KEPT_SECONDS = 12 * 3600  # since somebody last looked
_IDLE_SECONDS = 180  # after which results are made again instead of kept
_REMEMBERED = 20  # results of each kind: nine modes in both behaviours, and a few more


class Place(NamedTuple):
    """A place in a comparison: the column, which of the questions, which repeat of it."""

    column: str
    question: int = 0
    repeat: int = 0


class Compared(NamedTuple):
    """A run in a comparison, and what its column asked for: other columns may share the run."""

    request: Request
    job: Job


@dataclass
class Workspace:
    """Settings and texts by name, the latest run, and results that need not be made again.

    `jobs` are the run and its branches, in the order they were made; `shown` is one of them.
    `compared` are the runs of the page that sets columns side by side.
    """

    id: str
    values: dict[str, Any] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    shown: int = 0
    compared: dict[Place, Compared] = field(default_factory=dict)
    seen: float = 0.0
    results: dict[str, OrderedDict[Hashable, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def job(self) -> Job | None:
        """The run that is shown."""
        return self.jobs[self.shown] if self.jobs else None

    @property
    def running(self) -> bool:
        """Whether any run goes on."""
        jobs = [*self.jobs, *(compared.job for compared in self.compared.copy().values())]
        return any(job.running for job in jobs)

    def begin(self, job: Job) -> None:
        """Show a new run; the one before and its branches go."""
        self.jobs, self.shown = [job], 0

    def branch(self, job: Job) -> None:
        """Show a branch, beside the runs that are there."""
        self.jobs, self.shown = [*self.jobs, job], len(self.jobs)

    def resume(self, job: Job) -> None:
        """Show a run that goes on where the one shown ended, in its place."""
        self.jobs[self.shown] = job

    def remembered(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gave for this key the last time, or gives now."""
        with self._lock:  # two tabs of one workspace are two threads
            known = self.results.setdefault(kind, OrderedDict())
            if key in known:
                known.move_to_end(key)
                return cast(T, known[key])
        made = make()
        with self._lock:
            known = self.results.setdefault(kind, OrderedDict())
            kept = known.setdefault(key, made)  # where another tab was faster, what it made
            while len(known) > _REMEMBERED:
                known.popitem(last=False)
        return cast(T, kept)

    def forget_results(self) -> None:
        """Let go of all that can be made again; answers were paid for."""
        with self._lock:
            for kind in self.results.keys() - {ANSWERS}:
                del self.results[kind]


@dataclass
class Registry:
    """All workspaces of this server."""

    spaces: dict[str, Workspace] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, name: str | None) -> Workspace:
        """The workspace of that name, or a new one: a name that somebody made up is not taken."""
        with self.lock:
            self._forget()
            space = self.spaces.get(name or "")
            if space is None:
                space = Workspace(secrets.token_urlsafe(16))
                self.spaces[space.id] = space
            space.seen = time.monotonic()
            return space

    def _forget(self) -> None:
        now = time.monotonic()
        for space in list(self.spaces.values()):
            if space.seen < now - _KEPT_SECONDS and not space.running:
                del self.spaces[space.id]
            elif space.seen < now - _IDLE_SECONDS:
                space.forget_results()


@st.cache_resource(show_spinner=False)
def registry() -> Registry:
    """The one registry."""
    return Registry()


_here: ContextVar[Workspace | None] = ContextVar("workspace", default=None)
"""The workspace of the script that runs: Streamlit gives each run a thread of its own."""


def enter() -> Workspace:
    """Find the workspace of this tab: named in the URL, else in the session, else new."""
    asked = st.query_params.get("w") or st.session_state.get("workspace")
    space = registry().find(asked)
    st.session_state["workspace"] = space.id
    if st.query_params.get("w") != space.id:
        st.query_params["w"] = space.id
    _here.set(space)
    return space


def current() -> Workspace:
    """The workspace of this tab, looked for once a run."""
    return _here.get() or enter()
