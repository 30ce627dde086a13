"""Work that can be ended: functions that are called in a process of their own.

How long a parser takes for a foreign file, or a plan for a long text, can't always be bounded from
inside. Python can't end a thread, but it can end a process: when its time or memory is used up,
and three seconds after nobody waits for it any more, because the tab was closed or something else
was entered.
"""

import gc
import os
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from threading import Condition, Lock, Timer
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from loky import ProcessPoolExecutor
from loky.backend import get_context
from streamlit.runtime.scriptrunner import get_script_run_ctx

from synth.errors import SynthError
from synth.modes import plugins
from ui.session import workspace

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 20.0
"""How long a function may take, from when it has a process."""

MEMORY = 1_000_000_000
"""How many bytes of data a process may have in memory."""

MOST_HERE = 100_000
"""Up to how much work, in characters of text to read, a function is called in the server's process.

With two cores that takes the server about a tenth of a second, in which nobody else is answered.
"""

_COLLECTIONS = (20_000, 100, 2)
"""The thresholds of Python's garbage collection, as `gc.set_threshold` takes them.

The first is how many objects are made and still exist before the young ones are read; the
second and third say after how many such readings older ones, and then all, are read. An edit
leaves about 1,500 objects. So the objects of all sessions are read once in some thousands of
edits: with sixty sessions this takes half a second, in which the server answers nobody.
"""

_PROCESSES = 2  # at once
_IDLE = 120  # seconds without work, after which a process ends
_LOOK = 0.02  # seconds between two looks whether anybody still waits

_UNAWAITED = 3.0
"""Seconds that a function may go on for which nobody waits any more.

About as long as a process takes to start and to count a long text. The next edit in the same tab
waits at most so long for what the edit before it began, and finds what the process remembers.
"""

# By how many bytes a process may grow before loky starts it anew. What it remembers of texts takes
# up to about 400 MB, which a process that is started anew does not know.
_ENVIRONMENT = {"LOKY_MAX_MEMORY_LEAK_SIZE": "600_000_000"}
_NICE = 5  # the server's own process, which draws everybody's edits, comes first


class TookTooMuch(SynthError):
    """A function was ended before it had a result; the message says why: "took more than ..."."""


class _Worker:
    """A process that calls one function at a time; it is started at the first call."""

    def __init__(self) -> None:
        self.tab: str | None = None  # for which it works, or has worked
        self.free = True
        self._executor: ProcessPoolExecutor | None = None
        self._latest: Future[Any] | None = None  # what it calls, or has called
        self._starts_or_ends = Lock()

    def call(self, function: Callable[[], T]) -> T:
        """The result of the function, or what it raises; TookTooMuch if it is ended."""
        try:
            self._wait_until_free()
            self._latest = future = self._started().submit(function)
            return _awaited(future)
        except (BrokenProcessPool, MemoryError) as problem:
            self._end()
            raise TookTooMuch(f"needed more than {MEMORY / 1e9:g} GB of memory") from problem
        except TookTooMuch:
            self._end()
            raise
        finally:
            self._end_later()

    def _wait_until_free(self) -> None:
        """Wait for a function that goes on though nobody waits for it any more."""
        while (latest := self._latest) is not None and not latest.done():
            wait([latest], _LOOK)
            _require_somebody()

    def _started(self) -> ProcessPoolExecutor:
        """The process; its start, which takes long on a busy machine, has a time of its own."""
        with self._starts_or_ends:
            if self._executor is not None:
                return self._executor
            self._executor = executor = ProcessPoolExecutor(
                1,
                context=get_context("loky"),
                timeout=_IDLE,
                initializer=_begin,
                env=_ENVIRONMENT,
            )
        self._latest = executor.submit(os.getpid)
        _awaited(self._latest)
        return executor

    def _end_later(self) -> None:
        """End the process if it still works when its time for what nobody waits for is over."""
        if (latest := self._latest) is not None and not latest.done():
            timer = Timer(_UNAWAITED, self._end_if_at, [latest])
            timer.daemon = True
            timer.start()

    def _end_if_at(self, latest: Future[Any]) -> None:
        with self._starts_or_ends:
            if self._latest is latest and not latest.done():
                self._end()

    def _end(self) -> None:
        executor, self._executor, self._latest = self._executor, None, None
        if executor is not None:
            executor.shutdown(wait=False, kill_workers=True)


class _Process:
    """What a process of `apart` knows of itself; in the server's own process `apart` is False."""

    apart = False


def collect_seldom() -> None:
    """Have Python look seldom for garbage, and never in what is there now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)


def _begin() -> None:
    """Prepare a process that has just started: its functions have a memory of their own."""
    _Process.apart = True
    workspace.stand_in()
    with suppress(SynthError):  # the server says which mode is missing
        plugins.load()
    collect_seldom()
    if os.name == "posix":  # Windows has neither
        import resource  # noqa: PLC0415

        os.nice(_NICE)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


_workers = [_Worker() for _ in range(_PROCESSES)]  # in the order of their use
_used = Condition()


def apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a function of a module, called in another process, or what it raises there.

    TookTooMuch if its time or its memory is used up. It waits for a free process as long as it
    takes, since what goes on there is bounded. If the tab that waits is closed, or if something
    else is entered there, the run of the script ends, and soon after it the function.
    """
    with _free_worker() as worker:
        return worker.call(partial(function, *args, **kwargs))


def apart_if_long(work: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """`apart` for more work than MOST_HERE; the result of the function, called here, for less.

    Such a function may use the memory of a workspace: it is called with that of its process.
    """
    if work <= MOST_HERE or _Process.apart:
        return function(*args, **kwargs)
    return apart(function, *args, **kwargs)


def remembered_in_time(
    kind: str,
    key: Hashable,
    work: int,
    instead: Callable[[TookTooMuch], T],
    function: Callable[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The result of a function, from memory if it was made for this key, else by `apart_if_long`.

    Where that takes too much, `instead` gives what stands in its place.
    """

    def in_time() -> T:
        try:
            return apart_if_long(work, function, *args, **kwargs)
        except TookTooMuch as problem:
            return instead(problem)

    return workspace.current().remembered(kind, key, in_time)


@contextmanager
def _free_worker() -> Iterator[_Worker]:
    """The process that knows the texts of this tab, else the free one that was used last.

    An edit waits for what the edit before it began in the same tab: another process would have to
    be started and to count the texts.
    """
    context = get_script_run_ctx(suppress_warning=True)
    tab = None if context is None else context.session_id
    while (worker := _taken(tab)) is None:
        _require_somebody()
    try:
        yield worker
    finally:
        with _used:
            worker.free = True
            _workers.remove(worker)
            _workers.append(worker)
            _used.notify()


def _taken(tab: str | None) -> _Worker | None:
    with _used:
        known = [worker for worker in _workers if tab is not None and worker.tab == tab]
        free = [worker for worker in known or _workers if worker.free]
        if not free:
            _used.wait(_LOOK)
            return None
        free[-1].tab, free[-1].free = tab, False
        return free[-1]


def _awaited(future: Future[T]) -> T:
    ends = monotonic() + SECONDS
    while True:
        try:
            return future.result(_LOOK)
        except TimeoutError:
            if future.done():  # the function itself raised it
                raise
            if monotonic() > ends:
                raise TookTooMuch(f"took more than {SECONDS:g} seconds") from None
            _require_somebody()


def _require_somebody() -> None:
    """Raise Streamlit's own exception if nobody waits any more."""
    if context := get_script_run_ctx(suppress_warning=True):
        context.yield_check()
