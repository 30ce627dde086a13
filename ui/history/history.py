"""The history of this server: opened once, and again where that failed or its file is another.

Beside a file, each process holds the lock of a file of its own: the operating system gives it
back when the process ends, however it ends. In a database server each process says every few
seconds that it lives, since the others may run on other machines. So the runs of processes that
are gone are known to be interrupted.
"""

import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from uuid import uuid4

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Double, cast, extract, func, insert, select, update

from ui.clock import Clock
from ui.history.database import Database, database_url
from ui.history.problems import HistoryError, gone, unusable
from ui.history.tables import PROCESS, RUN, RUNNING

_AGAIN_AFTER = 10.0  # seconds
LEASE = 30.0  # seconds without a sign of life, after which a process counts as dead
_BEAT = 5.0  # seconds between two signs of life

_now = cast(extract("epoch", func.now()), Double)  # the database's clock: machines differ


class Presence:
    """This process, by its `id`, and what it can tell of the others."""

    def __init__(self, database: Database) -> None:
        self.id = uuid4().hex
        self._database = database
        self._folder = None if database.folder is None else database.folder / "processes"
        if self._folder is not None:
            self._lock = _lock_of(self._folder, self.id)
            try:
                self._folder.mkdir(exist_ok=True)
                self._lock.acquire()
            except OSError as error:
                raise unusable(str(database.place), error) from error
            return
        with database.write() as connection:
            connection.execute(insert(PROCESS).values(id=self.id, seen=_now))
        self._clock = Clock(_BEAT, self._beat)

    def living(self, connection: Connection) -> set[str]:
        """The processes that live, of all that have a run which has not ended."""
        busy = select(RUN.c.process).where(RUN.c.state == RUNNING).distinct()
        if self._folder is not None:
            ids = connection.scalars(busy).all()
            try:
                return {id for id in ids if id == self.id or _is_held(self._folder, id)}
            except OSError as error:
                raise unusable(str(self._database.place), error) from error
        # A sign of life from later than now is from before the clock was set back.
        seen = PROCESS.c.seen.between(_now - LEASE, _now + LEASE)
        return set(connection.scalars(select(PROCESS.c.id).where(PROCESS.c.id.in_(busy), seen)))

    def leave(self) -> None:
        """Give no further sign of life."""
        if self._folder is not None:
            self._lock.release()
        else:
            self._clock.end()

    def _beat(self) -> None:
        # A run that can't be saved says so itself; the next sign of life may get through.
        with suppress(HistoryError), self._database.write() as connection:
            connection.execute(update(PROCESS).where(PROCESS.c.id == self.id).values(seen=_now))


def _lock_of(folder: Path, process: str) -> FileLock:
    return FileLock(folder / f"{process}.lock", thread_local=False)


def _is_held(folder: Path, process: str) -> bool:
    """Whether the process holds its lock; the file of a dead one is removed."""
    if not (folder / f"{process}.lock").exists():
        return False
    try:
        with _lock_of(folder, process).acquire(blocking=False):
            (folder / f"{process}.lock").unlink(missing_ok=True)
    except Timeout:
        return True
    return False


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

    def get(self) -> History:
        with self._lock:
            if self._history is not None:
                if self._history.database.away:  # it may come back, so none is made in its place
                    raise gone(str(self._history.database.place))
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
            raise self._problem.with_traceback(None)


_opened = _Opened()


def history() -> History:
    """The history of this server; HistoryError where it can't be opened now."""
    return _opened.get()
