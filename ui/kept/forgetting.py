"""What nobody looks at leaves the memory of the server, by a clock and not by the next visitor.

Results are made again. A workspace that is saved comes back from the database when somebody opens
it again, or goes on in a tab that stayed open.
"""

from __future__ import annotations

import gc
import logging
import threading
from time import sleep

import streamlit as st
from streamlit import runtime

from ui.kept.saving import saver
from ui.session import memory, workspace

_log = logging.getLogger(__name__)
_EVERY = 10.0  # seconds
_QUIET = 60.0  # seconds without a visit, after which reading all objects delays nobody


@st.cache_resource(show_spinner=False)
def start() -> None:
    """Forget by the clock, in a thread of its own."""
    memory.keep_few_arenas()
    threading.Thread(target=_work, daemon=True).start()


def _work() -> None:
    collected = 0.0
    while True:
        sleep(_EVERY)
        try:
            forget()
        except Exception:  # without the next time, memory would only grow
            _log.exception("Nothing was forgotten this time.")
        latest = max((space.seen for space in workspace.registry().all()), default=0.0)
        if collected < latest and workspace.idle(latest) > _QUIET:
            collected = latest
            gc.collect()
            memory.give_back()


def forget() -> None:
    """Forget what nobody looks at, and give its memory back."""
    registry = workspace.registry()
    forgotten = registry.forget_results()
    forgotten += registry.forget_spaces(saver().has_saved)
    if runtime.exists():
        _let_sessions_go()
    if forgotten:
        memory.give_back()


def _let_sessions_go() -> None:
    """Let go of sessions that were left too long ago to come back, with all that they hold.

    Streamlit does so only when the next one is left.
    """
    running = runtime.get_instance()
    if not hasattr(running, "_session_mgr"):  # it draws a page for a test
        return
    left = running._session_mgr._session_storage._cache  # type: ignore[attr-defined]
    running._get_async_objs().eventloop.call_soon_threadsafe(left.expire)
