"""A database that can't be opened or written: the run goes on, and a message says what to do."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from tests.ui.page import Playground
from tests.ui.store.recorded import WORKSPACE, ended, latest, renewed, reply, request_of
from ui.store import runs as saved_runs
from ui.store import store as stores
from ui.store.runs import load_run
from ui.store.store import ADDRESS, StoreError, current_store


@pytest.fixture
def file(tmp_path, monkeypatch) -> Iterator[Path]:
    found = tmp_path / "folder" / "history.sqlite3"
    monkeypatch.setenv(ADDRESS, f"sqlite:///{found}")
    renewed(monkeypatch)
    yield found
    current_store().close()


def message_of(job) -> str:
    problem = current_store().problem
    assert isinstance(problem, StoreError)
    assert job.run is None
    return str(problem)


def test_a_damaged_file_is_named_and_left_alone(file):
    file.parent.mkdir()
    file.write_bytes(b"no database at all " * 200)
    message = message_of(ended())
    assert str(file) in message
    assert "is damaged: move the file away" in message
    assert file.read_bytes().startswith(b"no database at all")


def test_a_file_that_fails_as_nobody_foresaw_is_named(file, monkeypatch):
    monkeypatch.setattr(stores.metadata, "create_all", lambda connection: 1 / 0)
    assert f"The history in {file} can't be used (division by zero)" in message_of(ended())


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("my database", "write it as in sqlite:////folder"),
        ("postgresql+psycopg://me:my-password@127.0.0.1:1/none", "127.0.0.1:1/none"),
        ("mysql+pymysql://me@127.0.0.1/none", "pymysql"),
    ],
)
def test_an_address_that_cannot_be_used_is_explained_without_its_password(
    monkeypatch, file, address, words
):
    monkeypatch.setenv(ADDRESS, address)
    message = message_of(ended())
    assert words in message
    assert "my-password" not in message


def test_a_file_that_may_not_be_written_is_named(file):
    store = current_store()
    with store.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    job = ended()
    message = message_of(job)
    assert str(file) in message
    assert "can't be written: give this user the right to write it" in message
    assert store.retry()  # with a new connection: the old one would never write again
    assert load_run(store, WORKSPACE, job.run).trace == job.trace


@pytest.fixture
def disk(file):
    """A disk with the folder of the file; called, it can't be written any more."""
    folder = f"{file.parent}"
    file.parent.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=9000000", "tmpfs", folder]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("No disk can be mounted here.")
    yield lambda: subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    current_store().close()
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.parametrize("logs", [(), ("-wal", "-shm")], ids=["closed", "killed"])
def test_what_is_saved_on_a_disk_that_cannot_be_written_is_read_and_each_page_says_so(
    file, disk, logs
):
    job = ended()
    found = {log: Path(f"{file}{log}").read_bytes() for log in logs}
    current_store().close()
    for log, content in found.items():  # a server that is killed leaves them
        Path(f"{file}{log}").write_bytes(content)
    disk()
    [run] = saved_runs.find(current_store(), WORKSPACE, words="HELD").runs
    assert load_run(current_store(), WORKSPACE, run.id).trace == job.trace
    assert f"Not saved yet:</b> The history in {file} can" in Playground().text
    assert "can't be written" in message_of(ended())


def test_a_call_that_cannot_be_saved_is_said_and_holds_up_no_other_run(file, monkeypatch):
    write = saved_runs.call_to_json

    def fails(call):
        if "odd" in call.prompt.text:
            raise TypeError("Object of type Decimal is not JSON serializable")
        return write(call)

    monkeypatch.setattr(saved_runs, "call_to_json", fails)
    job = ended(request_of(query_str="an odd one?"))
    other = ended()
    assert "Saving failed (TypeError: Object of type Decimal" in job.writer.defect
    assert job.trace.response
    assert load_run(current_store(), WORKSPACE, other.run).trace == other.trace
    assert [*current_store().waiting] == [job.writer]


def impatient(prompt):
    """A model that has what waits tried again before each of its answers."""
    current_store().retry()
    return reply(prompt)


def test_a_transaction_whose_end_is_not_known_is_done_again(file, monkeypatch):
    """It was carried out, but its connection broke before the database said so."""
    opened = current_store().database()
    write, broken = opened.write, []

    @contextmanager
    def breaks():
        with write() as connection:
            yield connection
        broken.append(1)
        if len(broken) in (1, 4, 6):
            raise StoreError("The connection broke.")

    monkeypatch.setattr(opened, "write", breaks)
    job = ended(request_of(), impatient)
    while not current_store().retry():
        assert len(broken) < 40
    assert load_run(current_store(), WORKSPACE, job.run).trace == job.trace
    assert saved_runs.find(current_store(), WORKSPACE).count == 1


def test_a_run_that_begins_takes_its_place_behind_those_that_wait(file):
    current_store().database()
    file.parent.rename(file.parent.with_name("elsewhere"))
    first = ended()
    file.parent.with_name("elsewhere").rename(file.parent)
    second = ended()
    assert (first.run, second.run) == (None, None)
    assert current_store().retry()
    assert latest(current_store()).info.id == second.run
    assert not current_store().waiting


def test_a_database_that_declares_no_encoding_keeps_all_letters(server, monkeypatch):
    engine = create_engine(server.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        ascii = "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
        connection.execute(text(ascii))
    engine.dispose()
    url = make_url(server.url).set(database="ascii")
    monkeypatch.setenv(ADDRESS, url.render_as_string(hide_password=False))
    store = renewed(monkeypatch)
    job = ended(request_of(query_str="Was hält das Becken 池?"))
    assert load_run(store, WORKSPACE, job.run).info.question == "Was hält das Becken 池?"
    store.close()
