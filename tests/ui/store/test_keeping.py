"""What is kept of a workspace can be deleted at once, and goes when its time is over."""

import stat
from time import time

import pytest
from sqlalchemy import update

from tests.ui.store.recorded import WORKSPACE, ended, renewed, request_of, saved, waiting
from ui.store import runs as saved_runs
from ui.store.rows import RUN, metadata
from ui.store.runs import delete_workspace, remove_deleted
from ui.store.store import StoreError, current_store

PLANTED = "zanzibar-4711"
DAY = 86_400
DATA = metadata.sorted_tables


def planted():
    chunk = f"It is {PLANTED}. " * 80
    return saved(request_of(query_str=f"What of {PLANTED}?", text_chunks=(chunk,)), lambda _: chunk)


def rows(store):
    with store.read() as connection:
        return sum(len(connection.execute(table.select()).all()) for table in DATA)


@pytest.mark.slow
def test_a_deleted_workspace_is_gone_from_all_tables(store):
    planted()
    saved_runs.save_workspace(store, WORKSPACE, {"query_str": PLANTED})
    saved_runs.save_workspace(store, "another", {"mode": "refine"})
    delete_workspace(store, WORKSPACE)
    assert rows(store) == 1
    assert saved_runs.load_workspace(store, "another") == {"mode": "refine"}


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
    assert len(saved_runs.find(store, WORKSPACE).runs) == 1
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
