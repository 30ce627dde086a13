"""A second process that makes plans for the pages while many people are here.

Python runs one thread of a process at a time, so everybody on a server waits for the same
processor. Plans are made in a second process, which gets a function with its arguments through
a pipe, and sends the result back.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import Empty, LifoQueue
from typing import ParamSpec, TypeVar

import streamlit as st

from synth import plugins
from ui.session import turns, workspace

P = ParamSpec("P")
T = TypeVar("T")

_PEOPLE = 8  # with fewer, hardly two of them edit at the same moment
_PIPES = 16  # threads that wait for a result at once, each at a pipe of its own
_PATIENCE = 1.0  # seconds; what another person waits for there may be a plan that never ends
_MOST_BYTES = 100_000  # of a question; one with more text takes long, and others would wait
_log = logging.getLogger(__name__)


class Unavailable(Exception):
    """The second process gave no result.

    It is starting, busy or gone, the question is too long for it, or the function failed.
    """


class SecondProcess:
    """A process that is asked through several pipes, and answers one question after the other.

    `ready` is set once it can be asked. `ended` says that it could be asked, but is gone.
    """

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.ended = False
        self._free: LifoQueue[Connection] = LifoQueue()
        self._late: deque[Connection] = deque()  # pipes whose answers nobody waits for any more
        threading.Thread(target=self._start, daemon=True).start()

    def _start(self) -> None:
        pipes = [Pipe() for _ in range(_PIPES)]
        theirs = [pipe.fileno() for _, pipe in pipes]
        subprocess.Popen(
            [sys.executable, "-m", __name__, *map(str, theirs)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=theirs,
        )
        for ours, other in pipes:
            other.close()
            self._free.put(ours)
        try:
            pipes[0][0].recv()
        except EOFError:
            _log.warning("The second process did not start: this one makes all plans.")
        else:
            self.ready.set()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function of a module, called there; Unavailable if there is none."""
        if not self.ready.is_set() or self.ended:
            raise Unavailable
        question = pickle.dumps((workspace.current().id, function, args, kwargs))
        if len(question) > _MOST_BYTES:
            raise Unavailable
        try:
            self._take_late_answers()
            pipe = self._free.get_nowait()
            pipe.send_bytes(question)
            if not pipe.poll(_PATIENCE):
                self._late.append(pipe)
                raise Unavailable
            answer = pipe.recv_bytes()
        except Empty:
            raise Unavailable from None
        except (OSError, EOFError) as problem:
            self.ended = True
            raise Unavailable from problem
        self._free.put(pipe)
        done, result = pickle.loads(answer)
        if not done:
            raise Unavailable
        return result  # type: ignore[no-any-return]

    def _take_late_answers(self) -> None:
        for _ in range(len(self._late)):
            try:
                pipe = self._late.popleft()
            except IndexError:  # another thread was faster
                return
            if pipe.poll():
                pipe.recv_bytes()
                self._free.put(pipe)
            else:
                self._late.append(pipe)


class _Latest:
    """The second process of this server; after its end, another one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: SecondProcess | None = None

    def __call__(self) -> SecondProcess:
        with self._lock:
            if self._process is not None and self._process.ended:
                _log.warning("The second process has ended; another one is started.")
                self._process = None
            if self._process is None:
                self._process = SecondProcess()
            return self._process


_second = _Latest()


def ask(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a function, called in the second process; Unavailable if there is none.

    The function is one of a module. Its result depends on its arguments alone; it may use the
    memory of the workspace.
    """
    with turns.meanwhile():
        return _second().call(function, *args, **kwargs)


def is_worthwhile() -> bool:
    """Whether so many people are here that plans should be made there, and it can be had."""
    one_processor = (os.cpu_count() or 1) == 1
    if st.context.url is None or one_processor or os.name == "nt":  # Windows hands on no pipes
        return False
    return workspace.registry().in_use() >= _PEOPLE


def _serve(pipes: Sequence[Connection]) -> None:
    """Answer questions until the server ends, each with the memory of its workspace."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl+C ends the server first
    plugins.load()
    spaces = workspace.Registry()
    pipes[0].send("ready")
    while True:
        for pipe in wait(pipes):
            assert isinstance(pipe, Connection)
            try:
                question = pipe.recv_bytes()
            except EOFError:
                return
            pipe.send_bytes(_answer(spaces, question))


def _answer(spaces: workspace.Registry, question: bytes) -> bytes:
    """Whether the function gave a result, and the result, pickled."""
    workspace_id, function, args, kwargs = pickle.loads(question)
    workspace.stand_in(spaces, workspace_id)
    try:
        return pickle.dumps((True, function(*args, **kwargs)))
    except Exception:
        _log.exception("%s failed in the second process.", function)
        return pickle.dumps((False, None))


if __name__ == "__main__":
    _serve([Connection(int(number)) for number in sys.argv[1:]])
