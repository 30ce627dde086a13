"""Who draws next: threads take turns, and edits come before whole pages.

Python runs one thread of a process at a time. If sixty threads share it by a few milliseconds
each, all of them end late; if they draw one after the other, most of them end early, and those
with little to draw most of all.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 0.3  # seconds that an edit waits; what another one draws may be a plan that never ends
_PAGE_PATIENCE = 1.0  # seconds that a whole page waits


class Turns:
    """A lock that is handed on in the order in which threads came, to urgent ones first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._urgent: deque[threading.Event] = deque()
        self._others: deque[threading.Event] = deque()

    def take(self, *, urgent: bool) -> bool:
        """Wait for the turn; False if it does not come in time."""
        queue = self._urgent if urgent else self._others
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Event()
            queue.append(mine)
        if mine.wait(_PATIENCE if urgent else _PAGE_PATIENCE):
            return True
        with self._lock:
            if mine.is_set():  # it came just now
                return True
            queue.remove(mine)
            return False

    def pass_on(self) -> None:
        """Hand the turn to the next thread that waits."""
        with self._lock:
            for queue in (self._urgent, self._others):
                if queue:
                    queue.popleft().set()
                    return
            self._taken = False

    @property
    def urgent(self) -> bool:
        """Whether an urgent thread waits."""
        return bool(self._urgent)


class _Thread(threading.local):
    """What a thread draws, if anything, and whether it has the turn to do so."""

    drawing: bool = False
    urgent: bool = False
    has_turn: bool = False


_turns = Turns()
_thread = _Thread()


@contextmanager
def in_turn(*, urgent: bool) -> Iterator[None]:
    """Draw in turn; if the turn does not come in time, draw all the same.

    Within a whole page, each part of it first lets urgent threads draw.
    """
    if _thread.drawing:
        if not _thread.urgent and _turns.urgent:
            with meanwhile():
                pass
        yield
        return
    _thread.drawing, _thread.urgent = True, urgent
    _thread.has_turn = _turns.take(urgent=urgent)
    try:
        yield
    finally:
        if _thread.has_turn:
            _turns.pass_on()
        _thread.drawing = _thread.has_turn = False


@contextmanager
def meanwhile() -> Iterator[None]:
    """Let other threads draw while this one waits for something."""
    if not _thread.has_turn:
        yield
        return
    _turns.pass_on()
    _thread.has_turn = False
    try:
        yield
    finally:
        _thread.has_turn = _turns.take(urgent=_thread.urgent)
