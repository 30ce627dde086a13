"""Which threads a test may leave behind: none that do anything while the next test runs."""

import asyncio
import sys
import threading
from time import monotonic, sleep
from traceback import format_stack

from synth.llms import connection

_OF_REQUESTS = 0.5  # seconds in which a request ends by itself
_PATIENCE = 20.0  # seconds in which a thread ends that was told to

_WAITING = {
    "asyncio_": "_worker",
    "lookup": "_worker",
    "receiver": "_worker",
    "synth-calls": "_worker",
    "synth-runs": "_worker",
    "synth-requests": "select",
    "tqdm_monitor": "wait",
}
"""Threads that stay, by the beginning of their names, and the function in which each waits.

Those of pools wait for work, the loop of the requests for the next one. tqdm's looks every ten
seconds at bars of progress.
"""


def workspaces() -> set[str]:
    if "streamlit" not in sys.modules:
        return set()
    from ui.session.workspace import registry  # noqa: PLC0415  as slow as Streamlit to import

    return {space.id for space in registry().all()}


def end_what_pages_started(known: set[str]) -> None:
    """End what a server does by itself; forget what is unsaved, and workspaces not `known`."""
    if "streamlit" not in sys.modules:
        return
    from ui.session.workspace import registry  # noqa: PLC0415
    from ui.store.store import current_store  # noqa: PLC0415
    from ui.workspaces import opening, saving  # noqa: PLC0415

    for id in workspaces() - known:
        if (space := registry().spaces.pop(id, None)) is not None:
            space.stop()
    for start in (saving.saver, opening._begin):
        start.clear()
    current_store().waiting.clear()


def left(before: set[threading.Thread]) -> list[threading.Thread]:
    """The threads that were not there before, and neither end nor wait for something to do."""
    begin, asks = monotonic(), True
    while found := [thread for thread in threading.enumerate() if _works(thread, before)]:
        waited = monotonic() - begin
        if waited > _PATIENCE:
            return found
        if waited > _OF_REQUESTS and asks:
            _cancel_requests()
            asks = False
        sleep(0.002)
    return []


def _cancel_requests() -> None:
    """Cancel the requests that a run which was stopped still waits for."""
    if connection._loop.cache_info().currsize:
        for task in asyncio.all_tasks(loop := connection._loop()):
            loop.call_soon_threadsafe(task.cancel)


def words(threads: list[threading.Thread]) -> str:
    frames = sys._current_frames()
    stacks = ["".join(format_stack(frames.get(thread.ident or 0))) for thread in threads]
    return "\n".join(f"{one.name}:\n{stack}" for one, stack in zip(threads, stacks, strict=True))


def _works(thread: threading.Thread, before: set[threading.Thread]) -> bool:
    if thread in before or not thread.is_alive():
        return False
    [*waits] = (at for name, at in _WAITING.items() if thread.name.startswith(name))
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code.co_name not in waits
