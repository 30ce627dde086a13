"""What the pages say of runs that other tabs, other servers and dead servers left."""

import pytest

from tests.ui.page import Page, Playground
from tests.ui.store.recorded import request_of, waiting
from ui.runs import start
from ui.runs.start import Runs as RunsHeld
from ui.session import workspace
from ui.store import store as stores
from ui.workspaces import saving

pytestmark = pytest.mark.slow


class Runs(Page):
    """The list of runs."""

    script = "pages/runs.py"


DATABASES = ["sqlite"]  # what is tested here stands above the database


def test_two_tabs_that_press_run_at_once_start_one_run(store, monkeypatch):
    page = Playground(query_str="Why?")
    held, started = page.space.holding(RunsHeld), []
    press, begin = start.press, start.start

    def noted(*given, **how):
        assert held.pressing._is_owned()  # so that another tab's press waits
        started.append(given)
        begin(*given, **how)

    def late(action):
        held.begin(other_tabs_job)
        press(action)

    monkeypatch.setattr(start, "start", noted)
    page.press("run_button")
    other_tabs_job, held.jobs = held.job, []
    page.draw()
    monkeypatch.setattr(start, "press", late)
    page.press("run_button")
    assert len(started) == 1
    assert "Your press did nothing." in page.text


def opened_at(other, space, monkeypatch):
    saving.saver().save()
    monkeypatch.setattr(stores, "_current", other)
    workspace.registry().spaces.pop(space.id, None)
    return Playground().open(w=space.id)


def test_a_run_that_goes_on_at_another_server_is_watched_and_not_called_interrupted(
    store, other, monkeypatch
):
    page = Playground(query_str="What held the pool?")
    with waiting(request_of(), workspace=page.space.id) as going:
        there = opened_at(other, page.space, monkeypatch)
        assert "refine</b> is running" in there.text
        assert "It goes on at another server." in there.text
        assert "interrupted" not in there.text
        assert not there.keys & {"resume", "stop"}
        monkeypatch.setattr(stores, "_current", store)
    going.wait()
    monkeypatch.setattr(stores, "_current", other)
    followed = workspace.registry().spaces[page.space.id].holding(RunsHeld).job
    followed.look_again()
    assert (followed.trace, followed.spent) == (going.trace, going.spent)
    assert "It goes on at another server." not in there.draw().text


def test_an_interrupted_run_is_named_also_where_inputs_were_changed(store, other, monkeypatch):
    page = Playground(query_str="What held the pool?")
    with waiting(request_of(), workspace=page.space.id):
        page.put(query_str="Another?")
        store.database().leave()
        there = opened_at(other, page.space, monkeypatch)
        assert "The last run was interrupted: its server ended before it did" in there.text
        monkeypatch.setattr(stores, "_current", store)
