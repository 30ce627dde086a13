"""The workspace: what it remembers, how long, for two tabs at once, and how it is deleted."""

import time

import pytest

from tests.ui.page import Playground
from tests.ui.store.recorded import ended
from ui.runs.start import Runs
from ui.session import keys, workspace
from ui.session.workspace import Holding, Registry
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.store import StoreError, current_store
from ui.workspaces import opening
from ui.workspaces.saving import saver


@pytest.fixture
def space():
    return Registry().find(None)


def test_what_was_made_is_remembered_and_the_oldest_goes(space):
    made = []

    def make():
        made.append(len(made))
        return made[-1]

    for key in [*range(17), 12, 0]:
        space.remember("kind", key, make)
    assert len(made) == 18  # the first had gone by the time it was asked for again


def test_what_two_tabs_make_at_once_is_one_thing(space):
    def slow():
        fast = space.remember("kind", 1, lambda: "made by the faster tab")
        return f"not {fast}"

    assert space.remember("kind", 1, slow) == "made by the faster tab"


class Going(Holding):
    """A run that goes on."""

    busy = True


@pytest.mark.parametrize(
    ("seconds", "holding", "stays"),
    [(290, Holding, True), (310, Holding, False), (999, Going, True)],
)
def test_a_workspace_stays_for_minutes_and_while_a_run_goes_on_in_it(seconds, holding, stays):
    registry = Registry()
    space = registry.find(None)
    space.holding(holding)
    space.seen = time.monotonic() - seconds
    registry.forget_idle()
    assert registry.has(space.id) == stays


QUESTION = "What did the bees do in May?"


@pytest.fixture
def left():
    """A function that lets a workspace be saved and forgotten, as if nobody had been there."""

    def leave(page):
        saver().save()
        page.space.seen = time.monotonic() - 310
        saver().turn()
        assert page.space not in workspace.registry().all()

    return leave


def back(page):
    """The workspace that stands in memory for the one of the page."""
    [space] = [one for one in workspace.registry().all() if one.id == page.space.id]
    assert space is not page.space
    return space


def test_an_edit_in_a_tab_that_was_idle_finds_its_workspace(left):
    page = Playground(query_str=QUESTION, chunks=["The bees swarmed in May."])
    left(page)
    page.enter("context_window", 1_234)
    settings = back(page).values[keys.SETTINGS]
    assert (settings.query_str, settings.context_window) == (QUESTION, 1_234)
    assert page.at.session_state[keys.WORKSPACE] == page.space.id


def refuses():
    raise StoreError("The history is locked by another program.")


def test_a_workspace_that_can_not_be_saved_stays(monkeypatch):
    page = Playground(query_str=QUESTION)
    monkeypatch.setattr(current_store(), "database", refuses)
    page.space.seen = time.monotonic() - 310
    saver().turn()
    assert page.space in workspace.registry().all()


@pytest.mark.slow
def test_another_tab_does_not_bring_a_workspace_back_by_an_edit(left):
    """Only a page that is opened may ask the database for a workspace it was not in."""
    page = Playground(query_str=QUESTION)
    other = Playground()
    left(page)
    other.at.query_params["w"] = page.space.id
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace.registry(), "bring_back", pytest.fail)
        other.set(context_window=1_234)


@pytest.fixture
def page():
    made = Playground(query_str=QUESTION)
    made.space.holding(Runs).begin(ended(workspace=made.space.id))
    saver().save()
    return made.set(share=True)


def kept(page):
    history, id = current_store(), page.space.id
    return saved_runs.load_workspace(history, id), saved_runs.find(history, id).runs


def tick(page):
    page.at.checkbox(key="sure_to_delete").check()
    return page.draw()


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_an_edit_in_another_tab_goes_into_a_new_one(page):
    tab = Playground.of(page.space)
    assert tab.reach("context_window")
    opening.delete(page.space.id)
    tab.enter("context_window", 1_234)
    [space] = [one for one in workspace.registry().all() if one.id == tab.at.query_params["w"]]
    settings = space.values[keys.SETTINGS]
    assert (settings.query_str, settings.context_window) == (DEFAULT.query_str, 1_234)


@pytest.mark.slow
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
