"""The workspace of a browser tab, found by `w` in the URL; no key is ever in it."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.session import keys

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

ANSWERS = "answers"
"""The kind of the results that are kept as long as the workspace: the answers of models."""

# Seconds without a visit, after which a workspace leaves memory; a tab that is open visits each
# minute.
_IDLE = 300
_MOST_RESULTS = 16  # results of each kind: those of all cards before an edit and after it


class Holding:
    """The part of a workspace that belongs to one room; a subclass takes no arguments."""

    @property
    def busy(self) -> bool:
        """Whether it must stay in memory: a run in it goes on, or something is not saved yet."""
        return False

    def stop(self) -> None:
        """Stop what goes on in it: its workspace is deleted."""


H = TypeVar("H", bound=Holding)


@dataclass
class Workspace:
    """Settings and texts by name, the holdings of rooms, and results that can be made again."""

    id: str
    values: dict[str, Any] = field(default_factory=dict)
    seen: float = field(default_factory=time.monotonic)
    _holdings: dict[type[Holding], Holding] = field(default_factory=dict)
    results: dict[str, OrderedDict[Hashable, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def busy(self) -> bool:
        """Whether any run goes on, or is not saved yet."""
        return any(holding.busy for holding in self._holdings.copy().values())

    def holding(self, kind: type[H]) -> H:
        """Return the object of this class that the workspace holds, made at the first call."""
        return cast(H, self._holdings.setdefault(kind, kind()))

    def remember(
        self, kind: str, key: Hashable, make: Callable[[], T], most: int = _MOST_RESULTS
    ) -> T:
        """Return what `make` gives for this key, from memory if it is among the latest results."""
        with self._lock:  # two tabs of one workspace are two threads
            stored = self.results.setdefault(kind, OrderedDict())
            if key in stored:
                stored.move_to_end(key)
                return cast(T, stored[key])
        made = make()
        with self._lock:
            stored = self.results.setdefault(kind, OrderedDict())
            kept = stored.setdefault(key, made)  # another tab may have been faster
            while len(stored) > max(most, _MOST_RESULTS):
                stored.popitem(last=False)
        return cast(T, kept)

    def latest(self, kind: str, otherwise: T) -> T:
        """Return the result of a kind that was made or used last."""
        with self._lock:
            results = self.results.get(kind)
            return cast(T, next(reversed(results.values()))) if results else otherwise

    def remember_all(self, kind: str, keys: Iterable[K], make: Callable[[K], T]) -> dict[K, T]:
        """Return the results of all these keys, however many; the oldest others are forgotten."""
        keys = tuple(keys)
        return {key: self.remember(kind, key, partial(make, key), len(keys)) for key in keys}

    def stop(self) -> None:
        """Stop what goes on in it."""
        for holding in self._holdings.copy().values():
            holding.stop()


@dataclass
class Registry:
    """The workspaces in memory; `bring_back` takes a saved one there again, `save` saves one."""

    spaces: dict[str, Workspace] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    bring_back: Callable[[str], object] = lambda workspace_id: None
    save: Callable[[Workspace], object] = lambda space: None

    def find(self, workspace_id: str | None) -> Workspace:
        """Return the workspace with this id, or a new one with a new id if there is none."""
        with self.lock:
            space = self.spaces.get(workspace_id or "")
            if space is None:
                space = Workspace(secrets.token_urlsafe(16))
                self.spaces[space.id] = space
            space.seen = time.monotonic()
            return space

    def has(self, workspace_id: str) -> bool:
        """Return whether the workspace with this id is in memory; if so, it was visited now."""
        with self.lock:
            if (space := self.spaces.get(workspace_id)) is not None:
                space.seen = time.monotonic()
            return space is not None

    def all(self) -> list[Workspace]:
        """Return the workspaces in memory."""
        with self.lock:
            return list(self.spaces.values())

    def forget_idle(self) -> None:
        """Forget the workspaces that no tab has open, and in which nothing goes on."""
        for space in self.all():
            with self.lock:  # nobody comes meanwhile
                if time.monotonic() - space.seen > _IDLE and not space.busy:
                    del self.spaces[space.id]


@st.cache_resource(show_spinner=False)
def registry() -> Registry:
    """Return the registry of this server."""
    return Registry()


_current: ContextVar[Workspace | None] = ContextVar("workspace", default=None)
"""The workspace of the script run of this thread: Streamlit starts a thread for each."""


def find_id() -> str | None:
    """Return the id of the workspace that this tab asks for: in the URL, else in the session."""
    named: str | None = st.query_params.get("w") or st.session_state.get(keys.WORKSPACE)
    return named


def enter() -> Workspace:
    """Enter the workspace that this tab asks for, else a new one; each run of a script does."""
    asked_for = find_id()
    # This tab was in it already: only an edit in a tab that was open for long comes here.
    left = asked_for is not None and asked_for == st.session_state.get(keys.WORKSPACE)
    if asked_for and left and not registry().has(asked_for):
        registry().bring_back(asked_for)
    space = registry().find(asked_for)
    st.session_state[keys.WORKSPACE] = space.id
    if st.query_params.get("w") != space.id:
        st.query_params["w"] = space.id
    _current.set(space)
    return space


def current() -> Workspace:
    """Return the workspace of this tab, found once in each script run."""
    return _current.get() or enter()


def give_way() -> None:
    """End this run of the script, by Streamlit's own exception, if something newer was entered."""
    if context := get_script_run_ctx(suppress_warning=True):
        context.yield_check()


def value(key: str, default: T) -> T:
    """Return a value of this tab's workspace; `default` until there is one."""
    return cast(T, current().values.get(key, default))


def address(**more: str) -> dict[str, str]:
    """Return the parameters of an address of this workspace; `more` are further ones."""
    return {"w": current().id} | more


def page_url(params: Mapping[str, str | None]) -> str:
    """Return the whole address of the page that is drawn, with these parameters alone."""
    page = (st.context.url or "").partition("?")[0]
    return f"{page}?{urlencode(params)}" if params else page
