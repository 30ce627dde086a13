"""The store of this server: its database, and what waits to be saved there."""

import logging
import threading
from contextlib import AbstractContextManager
from time import monotonic

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from ui.store.database import AWAY, Database, StoreError, database_url, worded_error

_AGAIN_AFTER = 10.0  # seconds
DEFECT = "Saving failed ({}): the log of the server says where. Report it."
_log = logging.getLogger(__name__)


class Waiting:
    """Something that is to be saved: a run, or the values of a workspace.

    `since` is when the oldest change was made that is not saved, by `monotonic`. What a `defect` of
    this app keeps from being saved is not tried again until it has changed.
    """

    def __init__(self, workspace: str = "") -> None:
        self.workspace = workspace
        self.since: float | None = None
        self.defect = ""
        self.changes = 0
        self.lock = threading.Lock()
        self.writing = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether something is not saved yet."""
        return self.since is not None

    def write(self, database: Database) -> None:
        """Save what is not saved yet, in one transaction."""
        raise NotImplementedError

    def describe(self, since: str) -> str:
        """Say what is not saved since then."""
        raise NotImplementedError


class Store:
    """The database at an address, and what waits for it.

    Each thing is saved at once by its own thread. Where that fails, `problem` says why: it waits
    here, and all others behind it, so that no run waits for the database and what began first is
    saved first. Of a workspace in `forgotten` nothing is saved.
    """

    def __init__(self, url: URL | None = None) -> None:
        self._url = url
        self._opening = threading.Lock()
        self._database: Database | None = None
        self._refused: StoreError | None = None
        self._tried = 0.0
        self.problem: StoreError | None = None
        self.waiting: dict[Waiting, None] = {}
        self.forgotten: set[str] = set()

    def database(self) -> Database:
        """Return the database, opened anew if that failed or its file is another; StoreError."""
        with self._opening:
            if self._database is not None:
                if self._database.away:  # it may come back, so none is made in its place
                    raise worded_error(self._database.place, *AWAY)
                if not self._database.replaced:
                    return self._database
                self._database.discard()
                self._database = self._refused = None
            if self._refused is None or monotonic() > self._tried + _AGAIN_AFTER:
                self._tried = monotonic()
                try:
                    self._database = Database(self._url or database_url())
                    return self._database
                except StoreError as problem:
                    self._refused = problem
            raise self._refused.with_traceback(None)

    def read(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that only reads, all of it of one moment; StoreError if it can't."""
        return self.database().read()

    def write(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that may write; StoreError for what the database refuses."""
        return self.database().write()

    def close(self) -> None:
        """Leave the database; runs of this server that have not ended are then interrupted."""
        with self._opening:
            if self._database is not None:
                self._database.close()
            self._database = self._refused = None

    def save(self, item: Waiting) -> None:
        """Save what has changed now, or later if the database has just refused something."""
        with item.lock:
            item.changes += 1
            item.defect = ""
            item.since = item.since or monotonic()
            self.waiting[item] = None
        if self.problem is None:
            self._write(item)

    def retry(self) -> bool:
        """Try all that wait, until the database refuses one; return whether nothing waits."""
        if self._database is not None:
            self._database.give_sign_of_life()
        able = [item for item in list(self.waiting) if not item.defect]
        return all(map(self._write, able)) and not self.waiting

    def find_unsaved(self, workspace: str) -> list[Waiting]:
        """List what is not saved of a workspace."""
        return [item for item in list(self.waiting) if item.workspace == workspace]

    def forget(self, workspace: str) -> None:
        """Save nothing more of a workspace, which was deleted."""
        self.forgotten.add(workspace)
        for item in self.find_unsaved(workspace):
            self._write(item)  # a transaction that goes on is over afterwards

    def _write(self, item: Waiting) -> bool:
        """Save what waits of an item; False if the database refuses it."""
        with item.writing:
            changes = item.changes
            try:
                if item.workspace not in self.forgotten:
                    item.write(self.database())
            except StoreError as problem:
                self.problem = problem
                return False
            except Exception as error:  # which must not hold up the others
                _log.exception("Something can't be saved.")
                item.defect = DEFECT.format(f"{type(error).__name__}: {error}")
                return True
        with item.lock:
            item.since = None if changes == item.changes else monotonic()
            if item.since is None:
                self.waiting.pop(item, None)
        self.problem = None
        return True


_current = Store()


def current_store() -> Store:
    """Return the store of this server."""
    return _current
