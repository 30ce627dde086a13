"""What comes of runs whose database is in trouble: for tests, and the table of docs/reliability.md.

    python -m tests.ui.store.troubles      writes the table into the file

A run gets its second answer, then the trouble begins. The run ends, and the trouble later. What is
read at the end is read as a server reads it that is started then.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import make_url

from tests.tables import table, write
from tests.ui.store import postgresql
from tests.ui.store.postgresql import Cluster
from tests.ui.store.recorded import WORKSPACE, renewed, reply, request_of, run
from ui.store.runs import load_run
from ui.store.store import ADDRESS, Store, current_store
from ui.workspaces import saving

_AT = 3  # the call before whose answer the trouble begins
_DISK = 3_000_000  # bytes of the small disk
_LOCKER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True)
class Place:
    url: str
    file: Path
    cluster: Cluster | None = None


class Outcome(NamedTuple):
    said: str
    given: int
    saved: int
    seconds: float


@contextmanager
def locked(place: Place) -> Iterator[None]:
    command = [sys.executable, "-c", _LOCKER, str(place.file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield
        process.stdin.close()


@contextmanager
def full(place: Place) -> Iterator[None]:
    """The disk takes no more bytes: one of 3 MB, or what SQLite takes for a full one."""
    store = current_store()
    if place.file.parent.is_mount():
        filler = place.file.parent / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 512)
        yield
        filler.unlink()
        return
    with store.read() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    yield
    with store.read() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=100000")


@contextmanager
def away(place: Place) -> Iterator[None]:
    other = place.file.parent.with_name("elsewhere")
    place.file.parent.rename(other)
    yield
    other.rename(place.file.parent)


@contextmanager
def damaged(place: Place) -> Iterator[None]:
    other = place.file.with_name("other")
    other.write_bytes(b"no database at all " * 9_000)
    other.replace(place.file)
    yield
    place.file.rename(place.file.with_name("damaged"))


@contextmanager
def replaced(place: Place) -> Iterator[None]:
    place.file.unlink()
    yield


@contextmanager
def stopped(place: Place) -> Iterator[None]:
    assert place.cluster is not None
    place.cluster.stop()
    yield
    place.cluster.start()


@contextmanager
def table_locked(place: Place) -> Iterator[None]:
    url = make_url(place.url).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False)) as connection:
        connection.execute("LOCK TABLE synth_saved_run")
        yield


@contextmanager
def restarted(place: Place) -> Iterator[None]:
    assert place.cluster is not None
    place.cluster.stop()
    place.cluster.start()
    yield


@dataclass(frozen=True)
class Trouble:
    name: str
    of: Callable[[Place], AbstractContextManager[None]]
    server: str = "sqlite"
    says: str = ""
    seconds: float = 10.0

    @property
    def id(self) -> str:
        return f"{self.server}-{self.of.__name__}"


TROUBLES = (
    Trouble("another process locks the file", locked, says="is locked by another", seconds=60.0),
    Trouble("the disk is full", full, says="has no room on its disk"),
    Trouble("the folder is moved away, and back", away, says="put the folder back"),
    Trouble("a damaged file takes its place", damaged, says="is damaged: move the file away"),
    Trouble("the file is removed", replaced, seconds=0.0),
    Trouble("PostgreSQL is down", stopped, "postgresql", "see that the database runs"),
    Trouble("PostgreSQL is restarted", restarted, "postgresql", seconds=0.0),
    Trouble("another session locks the table", table_locked, "postgresql", "is locked by another"),
)


def outcome(trouble: Trouble, place: Place, seconds: float, every: float) -> Outcome:
    """What comes of a run if the trouble goes on for so many seconds after it has ended.

    What waits is tried again `every` so many seconds, as the thread of a server does.
    """
    store = current_store()
    asked = []
    with ExitStack() as meanwhile:

        def fn(prompt: str) -> str:
            asked.append(prompt)
            if len(asked) == _AT:
                meanwhile.enter_context(trouble.of(place))
            return os.urandom(6_000).hex() if len(asked) < _AT else reply(prompt)

        job = run(request_of(), fn)
        job.wait()
        over = time.monotonic() + seconds
        while time.monotonic() < over:
            current_store().retry()
            time.sleep(every)
        said = saving.unsaved_words(WORKSPACE)
    began = time.monotonic()
    while current_store().waiting:
        time.sleep(every)
        current_store().retry()
    took = time.monotonic() - began
    store.close()
    return Outcome(said, len(asked), _saved(place, job.run), took)


def _saved(place: Place, id: str | None) -> int:
    """The answers of a run that a server has which is started now."""
    store = Store(make_url(place.url))
    back = None if id is None else load_run(store, WORKSPACE, id)
    store.close()
    if back is None or back.info.state != "done":
        return 0
    return sum(call.answer is not None for call in back.trace.calls)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of 3 MB at this folder, where one may be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", str(folder)]
    mounted = (
        bool(shutil.which("mount"))
        and not subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode
    )
    try:
        yield
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def place_of(trouble: Trouble, folder: Path, cluster: Cluster | None) -> Iterator[Place]:
    file = folder / "data" / "history.sqlite3"
    url = f"sqlite:///{file}" if trouble.server == "sqlite" else str(cluster and cluster.url)
    disk = small_disk(file.parent) if trouble.of is full else nullcontext()
    with pytest.MonkeyPatch.context() as patch, disk:
        patch.setenv(ADDRESS, url)
        renewed(patch)
        yield Place(url, file, cluster)


HEAD = (
    "trouble",
    "how long after the run",
    "what the page says meanwhile",
    "answers saved / given",
    "seconds until saved",
)


def rows() -> list[Sequence[object]]:
    made = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as started:
        missing = postgresql.missing() is not None
        cluster = None if missing else started.enter_context(postgresql.cluster())
        for number, trouble in enumerate(TROUBLES):
            own = Path(folder, str(number))
            own.mkdir()
            if trouble.server == "sqlite" or cluster is not None:
                with place_of(trouble, own, cluster) as place:
                    came = outcome(trouble, place, trouble.seconds, 2.0)
                made.append(_row(trouble.name, f"{trouble.seconds:.0f} s", came, place))
    return made


def _row(name: str, seconds: str, came: Outcome, place: Place) -> Sequence[object]:
    said = came.said.replace(str(place.file), "history.sqlite3")
    if place.cluster is not None:
        folder = place.cluster.folder
        said = said.replace(quote(folder, safe=""), "folder").replace(folder, "folder")
    said = re.sub(
        r"since \d+ \w+ \d+, \d\d:\d\d", "since …", said.partition(" It is tried again")[0]
    )
    return name, seconds, said or "nothing", f"{came.saved} / {came.given}", f"{came.seconds:.1f}"


if __name__ == "__main__":
    write("reliability, databases", table(HEAD, rows()))
