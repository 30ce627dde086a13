"""What nobody looks at leaves the memory of the server, by a clock and not by the next visitor.

Results are made again. A workspace that is saved comes back from the database when somebody opens
it again, or goes on in a tab that stayed open.
"""

import ctypes
import gc
import logging
import sys
from contextlib import suppress
from functools import cache
from typing import Any

import streamlit as st
from streamlit import runtime

from ui.clock import Clock
from ui.kept.saving import saver
from ui.session import workspace

_log = logging.getLogger(__name__)
_EVERY = 10.0  # seconds
_QUIET = 60.0  # seconds without a visit, after which reading all objects delays nobody
_M_ARENA_MAX = -8  # malloc.h
_ARENAS = 2


class _Turns:
    """What is done every ten seconds, some of it more seldom."""

    def __init__(self) -> None:
        self._collected = 0.0

    def turn(self) -> None:
        """Forget, and look for garbage if nobody has been there for a minute."""
        try:
            forget()
        except Exception:  # without the next time, memory would only grow
            _log.exception("Not all was forgotten this time.")
        latest = max((space.seen for space in workspace.registry().all()), default=0.0)
        if self._collected < latest and workspace.idle(latest) > _QUIET:
            self._collected = latest
            gc.collect()
            _give_back()


@st.cache_resource(show_spinner=False, on_release=Clock.end)
def start() -> Clock:
    """Forget by the clock."""
    _keep_few_arenas()
    return Clock(_EVERY, _Turns().turn)


def forget() -> None:
    """Forget what nobody looks at, and give its memory back."""
    registry = workspace.registry()
    forgotten = registry.forget_results()
    forgotten += registry.forget_spaces(saver().has_saved)
    if runtime.exists():
        _let_sessions_go()
    if forgotten:
        _give_back()


def _let_sessions_go() -> None:
    """Let go of sessions that were left too long ago to come back, with all that they hold.

    Streamlit does so only when the next one is left.
    """
    running = runtime.get_instance()
    if not hasattr(running, "_session_mgr"):  # it draws a page for a test
        return
    left = running._session_mgr._session_storage._cache  # type: ignore[attr-defined]
    with suppress(RuntimeError):  # the server has just stopped, and its loop is closed
        running._get_async_objs().eventloop.call_soon_threadsafe(left.expire)


def _keep_few_arenas() -> None:
    """Let all threads that begin from now on share two arenas."""
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, _ARENAS)


def _give_back() -> None:
    """Give memory that is free back to the system, where the C library is glibc.

    By itself glibc keeps what was freed, in an arena for each few threads: a server whose people
    have left would stay as large as it was when most of them were there.
    """
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> Any:
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
