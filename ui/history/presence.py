"""Which processes live, so that the runs of the others are known to be interrupted.

Beside a file, each process holds the lock of a file of its own: the operating system gives it
back when the process ends, however it ends. In a database server each process says every few
seconds that it lives, since the others may run on other machines.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Double, cast, extract, func, insert, select, update

from ui.history.database import Database
from ui.history.problems import HistoryError, unusable
from ui.history.tables import Process, Run

RUNNING = "running"
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
            connection.execute(insert(Process).values(id=self.id, seen=_now))
        self._left = threading.Event()
        threading.Thread(target=self._beat, daemon=True).start()

    def living(self, connection: Connection) -> set[str]:
        """The processes that live, of all that have a run which has not ended."""
        busy = select(Run.process).where(Run.state == RUNNING).distinct()
        if self._folder is not None:
            ids = connection.scalars(busy).all()
            try:
                return {id for id in ids if id == self.id or _is_held(self._folder, id)}
            except OSError as error:
                raise unusable(str(self._database.place), error) from error
        # A sign of life from later than now is from before the clock was set back.
        seen = Process.seen.between(_now - LEASE, _now + LEASE)
        return set(connection.scalars(select(Process.id).where(Process.id.in_(busy), seen)))

    def leave(self) -> None:
        """Give no further sign of life."""
        if self._folder is not None:
            self._lock.release()
        else:
            self._left.set()

    def _beat(self) -> None:
        while not self._left.wait(_BEAT):
            # A run that can't be saved says so itself; the next sign of life may get through.
            with suppress(HistoryError), self._database.write() as connection:
                connection.execute(update(Process).where(Process.id == self.id).values(seen=_now))


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
