"""A database that can't be opened or written: the run goes on, and a message says what to do."""

import stat
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, make_url, text

from tests.ui.history.recorded import WORKSPACE, ended, reply, request_of
from ui.history import database, recorder, run_rows, summaries
from ui.history import history as opened
from ui.history.database import ADDRESS, STEPS, Database
from ui.history.problems import HistoryError
from ui.history.recorder import unsaved
from ui.history.saved_run import latest, load
from ui.history.summaries import Filter
from ui.history.tables import metadata


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    """The file of a history that nobody has opened yet."""
    found = tmp_path / "folder" / "history.sqlite3"
    monkeypatch.setenv(ADDRESS, f"sqlite:///{found}")
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    return found


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


def test_a_file_that_fails_as_nobody_foresaw_is_named(file, monkeypatch):
    opened.history().close()
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    monkeypatch.setattr(database, "STEPS", [*STEPS, lambda connection: 1 / 0])
    assert f"The history in {file} can't be used (division by zero)" in message_of(ended())


def test_a_folder_that_is_a_file_is_named(file):
    file.parent.write_text("in the way")
    assert str(file) in message_of(ended())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("my database", "write it as in sqlite:////folder"),
        ("postgresql+psycopg://me:my-password@127.0.0.1:1/none", "127.0.0.1:1/none"),
        ("mysql+pymysql://me@127.0.0.1/none", "pymysql"),
    ],
)
def test_an_address_that_cannot_be_used_is_explained_without_its_password(
    monkeypatch, file, address, said
):
    monkeypatch.setenv(ADDRESS, address)
    message = message_of(ended())
    assert said in message
    assert "my-password" not in message


def test_a_file_that_may_not_be_written_is_named(file):
    history = opened.history()
    with history.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    job = ended()
    message = message_of(job)
    assert str(file) in message
    assert "can't be written: give this user the right to write it" in message
    assert unsaved.retry()  # with a new connection: the old one would never write again
    assert load(history, WORKSPACE, job.run).trace == job.trace
    history.close()


def test_a_call_that_cannot_be_saved_is_said_and_holds_up_no_other_run(file, monkeypatch):
    history = opened.history()
    write = run_rows.write_call

    def fails(connection, attempt, call, edited):
        if "odd" in call.prompt.text:
            raise TypeError("Object of type Decimal is not JSON serializable")
        write(connection, attempt, call, edited)

    monkeypatch.setattr(recorder, "write_call", fails)
    job = ended(request_of(query_str="an odd one?"))
    other = ended()
    assert job.trace.response
    assert "can't be saved (TypeError: Object of type Decimal" in str(job.recorder.problem)
    assert unsaved.of(WORKSPACE) == [job.recorder]  # as long as a page has the run
    assert unsaved.retry()  # but it is not tried again
    assert load(history, WORKSPACE, other.run).trace == other.trace
    history.close()


def impatient(prompt):
    """A model that has what waits tried again before each of its answers."""
    unsaved.retry()
    return reply(prompt)


def test_a_transaction_whose_end_is_not_known_is_done_again(file, monkeypatch):
    """It was carried out, but its connection broke before the database said so."""
    history = opened.history()
    write, broken = history.write, []

    @contextmanager
    def breaks():
        with write() as connection:
            yield connection
        broken.append(1)
        if len(broken) in (1, 4, 6):
            raise HistoryError("The connection broke.")

    monkeypatch.setattr(history, "write", breaks)
    job = ended(request_of(), impatient)
    while not unsaved.retry():
        assert len(broken) < 40
    assert load(history, WORKSPACE, job.run).trace == job.trace
    assert summaries.found(history, WORKSPACE, Filter()).count == 1
    history.close()


def test_a_run_that_begins_takes_its_place_behind_those_that_wait(file):
    history = opened.history()
    file.parent.rename(file.parent.with_name("elsewhere"))
    first = ended()
    file.parent.with_name("elsewhere").rename(file.parent)
    second = ended()
    assert (first.run, second.run) == (None, None)
    assert unsaved.retry()
    assert latest(history, WORKSPACE, "Playground").summary.id == second.run
    assert not unsaved.all()
    history.close()


FIRST = {
    *("schema_version", "process", "chunk_list", "run", "run_input", "call"),
    *("workspace", "workspace_value"),
}
"""The tables of version 1 that there still are."""


@pytest.mark.slow
def test_a_database_of_version_1_gets_moments_in_the_order_of_its_times_and_all_tables(place):
    history = opened.history()
    jobs = [ended() for _ in range(3)]
    with history.write() as connection:
        for index in ("run_in_order", "run_by_moment"):
            connection.execute(text(f"DROP INDEX {index}"))
        for column in ("moment", "unsure", "reused", "lent_key"):
            connection.execute(text(f"ALTER TABLE run DROP COLUMN {column}"))
        connection.execute(text("ALTER TABLE run ADD COLUMN template_versions TEXT"))
        connection.execute(text("CREATE TABLE template_version (name TEXT)"))
        for table in metadata.tables.keys() - FIRST:
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("UPDATE schema_version SET version = 1"))
    history.close()
    history = opened.History(Database(make_url(place)))
    found = summaries.found(history, WORKSPACE, Filter()).runs
    assert [run.id for run in found] == [job.run for job in reversed(jobs)]
    assert {run.unsure for run in found} == {0}
    with history.read() as connection:
        for table in metadata.sorted_tables:
            columns = inspect(connection).get_columns(table.name)
            assert {column["name"] for column in columns} == set(table.columns.keys())
    history.close()


def test_a_newer_database_is_refused_politely(place):
    history = opened.history()
    with history.write() as connection:
        connection.execute(text("UPDATE schema_version SET version = 99"))
    history.close()
    with pytest.raises(HistoryError, match=r"has version 99, and this program knows .* to \d: upd"):
        Database(make_url(place))


@pytest.mark.slow
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
        patch.setattr(database, "STEPS", (*STEPS, step, fails))
        with pytest.raises(HistoryError, match="nowhere"):
            Database(make_url(place))
    with engine.begin() as connection:  # nothing of both steps is there
        assert connection.scalar(text("SELECT version FROM schema_version")) == 1 + len(STEPS)
    for _ in range(2):  # the second time there is nothing left to do
        with monkeypatch.context() as patch:
            patch.setattr(database, "STEPS", (*STEPS, step))
            Database(make_url(place)).close()
        with engine.begin() as connection:
            assert connection.scalar(text("SELECT version FROM schema_version")) == 2 + len(STEPS)
            assert connection.execute(text("SELECT id, colour FROM run")).all() == [
                (kept.run, None)
            ]
    engine.dispose()


def test_a_database_that_declares_no_encoding_keeps_all_letters(server, monkeypatch):
    engine = create_engine(server.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        ascii = "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
        connection.execute(text(ascii))
    engine.dispose()
    url = make_url(server.url).set(database="ascii")
    monkeypatch.setenv(ADDRESS, url.render_as_string(hide_password=False))
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    job = ended(request_of(query_str="Was hält das Becken 池?"))
    history = opened.history()
    assert load(history, WORKSPACE, job.run).summary.question == "Was hält das Becken 池?"
    history.close()
