"""What nobody looks at leaves the memory of the server, by a clock and not by the next visitor.

Results are made again. A workspace that is saved comes back from the database when somebody opens
it again, or goes on in a tab that stayed open.
"""

import gc
import logging
from contextlib import suppress

import streamlit as st
from streamlit import runtime

from ui.clock import Clock
from ui.kept.saving import saver
from ui.session import workspace

_log = logging.getLogger(__name__)
_EVERY = 10.0  # seconds


@st.cache_resource(show_spinner=False, on_release=Clock.end)
def start() -> Clock:
    """Forget by the clock."""
    return Clock(_EVERY, _turn)


def _turn() -> None:
    try:
        forget()
    except Exception:  # without the next time, memory would only grow
        _log.exception("Not all was forgotten this time.")


def forget() -> None:
    """Forget what nobody looks at."""
    registry = workspace.registry()
    registry.forget_results()
    count = len(registry.spaces)
    registry.forget_spaces(saver().has_saved)
    if len(registry.spaces) < count:
        gc.collect()  # their sessions refer to themselves
    if runtime.exists():
        _let_sessions_go()


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
