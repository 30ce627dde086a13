"""A database that can't be opened or written: the run goes on, and a message says what to do."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from tests.ui.history.recorded import WORKSPACE, request_of, run
from ui.history import history as opened
from ui.history import recorder, versions
from ui.history.database import ADDRESS, Database
from ui.history.problems import HistoryError
from ui.history.saved_run import load


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    """The file of a history that nobody has opened yet."""
    found = tmp_path / "folder" / "history.sqlite3"
    monkeypatch.setenv(ADDRESS, f"sqlite:///{found}")
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    return found


def ended():
    """A job that has ended, saved or not."""
    job = run(request_of())
    job.wait()
    assert job.trace.response
    return job


def message_of(job) -> str:
    problem = job.recorder.problem
    assert isinstance(problem, HistoryError)
    assert job.run is None
    return str(problem)


def test_the_folder_is_made_for_this_user_alone(file):
    assert isinstance(opened.history(), opened.History)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    opened.history().close()


def test_a_damaged_file_is_named_and_left_alone(file):
    file.parent.mkdir()
    file.write_bytes(b"no database at all " * 200)
    message = message_of(ended())
    assert str(file) in message
    assert "is damaged: move the file away" in message
    assert file.read_bytes().startswith(b"no database at all")


def test_a_folder_that_is_a_file_is_named(file):
    file.parent.write_text("in the way")
    assert str(file) in message_of(ended())


def test_an_address_that_is_none_is_explained(monkeypatch, file):
    monkeypatch.setenv(ADDRESS, "my database")
    assert "write it as in sqlite:////folder" in message_of(ended())


def test_a_password_in_the_address_is_not_shown(monkeypatch, file):
    monkeypatch.setenv(ADDRESS, "postgresql+psycopg://me:my-password@127.0.0.1:1/none")
    message = message_of(ended())
    assert "my-password" not in message
    assert "127.0.0.1:1/none" in message


def test_a_driver_that_is_missing_is_named(monkeypatch, file):
    monkeypatch.setenv(ADDRESS, "mysql+pymysql://me@127.0.0.1/none")
    assert "pymysql" in message_of(ended())


def full(history):
    """Let the database grow no more: SQLite then says what it says of a full disk."""
    with history.read() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_stops_no_run_and_what_waits_is_saved_later(file, monkeypatch):
    monkeypatch.setattr(recorder, "_AGAIN_AFTER", 0.0)
    history = opened.history()
    limits = []

    def fn(prompt):
        if not limits:
            full(history)
        elif len(limits) == 4:
            with history.read() as connection:
                connection.exec_driver_sql("PRAGMA max_page_count=100000")
        else:
            problems.append(job.recorder.problem)
        limits.append(1)
        return os.urandom(4_000).hex() if len(limits) < 4 else "short"

    problems = []
    job = run(request_of(), fn)
    job.wait()
    said = {str(problem) for problem in problems if problem}
    assert all("has no room on its disk: free some space" in message for message in said)
    assert said
    assert job.recorder.problem is None
    assert load(history, WORKSPACE, job.run).trace == job.trace
    history.close()


def test_a_database_that_another_program_locks_is_waited_for(file, monkeypatch):
    monkeypatch.setattr("ui.history.database._PATIENCE", 0.05)
    history = opened.history()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    job = ended()
    assert "is locked by another program: close that program" in message_of(job)
    other.execute("ROLLBACK")
    job.recorder.end(job.trace, None)
    assert job.recorder.problem is None
    assert load(history, WORKSPACE, job.run).trace == job.trace
    other.close()
    history.close()


def test_a_file_that_may_not_be_written_is_named(file):
    history = opened.history()
    with history.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    message = message_of(ended())
    assert str(file) in message
    assert "can't be written: give this user the right to write it" in message
    history.close()


def test_a_newer_database_is_refused_politely(place):
    history = opened.history()
    with history.write() as connection:
        connection.execute(text("UPDATE schema_version SET version = 99"))
    history.close()
    with pytest.raises(HistoryError, match=r"has version 99, and this program knows .* to 1: upd"):
        Database(make_url(place))


def test_an_older_database_is_led_to_the_newest_version_and_keeps_its_runs(place, monkeypatch):
    history = opened.history()
    kept = ended()
    history.close()

    def step(connection):
        connection.execute(text("ALTER TABLE run ADD COLUMN colour TEXT"))

    def fails(connection):
        connection.execute(text("ALTER TABLE run ADD COLUMN shape TEXT"))
        connection.execute(text("SELECT missing FROM nowhere"))

    engine = create_engine(place)
    with monkeypatch.context() as patch:
        patch.setattr(versions, "STEPS", (step, fails))
        with pytest.raises(HistoryError, match="nowhere"):
            Database(make_url(place))
    with engine.begin() as connection:  # nothing of both steps is there
        assert connection.scalar(text("SELECT version FROM schema_version")) == 1
    for _ in range(2):  # the second time there is nothing left to do
        with monkeypatch.context() as patch:
            patch.setattr(versions, "STEPS", (step,))
            Database(make_url(place)).close()
        with engine.begin() as connection:
            assert connection.scalar(text("SELECT version FROM schema_version")) == 2
            assert connection.execute(text("SELECT id, colour FROM run")).all() == [
                (kept.run, None)
            ]
    engine.dispose()
