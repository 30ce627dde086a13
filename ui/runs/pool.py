"""The threads that all runs of a server share.

The next run is of the owner, a workspace, who has the fewest going on, and no owner has more than
a few: somebody who compares fifty runs holds nobody up.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

_RUNS = 32  # at once in a server; each mostly waits for its model
_ANSWERED_BY_PEOPLE = 64  # at once; each waits for a person, some of them for an hour
_OF_ONE = 6  # at once of one owner
_LOOK, _LOOKS = 0.5, 60  # seconds between two looks at a run, and looks a second at all of them


@dataclass(eq=False)
class Turn:
    """A run that waits for a thread, or has one."""

    lane: Lane
    work: Callable[[], None]


class Pool:
    """At most `most` threads, and at most `of_one` for each owner."""

    def __init__(self, most: int, of_one: int = _OF_ONE) -> None:
        self._most, self._of_one = most, of_one
        self._lock = threading.Lock()
        self._waiting: list[Turn] = []
        self._running: Counter[str] = Counter()

    @property
    def pace(self) -> float:
        """Seconds between two looks of a page at its run: longer while many runs go on or wait."""
        return max(_LOOK, (self._running.total() + len(self._waiting)) / _LOOKS)

    def enter(self, turn: Turn) -> None:
        """Let the run wait for a thread, and begin if there is one."""
        with self._lock:
            self._waiting.append(turn)
        self.fill()

    def leave(self, turn: Turn) -> bool:
        """Let the run wait no more; False if it has a thread already."""
        with self._lock:
            waits = turn in self._waiting
            if waits:
                self._waiting.remove(turn)
            return waits

    def before(self, turn: Turn) -> int | None:
        """Return how many runs go on or came before this one; None if it does not wait."""
        with self._lock:
            if turn not in self._waiting:
                return None
            return self._running.total() + self._waiting.index(turn)

    def fill(self) -> None:
        """Begin the runs that are next, as many as there are threads."""
        with self._lock:
            while self._running.total() < self._most and (turn := self._next()) is not None:
                self._waiting.remove(turn)
                self._count(turn.lane, 1)
                threading.Thread(target=self._work, args=(turn,), daemon=True).start()

    def _next(self) -> Turn | None:
        able = [
            turn
            for turn in self._waiting
            if turn.lane.going < turn.lane.most and self._running[turn.lane.owner] < self._of_one
        ]
        return min(able, key=lambda turn: self._running[turn.lane.owner], default=None)

    def _work(self, turn: Turn) -> None:
        try:
            turn.work()
        finally:
            with self._lock:
                self._count(turn.lane, -1)
            self.fill()

    def _count(self, lane: Lane, more: int) -> None:
        lane.going += more
        self._running[lane.owner] += more
        self._running = +self._running  # without the owners that have none


RUNS = Pool(_RUNS)
"""For the runs of models."""

PEOPLE = Pool(_ANSWERED_BY_PEOPLE)
"""For the runs that a person answers, which would keep the threads of all others."""


@dataclass(eq=False)
class Lane:
    """Runs of one owner of which at most `most` go on at once: `going` of them do."""

    owner: str
    most: int = 1
    pool: Pool = RUNS
    going: int = 0

    def open(self, most: int) -> None:
        """Let so many of its runs go on at once."""
        self.most = most
        self.pool.fill()
