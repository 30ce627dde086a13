"""One event loop in a thread of its own, where every request to an endpoint waits.

A request can be cancelled there at any moment; a thread that waits for a socket can't be.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

Tell = Callable[[str], None]
Work = Callable[[Tell], Coroutine[Any, Any, T]]


_starting = threading.Lock()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="synth-requests", daemon=True).start()
    return loop


def start(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin the work in that loop; cancelling the future ends it."""
    with _starting:  # the first calls of a run may come from several threads at once
        loop = _loop()
    return asyncio.run_coroutine_threadsafe(work, loop)


def pieces(work: Work[T]) -> Iterator[str | T]:
    """Yield what the work does, and then its result; a caller that stops reading ends the work."""
    arrived: SimpleQueue[str | Future[T]] = SimpleQueue()
    future = start(work(arrived.put))
    future.add_done_callback(arrived.put)
    try:
        while isinstance(piece := arrived.get(), str):
            yield piece
        yield future.result()
    finally:
        future.cancel()
