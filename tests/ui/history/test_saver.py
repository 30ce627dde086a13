"""The thread that saves: what it does whatever happens, and what the page says of it."""

import threading

import pytest
import streamlit as st

from tests.ui.history.recorded import ended, reply, request_of, run
from tests.ui.page import Playground
from ui.history import history as opened
from ui.history import workspaces
from ui.history.problems import HistoryError, UnfitError
from ui.history.recorder import unsaved
from ui.kept import saving
from ui.kept.saving import Refused, Saver
from ui.kept.values import from_json
from ui.runs.branches import Runs
from ui.session import keys
from ui.session.workspace import Registry
from ui.settings.schema import DEFAULT

START = Saver.start
"""What starts the thread: tests of the history save when they say so."""
REFUSED = HistoryError("The history in f is locked by another program: close that program.")


def refuses():
    raise REFUSED


@pytest.fixture
def url(tmp_path):
    """SQLite alone: what is tested here stands above the database."""
    return f"sqlite:///{tmp_path / 'history.sqlite3'}"


@pytest.fixture
def spaces():
    """A registry with two workspaces that have something to save."""
    registry = Registry()
    for window in (900, 901):
        registry.find(None).values[keys.SETTINGS] = DEFAULT.with_({"context_window": window})
    return registry


def refused_by(saver, spaces):
    saver.save()
    return [space.holding(Refused).problem for space in spaces.all()]


def test_what_one_workspace_cannot_save_keeps_no_other_from_being_saved(
    history, spaces, monkeypatch
):
    first, second = spaces.all()
    save = workspaces.save

    def fails(history, id, *values):
        if id == first.id:
            raise TypeError("Object of type Decimal is not JSON serializable")
        save(history, id, *values)

    monkeypatch.setattr(workspaces, "save", fails)
    defect, none = refused_by(Saver(spaces), spaces)
    assert "Saving failed (TypeError: Object of type Decimal" in str(defect)
    assert none is None
    assert from_json(workspaces.load(history, second.id)) == {
        keys.SETTINGS: DEFAULT.with_({"context_window": 901})
    }


@pytest.mark.parametrize(("problem", "attempts"), [(REFUSED, 1), (UnfitError("odd"), 2)])
def test_a_database_that_refuses_one_workspace_is_not_asked_for_all_others(
    history, spaces, monkeypatch, problem, attempts
):
    asked = []

    def refuses(history, id, *values):
        asked.append(id)
        raise problem

    monkeypatch.setattr(workspaces, "save", refuses)
    assert refused_by(Saver(spaces), spaces) == [problem, problem]
    assert len(asked) == attempts


def test_the_thread_goes_on_after_any_exception_and_says_it(history, spaces, monkeypatch, caplog):
    saver, turns, said = Saver(spaces), threading.Semaphore(0), []

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
    history, spaces, monkeypatch, caplog
):
    monkeypatch.setattr(saving, "_LAST_SECONDS", 0.2)
    monkeypatch.setattr(saving.opened, "history", refuses)
    ended()
    Saver(spaces).finish()
    assert "What held the pool? is lost: The history in f is locked" in caplog.text
    assert len(unsaved.all()) == 1


@pytest.fixture
def page(history, monkeypatch):
    """A Playground of a server that has just been started."""
    monkeypatch.setattr(saving, "_SAID_AFTER", 0.0)
    st.cache_resource.clear()
    yield Playground(query_str="What held the pool?")
    st.cache_resource.clear()


def of(page):
    """A run of the workspace of this page, which has ended and which its Playground shows."""
    job = ended(workspace=page.space.id)
    page.space.holding(Runs).begin(job)
    return job


@pytest.mark.slow
def test_every_page_says_what_is_not_saved_until_it_is(page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(opened, "history", refuses)
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
    assert unsaved.retry()
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
        patch.setattr(opened, "history", waits)
        job = run(request_of(), reply, workspace=page.space.id)
        writes.wait()
        said = saving.unsaved_words(unsaved.of(page.space.id), Refused(), None)
        go.set()
        job.wait()
    assert "with 0 answers" in said
    assert "The database has not taken it so far." in said
