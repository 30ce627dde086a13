"""The workspace of a browser tab: what must survive a refresh, and the run that goes on.

It is found by `w` in the URL, an id that nobody can guess, since whoever knows it sees
everything in it. A key is never kept here: it stays in the session that it was typed into.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import streamlit as st

from ui.session import keys

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

ANSWERS = "answers"
"""The kind of results that are kept as long as the workspace: what models have said."""

_KEPT_SECONDS = 12 * 3600  # since somebody last looked
_IDLE_SECONDS = 180  # after which results are made again instead of kept
_REMEMBERED = 20  # results of each kind: nine modes in both behaviours, and a few more


class Holding:
    """What one room keeps in a workspace; a subclass is made without arguments."""

    @property
    def running(self) -> bool:
        """Whether it has a run that goes on, so that the workspace must stay."""
        return False


H = TypeVar("H", bound=Holding)


@dataclass
class Workspace:
    """Settings and texts by name, what other rooms hold, and results that can be made again."""

    id: str
    values: dict[str, Any] = field(default_factory=dict)
    seen: float = 0.0
    _holdings: dict[type[Holding], Holding] = field(default_factory=dict)
    results: dict[str, OrderedDict[Hashable, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def running(self) -> bool:
        """Whether any run goes on."""
        return any(held.running for held in self._holdings.copy().values())

    def holding(self, kind: type[H]) -> H:
        """The one object of this kind that the workspace holds, made when it is first asked for."""
        return cast(H, self._holdings.setdefault(kind, kind()))

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

    def remembered_together(
        self, kind: str, keys: Iterable[K], make: Callable[[K], T]
    ) -> dict[K, T]:
        """The results of all these keys, however many; those of other keys are let go."""
        with self._lock:
            known: dict[Hashable, Any] = dict(self.results.get(kind, {}))
        found = {key: known[key] if key in known else make(key) for key in keys}
        with self._lock:
            self.results[kind] = OrderedDict(found.items())
        return found

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
    named = st.query_params.get("w") or st.session_state.get(keys.WORKSPACE)
    space = registry().find(named)
    st.session_state[keys.WORKSPACE] = space.id
    if st.query_params.get("w") != space.id:
        st.query_params["w"] = space.id
    _here.set(space)
    return space


def current() -> Workspace:
    """The workspace of this tab, looked for once a run."""
    return _here.get() or enter()
