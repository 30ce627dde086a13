"""The database of the history: where it is, and how it is opened."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import (
    Connection,
    Engine,
    Insert,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from ui.history.problems import OTHER_PLACE, HistoryError, unusable
from ui.history.tables import SCHEMA_VERSION, metadata
from ui.history.versions import STEPS

_log = logging.getLogger(__name__)

ADDRESS = "SYNTH_DATABASE_URL"
FOLDER = "synthesis-playground"
_PATIENCE = 5  # seconds; how long a writer waits for another one, and a server for its greeting
_WRITES = {"writes": True}
_READS = {"isolation_level": "REPEATABLE READ"}
"""All that a server's transaction reads is of one moment; in SQLite it always is."""

_TURN = 7_042_021  # the number of PostgreSQL's advisory lock, the same in every process


def _bring_up_to_date(connection: Connection, place: str) -> bool:
    """Make the tables, or lead those of an older version to the newest; whether it was older.

    HistoryError for a database of a newer version.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
    newest = 1 + len(STEPS)
    if not inspect(connection).has_table(SCHEMA_VERSION.name):
        metadata.create_all(connection)
        connection.execute(insert(SCHEMA_VERSION), {"version": newest})
        return False
    version = connection.scalar(select(SCHEMA_VERSION.c.version)) or 0
    if version > newest:
        raise HistoryError(
            f"The history in {place} has version {version}, and this program knows versions up to"
            f" {newest}: update the program, or {OTHER_PLACE}."
        )
    for step in STEPS[version - 1 :]:
        step(connection)
    if version < newest:
        connection.execute(update(SCHEMA_VERSION).values(version=newest))
    return version < newest


class Database:
    """A history that was opened, with the tables of the present version.

    HistoryError where it can't be opened, or where a newer program has made its tables.
    """

    def __init__(self, url: URL) -> None:
        self.place = url.database if _is_file(url) else url.render_as_string(hide_password=True)
        self.folder = Path(url.database).parent if _is_file(url) and url.database else None
        try:
            if self.folder is not None:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                _for_its_owner_alone(Path(f"{self.place}"))
            self._engine = _engine(url)
            self._writer = self._engine.execution_options(**_WRITES)
            reads = {} if _is_file(url) else _READS
            self._reader = self._engine.execution_options(**reads)
            with ExitStack() as failed:
                failed.callback(self._engine.dispose)
                with self.write() as connection:
                    was_older = _bring_up_to_date(connection, str(self.place))
                if was_older and self.folder is not None:
                    self._write_anew()
                self._file = _identity(f"{self.place}")
                self._log = _identity(f"{self.place}-wal")
                failed.pop_all()
        except HistoryError:
            raise
        except Exception as error:  # whatever it is, pages go on without a history
            raise unusable(str(self.place), error) from error

    @property
    def away(self) -> bool:
        """Whether the folder of the file is not there now, as when its disk was taken out."""
        return self.folder is not None and not self.folder.is_dir()

    @property
    def replaced(self) -> bool:
        """Whether the file was removed, or another one has taken its place.

        What is written through an open connection to such a file is lost without an error.
        """
        if self.folder is None:
            return False
        if _identity(f"{self.place}") != self._file:
            return True
        self._log = _identity(f"{self.place}-wal")
        return False

    def discard(self) -> None:
        """Close a database that was replaced; SQLite would take its log for that of the new file.

        That is a way to corrupt a file: https://sqlite.org/howtocorrupt.html, section 1.4.
        """
        self.close()
        if self._log == _identity(f"{self.place}-wal"):
            for log in ("-wal", "-shm"):
                Path(f"{self.place}{log}").unlink(missing_ok=True)

    def empty_log(self) -> None:
        """Empty SQLite's log, so that what was deleted stands in no file; a server has none here.

        It waits five seconds for those who read; after that the log stays until the next time.
        """
        if self.folder is None:
            return
        with self._said(), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def stored_bytes(self) -> int:
        """How large all of it is, in bytes; pages of a file that can be used anew are none."""
        with self.read() as connection:
            if connection.dialect.name == "postgresql":
                size = text("SELECT pg_database_size(current_database())")
                return int(connection.scalar(size) or 0)
            pages, free, size_of_one = (
                int(connection.scalar(text(f"PRAGMA {name}")) or 0)
                for name in ("page_count", "freelist_count", "page_size")
            )
            return (pages - free) * size_of_one

    def _write_anew(self) -> None:
        """Take what was deleted out of an older file, which did not overwrite it with zeros."""
        try:
            with closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("VACUUM")
            self.empty_log()
        except sqlite3.Error as error:  # another process has it, or the disk has no room for both
            _log.warning(
                "%s may still hold what was deleted before (%s): run VACUUM while no server does.",
                *(self.place, error),
            )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, all of it of one moment; HistoryError if it can't."""
        with self._said(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; HistoryError for what the database refuses."""
        with self._said(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            if "readonly" in str(error):  # SQLite opens such a file for reading, and stays at that
                self.close()
            raise unusable(str(self.place), error) from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _for_its_owner_alone(file: Path) -> None:
    """Let nobody else read or write the file; SQLite gives its log the rights of the file."""
    if not file.exists():
        file.touch(mode=0o600)
    for one in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        # PermissionError: it is somebody else's file, who decides about it.
        with suppress(FileNotFoundError, PermissionError):
            one.chmod(0o600)


def _identity(file: str) -> tuple[int, int] | None:
    """The device and the inode of a file, None where there is none."""
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def insert_unless_there(connection: Connection, row: Insert) -> bool:
    """Insert a row; False if another process has inserted it in the meantime."""
    try:
        with connection.begin_nested():
            connection.execute(row)
    except IntegrityError:
        return False
    return True


def database_url() -> URL:
    """The address from SYNTH_DATABASE_URL, else that of a file in the user's data folder.

    HistoryError for an address that can't be read.
    """
    given = os.environ.get(ADDRESS, "").strip()
    try:
        if given:
            return make_url(given)
    except ArgumentError as error:
        raise HistoryError(
            f"{ADDRESS} is no address of a database: write it as in sqlite:////folder/file.sqlite3"
            " or postgresql+psycopg://user:password@host/name."
        ) from error
    return URL.create("sqlite", database=str(user_data_path(FOLDER) / "history.sqlite3"))


def _is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _engine(url: URL) -> Engine:
    # Parameters hold what people wrote; an error or a log must not repeat them.
    if not _is_file(url):
        return _server_engine(url)
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": _PATIENCE})
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _server_engine(url: URL) -> Engine:
    if url.get_backend_name() != "postgresql":
        return create_engine(url, hide_parameters=True, pool_pre_ping=True)
    # Of a database in SQL_ASCII, psycopg would give bytes in the place of text.
    options = {"connect_timeout": _PATIENCE, "client_encoding": "utf8"}
    engine = create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=options)
    event.listen(engine, "connect", _limit_waiting)
    return engine


def _limit_waiting(connection: Any, _record: object) -> None:
    """Let no statement of PostgreSQL wait for a lock for ever, as SQLite does not either."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{_PATIENCE}s'")
    connection.commit()


def _set_up(connection: Any, _record: object) -> None:
    """Let readers and one writer work at the same time, and begin transactions ourselves.

    With "normal" a commit survives the end of the process; after a power cut the last commits
    may be gone, but the file is whole: https://sqlite.org/pragma.html#pragma_synchronous.
    What is deleted or replaced is overwritten with zeros.
    """
    connection.isolation_level = None
    pragmas = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer takes its turn at once: one that first reads could not wait for it later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
