"""What is kept of a workspace can be deleted at once, and goes when its time is over."""

import stat
from pathlib import Path
from time import time

import pytest
from sqlalchemy import make_url, update

from tests.ui.store.recorded import WORKSPACE, ended, renewed, request_of, saved, waiting
from ui.store import runs as saved_runs
from ui.store.database import StoreError
from ui.store.runs import Filter, delete_workspace, remove_deleted
from ui.store.store import current_store
from ui.store.tables import RUN, metadata

PLANTED = "zanzibar-4711"
DAY = 86_400
DATA = metadata.sorted_tables


def planted():
    chunk = f"It is {PLANTED}. " * 80
    return saved(request_of(query_str=f"What of {PLANTED}?", text_chunks=(chunk,)), lambda _: chunk)


def rows(store):
    with store.read() as connection:
        return sum(len(connection.execute(table.select()).all()) for table in DATA)


def bodies(store):
    """The bytes of each body that is stored, and the planted word."""
    with store.read() as connection:
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


@pytest.mark.slow
def test_a_deleted_workspace_is_gone_from_all_tables_and_from_the_bytes_of_the_files(store, place):
    for _ in range(8):  # more than one page of each table, so that some are freed
        planted()
    saved_runs.save_workspace(store, WORKSPACE, {"query_str": f"{PLANTED} " * 2_000})
    saved_runs.save_workspace(store, WORKSPACE, {"query_str": PLANTED})
    saved_runs.save_workspace(store, "another", {"mode": "refine"})
    stored = bodies(store)
    in_sqlite = place.startswith("sqlite")
    if in_sqlite:
        assert found_in(place, stored) == stored
    delete_workspace(store, WORKSPACE)
    assert rows(store) == 1
    assert saved_runs.load_workspace(store, "another") == {"mode": "refine"}
    if in_sqlite:
        now = bodies(store)
        left = [one for one in stored if one not in now]
        assert len(left) > 8
        assert not found_in(place, [PLANTED.encode(), *left])


def test_nothing_of_a_deleted_workspace_is_saved_again(store, monkeypatch):
    request = request_of()
    with waiting(request):
        delete_workspace(store, WORKSPACE)
    store.forget(WORKSPACE)
    later = ended(request)
    assert later.run is None

    def away():
        raise StoreError("It is away.")

    with monkeypatch.context() as patch:
        patch.setattr(store, "database", away)
        waits = ended(request, workspace="third")
        assert waits.unsaved
    store.forget("third")
    assert not waits.unsaved
    assert store.retry()
    assert rows(store) == 0


@pytest.mark.slow
def test_deleted_runs_can_be_brought_back_for_a_day_and_no_longer(store):
    job = planted()
    saved_runs.change(store, WORKSPACE, [job.run], deleted=time())
    remove_deleted(store)
    saved_runs.change(store, WORKSPACE, [job.run], deleted=None)
    assert len(saved_runs.find(store, WORKSPACE, Filter()).runs) == 1
    with store.write() as connection:
        connection.execute(update(RUN).values(deleted=time() - DAY - 1))
    remove_deleted(store)
    assert rows(store) == 0


def test_a_file_is_its_owners_alone(tmp_path, monkeypatch):
    file = tmp_path / "folder" / "history.sqlite3"
    monkeypatch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{file}")
    for before in (None, 0o644):
        if before is not None:
            file.chmod(before)
        renewed(monkeypatch)
        store = current_store()
        saved_runs.save_workspace(store, WORKSPACE, {"query_str": PLANTED})
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        files = file.parent.glob("*.sqlite3*")
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in files}
        assert modes == dict.fromkeys([file.name, f"{file.name}-wal", f"{file.name}-shm"], 0o600)
        store.close()
