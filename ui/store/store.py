"""The store of this server: its database, what that refuses, and what waits to be saved there."""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from filelock import FileLock, Timeout
from platformdirs import user_data_path
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, SQLAlchemyError

from synth import __version__
from synth.errors import SynthError
from ui.store.rows import RUN, RUNNING, metadata

ADDRESS = "SYNTH_DATABASE_URL"
_FOLDER = "synthesis-playground"
_FILE = "runs.sqlite3"
LEASE = 30.0  # seconds without a sign of life, after which a server counts as dead
_PATIENCE = 5  # seconds; how long a writer waits for another one, and a server for its greeting
_WRITES = {"writes": True}
_READS = {"isolation_level": "REPEATABLE READ"}
"""All that a server's transaction reads is of one moment; in SQLite it always is."""

_TURN = 7_042_023  # the number of PostgreSQL's advisory lock, the same in every process

NOW = sa.cast(sa.extract("epoch", sa.func.now()), sa.Double)
"""The time of the database's clock: machines differ."""


_log = logging.getLogger(__name__)

OTHER_PLACE = "name another database in SYNTH_DATABASE_URL"
_READ_ONLY = "can't be written", f"give this user the right to write it, or {OTHER_PLACE}"
_DAMAGED = "is damaged", f"move the file away, so that a new one is made, or {OTHER_PLACE}"
_LOCKED = "is locked by another program", "close that program"
AWAY = "is away with its folder", f"put the folder back, or {OTHER_PLACE}"
_KNOWN = {
    "disk is full": ("has no room on its disk", "free some space"),
    "locked": _LOCKED,
    "lock timeout": _LOCKED,
    "readonly": _READ_ONLY,
    "Read-only file system": _READ_ONLY,
    "unable to open": (
        "can't be opened",
        f"see that its folder is there and may be written, or {OTHER_PLACE}",
    ),
    "not a database": _DAMAGED,
    "malformed": _DAMAGED,
    "I/O error": ("can't be read or written", f"look after its disk, or {OTHER_PLACE}"),
}
"""What SQLite and the system say, what that means, and what to do."""


class StoreError(SynthError):
    """The store can't be opened, read or written."""


def worded_error(place: str, what: str, remedy: str) -> StoreError:
    """Make the error that says what is wrong with a store at this place, and what to do."""
    return StoreError(f"The history in {place} {what}: {remedy}.")


def store_error(place: str, error: Exception) -> StoreError:
    """Make the error for a store at this place: a file, or an address without its password."""
    text = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    for words, (what, remedy) in _KNOWN.items():
        if words in text:
            return worded_error(place, what, remedy)
    first = text.partition("\n")[0].rstrip(".")
    return StoreError(
        f"The history in {place} can't be used ({first}): see that the database runs and may be"
        f" written, or {OTHER_PLACE}."
    )


