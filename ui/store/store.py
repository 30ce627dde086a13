"""The store of this server: its database, and what waits to be saved there."""

import logging
import threading
from contextlib import AbstractContextManager
from time import monotonic
from weakref import WeakSet

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from synth.errors import SynthError
from ui.store.database import Database, database_url
from ui.store.errors import AWAY, StoreError, UnfitError, worded_error

_AGAIN_AFTER = 10.0  # seconds
_log = logging.getLogger(__name__)


class Waiting:
    """Something that is to be saved: a run, or the values of a workspace.

    `problem` says why the latest transaction failed, `hopeless` that none can succeed, `since` when
    the oldest change was made that is not saved, by `monotonic`.
    """

    defect = "Saving failed ({}): the log of the server says where. Report it."

    def __init__(self, workspace: str = "") -> None:
        self.workspace = workspace
        self.problem: SynthError | None = None
        self.hopeless = False
        self.since: float | None = None
        self.changes = 0
        self.lock = threading.Lock()
        self.writing = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether something is not saved, and can be."""
        return self.since is not None and not self.hopeless

    def write(self, database: Database) -> None:
        """Save what is not saved yet, in one transaction."""
        raise NotImplementedError

    def describe(self, since: str) -> str:
        """Say what is not saved since then."""
        raise NotImplementedError

    def give_up(self, problem: SynthError | None) -> None:
        """Save nothing more; without a problem nothing of it is missed."""
        with self.lock:
            self.problem, self.hopeless = problem, True
            if problem is None:
                self.since = None


class Store:
    """The database at an address, and what waits for it.

    Each thing is saved at once by its own thread. Where that fails it waits here, and as long as
    something does, others take their place behind it: no run waits for the database, and what began
    first is saved first. Of a workspace in `forgotten` nothing is saved.
    """

    def __init__(self, url: URL | None = None) -> None:
        self._url = url
        self._opening = threading.Lock()
        self._database: Database | None = None
        self._problem: StoreError | None = None
        self._tried = 0.0
        self._lock = threading.Lock()
        self._hopeless: WeakSet[Waiting] = WeakSet()
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
                self._database = self._problem = None
            if self._problem is None or monotonic() > self._tried + _AGAIN_AFTER:
                self._tried = monotonic()
                try:
                    self._database = Database(self._url or database_url())
                    return self._database
                except StoreError as problem:
                    self._problem = problem
            raise self._problem.with_traceback(None)

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
            self._database = self._problem = None

    def save(self, item: Waiting) -> None:
        """Save what has changed now, or later if the database has just refused something."""
        if item.hopeless:
            return
        with item.lock:
            item.changes += 1
            item.since = item.since or monotonic()
        with self._lock:
            forgotten = item.workspace in self.forgotten
            if not forgotten:
                self.waiting[item] = None
            refused = any(other.problem is not None for other in self.waiting)
        if forgotten:
            item.give_up(None)
        elif not refused:
            self._try(item)

    def retry(self) -> bool:
        """Try all that wait, until the database refuses one; return whether nothing waits."""
        for item in list(self.waiting):
            self._try(item)
            if item.problem is not None and not item.hopeless:
                return False
        return not self.waiting

    def find_unsaved(self, workspace: str) -> list[Waiting]:
        """List what is not saved of a workspace."""
        with self._lock:
            items = [*self.waiting, *self._hopeless]
        return [item for item in items if item.workspace == workspace]

    def forget(self, workspace: str) -> None:
        """Save nothing more of a workspace, which was deleted."""
        with self._lock:
            self.forgotten.add(workspace)
        for item in self.find_unsaved(workspace):
            item.give_up(None)
            with item.writing:  # a transaction that goes on is over afterwards
                self.waiting.pop(item, None)

    def _try(self, item: Waiting) -> None:
        if item.writing.acquire(blocking=False):
            try:
                self._write(item)
            finally:
                item.writing.release()
        with self._lock:
            if not item.waits:
                self.waiting.pop(item, None)
            if item.hopeless and item.problem is not None:
                self._hopeless.add(item)

    def _write(self, item: Waiting) -> None:
        changes = item.changes
        if item.hopeless:
            return
        try:
            item.write(self.database())
        except UnfitError as problem:
            item.give_up(problem)
        except StoreError as problem:
            item.problem = problem
        except Exception as error:  # such as a custom mode's call that is no JSON
            _log.exception("Something can't be saved.")
            words = f"{type(error).__name__}: {error}"
            item.give_up(StoreError(item.defect.format(words)))
        else:
            with item.lock:
                item.problem = None
                item.since = None if changes == item.changes else monotonic()


_current = Store()


def current_store() -> Store:
    """Return the store of this server."""
    return _current
