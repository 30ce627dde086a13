"""Share deletes a workspace and its runs; a server that starts, what is old."""

import time

import pytest

from tests.ui.page import Playground
from tests.ui.store.recorded import ended
from ui import frame
from ui.runs.start import Runs
from ui.session import keys, workspace
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.runs import Filter
from ui.store.store import current_store
from ui.workspaces import opening
from ui.workspaces.saving import saver

pytestmark = pytest.mark.slow

QUESTION = "What did the bees do in May?"


@pytest.fixture
def page():
    made = Playground(query_str=QUESTION)
    made.space.holding(Runs).begin(ended(workspace=made.space.id))
    saver().save()
    return made.set(share=True)


def kept(page):
    history, id = current_store(), page.space.id
    return saved_runs.load_workspace(history, id), saved_runs.find(history, id, Filter()).runs


def tick(page):
    page.at.checkbox(key="sure_to_delete").check()
    return page.draw()


def test_a_workspace_is_deleted_when_somebody_is_sure(page):
    old = page.space
    assert page.find_button("delete").disabled
    tick(page).press("delete")
    assert "The workspace was deleted." in page.said
    assert page.widgets["query_str"].value == DEFAULT.query_str
    assert page.at.session_state[keys.WORKSPACE] != old.id
    assert not any(kept(page))
    assert old not in workspace.registry().all()
    tab = Playground.of(old)
    assert tab.at.session_state[keys.WORKSPACE] != old.id
    assert QUESTION not in tab.said


def test_runs_are_stopped_and_another_tab_that_is_in_it_begins_anew(page):
    tab = Playground.of(page.space)
    assert tab.widgets["query_str"].value == QUESTION
    job = page.space.holding(Runs).job
    stopped = []
    job.stop = lambda: stopped.append(job)
    opening.delete(page.space.id)
    assert stopped == [job]
    tab.draw()
    assert tab.widgets["query_str"].value == DEFAULT.query_str
    saver().save()
    assert not any(kept(page))


def test_an_edit_in_another_tab_goes_into_a_new_one(page):
    tab = Playground.of(page.space)
    assert tab.reach("context_window")
    opening.delete(page.space.id)
    tab.enter("context_window", 1_234)
    [space] = [one for one in workspace.registry().all() if one.id == tab.at.query_params["w"]]
    settings = space.values[keys.SETTINGS]
    assert (settings.query_str, settings.context_window) == (DEFAULT.query_str, 1_234)


def test_a_database_that_refuses_is_named_and_all_stays(page, monkeypatch):
    tick(page)
    refused = StoreError("The history in f is locked by another program: close that program.")

    def refuses(history, id):
        raise refused

    with monkeypatch.context() as patch:
        patch.setattr(saved_runs, "delete_workspace", refuses)
        page.press("delete")
    assert "Nothing was deleted. The history in f is locked" in page.said
    assert all(kept(page))
    assert page.space in workspace.registry().all()


def test_a_server_that_starts_removes_what_is_past_its_time(page, monkeypatch):
    monkeypatch.setenv("SYNTH_KEEP_DAYS", "1")
    frame._start.clear()
    page.draw()
    assert all(kept(page))
    monkeypatch.setattr(saved_runs, "time", lambda: time.time() + 2 * 86_400)
    page.draw()
    assert all(kept(page))  # it has started
    frame._start.clear()
    page.draw()
    assert not any(kept(page))
