"""The thread that saves: what it does whatever happens, and what the page says of it."""

import threading

import pytest
import streamlit as st

from tests.ui.page import Playground
from tests.ui.store.recorded import ended, reply, request_of, run
from ui.runs.start import Runs
from ui.session import keys
from ui.session.workspace import Registry
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.store import current_store
from ui.workspaces import saving
from ui.workspaces.saving import Saver

START = Saver.start
"""What starts the thread: tests of the history save when they say so."""
REFUSED = StoreError("The history in f is locked by another program: close that program.")


def refuses():
    raise REFUSED


DATABASES = ["sqlite"]  # what is tested here stands above the database


@pytest.fixture
def spaces():
    registry = Registry()
    for window in (900, 901):
        registry.find(None).values[keys.SETTINGS] = DEFAULT.with_({"context_window": window})
    return registry


def test_what_fails_by_a_defect_holds_up_no_other(store, spaces, monkeypatch):
    save, saver = saved_runs.save_workspace, Saver(spaces, store)
    first, second = spaces.all()

    def fails(database, id, *values):
        if id == first.id:
            raise TypeError("a defect")
        save(database, id, *values)

    monkeypatch.setattr(saved_runs, "save_workspace", fails)
    assert not saver.turn()
    assert not store.find_unsaved(second.id)
    [unsaved] = store.find_unsaved(first.id)
    assert "Saving failed (TypeError: a defect)" in unsaved.defect
    monkeypatch.undo()
    first.values[keys.SETTINGS] = DEFAULT
    saver.turn()
    assert not store.waiting


def test_the_thread_goes_on_after_any_exception_and_says_it(store, spaces, monkeypatch, caplog):
    saver, turns, said = Saver(spaces, store), threading.Semaphore(0), []

    def fails():
        said.append(saver.problem)
        turns.release()
        raise InterruptedError("a signal came")

    monkeypatch.setattr(saving, "_EVERY", 0.01)
    monkeypatch.setattr(saver, "save", fails)
    START(saver)
    try:
        for _ in range(2):
            assert turns.acquire(timeout=60)
    finally:
        saver.end()
    assert "Saving failed (InterruptedError: a signal came)" in str(said[1])
    assert "a signal came" in caplog.text


def test_a_server_that_ends_tries_for_a_time_and_says_what_is_lost(
    store, spaces, monkeypatch, caplog
):
    monkeypatch.setattr(saving, "_LAST_SECONDS", 0.2)
    monkeypatch.setattr(store, "database", refuses)
    ended()
    Saver(spaces, store).finish()
    assert "Lost is the run “What held the pool?” with 9 answers" in caplog.text
    assert "The history in f is locked" in caplog.text
    assert len(store.waiting) == 3


@pytest.fixture
def page(store, monkeypatch):
    monkeypatch.setattr(saving, "_SAID_AFTER", 0.0)
    st.cache_resource.clear()
    yield Playground(query_str="What held the pool?")
    st.cache_resource.clear()


def of(page):
    job = ended(workspace=page.space.id)
    page.space.holding(Runs).begin(job)
    return job


@pytest.mark.slow
def test_every_page_says_what_is_not_saved_until_it_is(page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(current_store(), "database", refuses)
        job = of(page)
        page.set(query_str="Another?")
        saving.saver().save()
        for script in ("app.py", "pages/compare.py", "pages/runs.py"):
            page.at.switch_page(script)
            text = page.draw().text
            assert "the run “What held the pool?” with 9 answers, since today" in text
            assert "your edits since today" in text
            assert text.count("is locked by another program: close that program.") >= 1
        page.space.holding(Runs).begin(of(page))  # and no other run makes it forgotten
        assert page.draw().text.count("the run “What held the pool?”") == 2
    assert page.space.busy  # it must not leave memory
    assert job.unsaved
    assert current_store().retry()
    assert saving.saver().save()
    assert "Not saved yet" not in page.draw().text
    assert not page.space.busy


def test_what_the_database_has_not_taken_for_a_second_is_said(page, monkeypatch):
    """It waits for another writer, and has refused nothing so far."""
    go, writes = threading.Event(), threading.Event()

    def waits():
        writes.set()
        go.wait()
        raise REFUSED

    with monkeypatch.context() as patch:
        patch.setattr(current_store(), "database", waits)
        job = run(request_of(), reply, workspace=page.space.id)
        writes.wait()
        said = saving.unsaved_words(page.space.id)
        go.set()
        job.wait()
    assert "with 0 answers" in said
    assert "The database has not taken it so far." in said
