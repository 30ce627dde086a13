"""What nobody looks at leaves the memory of the server, by a clock and not by the next visitor.

Results are made again. A workspace that is saved comes back from the database when somebody opens
it again, or goes on in a tab that stayed open. The clock is that of `saving.py`.
"""

import gc
from collections.abc import Callable
from contextlib import suppress

from streamlit import runtime

from ui.session.workspace import Registry, Workspace


def forget(registry: Registry, is_saved: Callable[[Workspace], bool]) -> None:
    """Forget what nobody looks at."""
    registry.forget_results()
    count = len(registry.spaces)
    registry.forget_spaces(is_saved)
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
