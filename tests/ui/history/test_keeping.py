"""What is kept of a workspace can be deleted at once, and goes when its time is over."""

import stat
from pathlib import Path
from secrets import token_hex
from time import time

import pytest
from sqlalchemy import make_url, text, update

from tests.ui.history.recorded import WORKSPACE, ended, request_of, run, saved, waiting
from ui.history import history as opened
from ui.history import summaries, workspaces
from ui.history.keeping import delete_workspace, forget_old
from ui.history.problems import HistoryError
from ui.history.recorder import unsaved
from ui.history.saved_run import load
from ui.history.summaries import Filter
from ui.history.tables import PROCESS, RUN, SCHEMA_VERSION, metadata
from ui.history.tables import WORKSPACE as SPACES

PLANTED = "zanzibar-4711"
DAY = 86_400
DATA = [table for table in metadata.sorted_tables if table not in (SCHEMA_VERSION, PROCESS)]


def planted():
    """A workspace with a run, the planted word in all its texts."""
    chunk = f"It is {PLANTED}. " * 80
    return saved(request_of(query_str=f"What of {PLANTED}?", text_chunks=(chunk,)), lambda _: chunk)


def rows(history):
    """How many rows have something of what people wrote."""
    with history.read() as connection:
        return sum(len(connection.execute(table.select()).all()) for table in DATA)


def bodies(history):
    """The bytes of each body that is stored, and the planted word."""
    with history.read() as connection:
        cells = [
            cell
            for table in metadata.sorted_tables
            for row in connection.execute(table.select())
            for cell in row
        ]
    return [PLANTED.encode(), *(cell for cell in cells if isinstance(cell, bytes))]


def found_in(place, texts):
    """Those of these bytes of which any 16 in a row stand in a file of this SQLite database."""
    files = sorted(Path(make_url(place).database).parent.glob("history.sqlite3*"))
    content = b"".join(file.read_bytes() for file in files)
    every_16 = {content[at : at + 16] for at in range(len(content) - 15)}

    def stands(one):
        own = {one[at : at + 16] for at in range(0, len(one) - 15, 16)}
        return not own.isdisjoint(every_16) if own else one in content

    return [one for one in texts if stands(one)]


def age(history, days):
    """Let all that is saved be as old as this."""
    with history.write() as connection:
        for column in (RUN.c.started, RUN.c.ended, RUN.c.moment, SPACES.c.saved):
            name, table = column.name, column.table.name
            connection.execute(text(f"UPDATE {table} SET {name} = {name} - {days * DAY}"))


@pytest.mark.slow
def test_a_deleted_workspace_is_gone_from_all_tables_and_from_the_bytes_of_the_files(
    history, place
):
    for _ in range(8):  # more than one page of each table, so that some are freed
        planted()
    workspaces.save(history, WORKSPACE, {"query_str": f"{PLANTED} " * 2_000})
    workspaces.save(history, WORKSPACE, {"query_str": PLANTED})
    workspaces.save(history, "another", {"query_str": "mine"})
    stored = bodies(history)
    in_sqlite = place.startswith("sqlite")
    if in_sqlite:
        assert found_in(place, stored) == stored
    delete_workspace(history, WORKSPACE)
    assert rows(history) == 2
    assert workspaces.load(history, "another") == {"query_str": "mine"}
    if in_sqlite:
        now = bodies(history)
        left = [one for one in stored if one not in now]
        assert len(left) > 8
        assert not found_in(place, [PLANTED.encode(), *left])


def test_chunks_that_another_workspace_sent_too_stay(history):
    run(request_of(), workspace="another").wait()
    saved(request_of())
    delete_workspace(history, WORKSPACE)
    [left] = summaries.found(history, "another", Filter()).runs
    assert len(load(history, "another", left.id).trace.calls) == left.calls > 0


def test_nothing_of_a_deleted_workspace_is_saved_again(history, monkeypatch):
    request = request_of()
    with waiting(request) as going_on:
        delete_workspace(history, WORKSPACE)
    assert going_on.recorder.hopeless
    unsaved.forget(WORKSPACE)
    later = ended(request)
    assert later.run is None
    unsaved.forgotten.clear()

    def away():
        raise HistoryError("It is away.")

    with monkeypatch.context() as patch:
        patch.setattr(opened, "history", away)
        waits = ended(request, workspace="third")
        assert waits.unsaved
    unsaved.forget("third")
    assert not waits.unsaved
    assert unsaved.retry()
    assert rows(history) == 0


@pytest.mark.slow
def test_what_nobody_changed_for_so_long_goes_pinned_or_not(history):
    old = planted()
    summaries.pin(history, WORKSPACE, old.run)
    workspaces.save(history, WORKSPACE, {"query_str": PLANTED})
    workspaces.save(history, "idle", {"query_str": "old"})
    with waiting(request_of()) as going_on:
        age(history, 10)
        new = saved(request_of(mode="compact"))
        forget_old(history, None)
        assert len(summaries.found(history, WORKSPACE, Filter()).runs) == 3
        forget_old(history, 11)
        assert len(summaries.found(history, WORKSPACE, Filter()).runs) == 3
        forget_old(history, 9)
        left = {one.id for one in summaries.found(history, WORKSPACE, Filter()).runs}
        assert left == {new.run, going_on.run}  # one goes on, whenever it began
    assert workspaces.load(history, "idle") == {}
    assert workspaces.load(history, WORKSPACE) == {"query_str": PLANTED}  # a run is newer
    age(history, 10)
    forget_old(history, 9)
    assert rows(history) == 0


@pytest.mark.slow
def test_deleted_runs_can_be_brought_back_for_a_day_and_no_longer(history):
    job = planted()
    summaries.remove(history, WORKSPACE, [job.run])
    forget_old(history, None)
    summaries.restore(history, WORKSPACE, [job.run])
    assert len(summaries.found(history, WORKSPACE, Filter()).runs) == 1
    with history.write() as connection:
        connection.execute(update(RUN).values(deleted=time() - DAY - 1))
    forget_old(history, None)
    assert rows(history) == 0


def test_a_file_is_its_owners_alone(tmp_path, monkeypatch):
    file = tmp_path / "history.sqlite3"
    monkeypatch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{file}")
    for before in (None, 0o644):
        if before is not None:
            file.chmod(before)
        monkeypatch.setattr(opened, "_opened", opened._Opened())
        history = opened.history()
        workspaces.save(history, WORKSPACE, {"query_str": PLANTED})
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.glob("*.sqlite3*")}
        assert modes == dict.fromkeys([file.name, f"{file.name}-wal", f"{file.name}-shm"], 0o600)
        history.close()


def test_the_size_of_the_database_is_known_and_what_is_deleted_makes_room(history, place):
    before = history.database.stored_bytes()
    assert before > 10_000
    workspaces.save(history, "large", {"query_str": token_hex(500_000)})
    assert history.database.stored_bytes() > before + 400_000
    delete_workspace(history, "large")
    if place.startswith("sqlite"):
        assert history.database.stored_bytes() < before + 100_000
