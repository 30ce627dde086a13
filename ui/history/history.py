"""The history of this server: opened once, and again where that failed or its file is another."""

from __future__ import annotations

import threading
from time import monotonic

from ui.history.database import Database, database_url
from ui.history.presence import Presence
from ui.history.problems import HistoryError, gone

_AGAIN_AFTER = 10.0  # seconds


class History:
    """An open database, and this process among those that use it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.presence = Presence(database)
        self.read = database.read
        self.write = database.write

    def close(self) -> None:
        """Leave the database; runs of this process that have not ended are then interrupted."""
        self.presence.leave()
        self.database.close()


class _Opened:
    """The history once it is open, else the problem and when it arose."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._history: History | None = None
        self._problem: HistoryError | None = None
        self._tried = 0.0

    def get(self) -> History | HistoryError:
        with self._lock:
            if self._history is not None:
                if self._history.database.away:  # it may come back, so none is made in its place
                    return gone(str(self._history.database.place))
                if not self._history.database.replaced:
                    return self._history
                self._history.presence.leave()
                self._history.database.discard()
                self._history = self._problem = None
            if self._problem is None or monotonic() > self._tried + _AGAIN_AFTER:
                self._tried = monotonic()
                try:
                    self._history = History(Database(database_url()))
                    return self._history
                except HistoryError as problem:
                    self._problem = problem
            return self._problem


_opened = _Opened()


def history() -> History | HistoryError:
    """The history of this server, else the problem with it, for a page to show."""
    return _opened.get()
