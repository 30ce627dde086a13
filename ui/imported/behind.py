"""Work that no page waits for: threads of the server do it, what was asked for last first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from queue import LifoQueue
from typing import Any, TypeVar

import streamlit as st

from ui.session import workspace

T = TypeVar("T")

_MOST = 10_000  # results that stay: keep large ones where they are used
_THREADS = 2  # so that what takes long lets the rest pass


class Behind:
    """Results that are made once, in the background. `made` counts them, for pages that look."""

    def __init__(self) -> None:
        self.made = 0
        self._results: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._waiting: LifoQueue[tuple[Future[Any], Callable[[], Any]]] = LifoQueue()
        self._lock = threading.Lock()
        for _ in range(_THREADS):
            threading.Thread(target=self._work, daemon=True).start()

    def result(self, key: Hashable, make: Callable[[], T]) -> T | None:
        """The result of `make` for this key; None until it is there.

        What it raises is raised once; the next time it is made again.
        """
        with self._lock:
            future = self._results.get(key)
            if future is None:
                future = self._results[key] = Future()
                self._waiting.put((future, make))
            self._results.move_to_end(key)
            if len(self._results) > _MOST:
                self._results.popitem(last=False)
        if not future.done():
            return None
        if future.exception() is not None:
            self.forget(key)
        return future.result()

    def forget(self, key: Hashable) -> None:
        """Forget a result."""
        with self._lock:
            self._results.pop(key, None)

    def clear(self) -> None:
        """Forget all results, those that are being made too."""
        with self._lock:
            self._results.clear()

    def _work(self) -> None:
        workspace.stand_in()
        while True:
            future, make = self._waiting.get()
            try:
                future.set_result(make())
            except Exception as problem:
                future.set_exception(problem)
            with self._lock:
                self.made += 1


@st.cache_resource(show_spinner=False)
def behind() -> Behind:
    """The one of this server."""
    return Behind()