class Database:
    """Opens a store; StoreError where it can't."""

    def __init__(self, url: URL) -> None:
        self.server = uuid4().hex
        self.read_only = False
        self.folder: Path | None = None
        self._lock: FileLock | None = None
        self.place = f"{url.database}" if _is_file(url) else url.render_as_string()
        try:
            if _is_file(url):
                self._open_file(url)
            else:
                self._connect(_server_engine(url), _READS)
        except StoreError:
            raise
        except Exception as error:  # whatever it is, pages go on without a store
            raise store_error(self.place, error) from error
        # A warning, since Streamlit shows no other line of ours.
        _log.warning("Synthesis playground %s saves to %s", __version__, self.place)

    def _open_file(self, url: URL) -> None:
        """Open a file, and hold a lock beside it while this process lives."""
        file = Path(self.place)
        folder = self.folder = file.parent
        self.read_only = file.exists() and not os.access(file, os.W_OK)
        if not self.read_only:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _keep_for_owner(file)
            servers = folder / "processes"
            servers.mkdir(exist_ok=True)
            self._lock = _lock_of(servers, self.server)
            self._lock.acquire()
        self._connect(_reading_engine(url) if self.read_only else _file_engine(url), {})
        self._file, self._log = _identity(self.place), _identity(f"{self.place}-wal")

    def _connect(self, engine: sa.Engine, reads: dict[str, str]) -> None:
        self._engine = engine
        self._reader = engine.execution_options(**reads)
        self._writer = engine.execution_options(**_WRITES)
        try:
            if not self.read_only:
                with self.write() as connection:
                    if connection.dialect.name == "postgresql":
                        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_TURN})"))
                    metadata.create_all(connection)
        except BaseException:
            engine.dispose()
            raise

    @property
    def refuses_writing(self) -> StoreError | None:
        """Why nothing can be saved here, as on a disk that can only be read."""
        return worded_error(self.place, *_READ_ONLY) if self.read_only else None

    @property
    def away(self) -> bool:
        """Whether the folder of the file is not there now, as when its disk was taken out."""
        return self.folder is not None and not self.folder.is_dir()

    @property
    def replaced(self) -> bool:
        """Whether another file has taken its place: what is written here would be lost."""
        if self.folder is None:
            return False
        if _identity(self.place) != self._file:
            return True
        self._log = _identity(f"{self.place}-wal")
        return False

    def discard(self) -> None:
        """Close a database that was replaced, with its log, which would corrupt the new file.

        https://sqlite.org/howtocorrupt.html, section 1.4
        """
        self.close()
        if self._log == _identity(f"{self.place}-wal"):
            for log in ("-wal", "-shm"):
                Path(f"{self.place}{log}").unlink(missing_ok=True)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Begin a transaction that reads, all of it of one moment; StoreError if it can't."""
        with self._in_words(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Begin a transaction that may write; StoreError for what the database refuses."""
        if (problem := self.refuses_writing) is not None:
            raise problem
        with self._in_words(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except DataError:  # the database refuses these very values, now and later: a defect
            raise
        except SQLAlchemyError as error:
            if "readonly" in str(error):  # SQLite opens such a file for reading, and stays at that
                self._engine.dispose()
            raise store_error(self.place, error) from error

    def living(self, connection: sa.Connection) -> sa.ColumnElement[bool]:
        """Return the condition for runs that go on: a server that lives runs them."""
        running = RUN.c.state == RUNNING
        if self.folder is None:
            # A sign of life from later than now is from before the clock was set back.
            seen = RUN.c.alive.between(NOW - LEASE, NOW + LEASE)
            return running & (seen | (RUN.c.server == self.server))
        servers = connection.scalars(sa.select(RUN.c.server).where(running).distinct()).all()
        try:
            alive = [id for id in servers if id == self.server or _is_held(self.folder, id)]
        except OSError as error:
            raise store_error(self.place, error) from error
        return running & RUN.c.server.in_(alive)

    def give_sign_of_life(self) -> None:
        """Say that the runs of this server go on; a file needs no sign, a lock says the same."""
        if self.folder is not None:
            return
        # A run that can't be saved says so itself; the next sign of life may get through.
        own = RUN.c.state == RUNNING, RUN.c.server == self.server
        with suppress(StoreError), self.write() as connection:
            connection.execute(sa.update(RUN).where(*own).values(alive=NOW))

    def leave(self) -> None:
        """Give back the lock: runs of this server are then interrupted."""
        if self._lock is not None:
            self._lock.release()

    def close(self) -> None:
        """Leave, and close all connections."""
        self.leave()
        self._engine.dispose()


def database_url() -> URL:
    """Return the address that is set, else that of a file; StoreError for an odd one."""
    given = os.environ.get(ADDRESS, "").strip()
    try:
        if given:
            return sa.make_url(given)
    except ArgumentError as error:
        raise StoreError(
            f"{ADDRESS} is no address of a database: write it as in sqlite:////folder/file.sqlite3"
            " or postgresql+psycopg://user:password@host/name."
        ) from error
    return URL.create("sqlite", database=str(user_data_path(_FOLDER) / _FILE))


def _is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _keep_for_owner(file: Path) -> None:
    """Let nobody else read or write the file; SQLite gives its log the rights of the file."""
    if not file.exists():
        file.touch(mode=0o600)
    for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        # PermissionError: it is somebody else's file, who decides about it.
        with suppress(FileNotFoundError, PermissionError):
            path.chmod(0o600)


def _identity(file: str) -> tuple[int, int] | None:
    try:
        status = Path(file).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _lock_of(folder: Path, server: str) -> FileLock:
    return FileLock(folder / f"{server}.lock", thread_local=False)


def _is_held(folder: Path, server: str) -> bool:
    """Return whether a server holds its lock; on a disk that can't be written, nobody can try."""
    file = folder / "processes" / f"{server}.lock"
    if not file.exists() or not os.access(file, os.W_OK):
        return file.exists()
    try:
        with _lock_of(file.parent, server).acquire(blocking=False):
            file.unlink(missing_ok=True)
    except Timeout:
        return True
    return False


def _file_engine(url: URL) -> sa.Engine:
    # Parameters hold what people wrote; an error or a log must not repeat them.
    options = {"timeout": _PATIENCE, "isolation_level": None}  # transactions are begun here
    engine = sa.create_engine(url, hide_parameters=True, connect_args=options)
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _reading_engine(url: URL) -> sa.Engine:
    address = Path(f"{url.database}").resolve().as_uri()

    def connect(how: str = "mode=ro") -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{address}?{how}", timeout=_PATIENCE, uri=True, check_same_thread=False
        )
        try:
            connection.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError:  # SQLite can neither read a log there nor make one
            connection.close()
            if how == "immutable=1":
                raise
            return connect("immutable=1")
        _add_lower(connection)
        return connection

    return sa.create_engine(url, hide_parameters=True, creator=connect)


def _server_engine(url: URL) -> sa.Engine:
    # Of a database in SQL_ASCII, psycopg would give bytes in the place of text.
    options = {"connect_timeout": _PATIENCE, "client_encoding": "utf8"}
    engine = sa.create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=options)
    sa.event.listen(engine, "connect", _limit_waiting)
    return engine


def _limit_waiting(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{_PATIENCE}s'")
    connection.commit()


def _set_up(connection: Any, _record: object) -> None:
    """Let readers and one writer work at once, and overwrite with zeros what is deleted.

    After a power cut the last commits may be gone, but the file is whole:
    https://sqlite.org/pragma.html#pragma_synchronous
    """
    pragmas = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")
    _add_lower(connection)


def _add_lower(connection: Any) -> None:
    connection.create_function("lower", 1, str.lower)  # SQLite's own knows ASCII alone


def _begin(connection: sa.Connection) -> None:
    """Take a writer's turn at once: one that first reads could not wait for it later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


_AGAIN_AFTER = 10.0  # seconds
DEFECT = "Saving failed ({}): the log of the server says where. Report it."


class Waiting:
    """Something that is to be saved: a run, or the values of a workspace.

    `since` is when the oldest change was made that is not saved, by `monotonic`; None if all are.
    What a `defect` of this app keeps from being saved is not tried again until it has changed.
    """

    def __init__(self, workspace: str = "") -> None:
        self.workspace = workspace
        self.since: float | None = None
        self.defect = ""
        self.changes = 0
        self.lock = threading.Lock()
        self.writing = threading.Lock()

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

    def read(self) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction that only reads, all of it of one moment; StoreError if it can't."""
        return self.database().read()

    def write(self) -> AbstractContextManager[sa.Connection]:
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
