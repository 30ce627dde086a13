"""The page of what is kept: it says what the database has, and deletes it when asked twice."""

import time

import pytest

from tests.ui.history.recorded import ended
from tests.ui.page import Page, Playground
from ui.history import history as opened
from ui.history import keeping, workspaces
from ui.history.problems import HistoryError
from ui.kept import deletion, forgetting
from ui.kept.saving import saver
from ui.runs.branches import Runs
from ui.session import keys, workspace
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

QUESTION = "What did the bees do in May?"


class KeptPage(Page):
    script = "pages/kept.py"


@pytest.fixture
def page():
    """The page of a workspace in which a question is entered and one run was made."""
    made = KeptPage(query_str=QUESTION)
    job = ended(workspace=made.space.id)
    made.space.holding(Runs).begin(job)
    saver().save()
    return made.open()


def kept(page):
    return keeping.kept(opened.history(), page.space.id)


def test_it_says_what_the_database_has(page, monkeypatch):
    assert "1 run of this workspace and" in page.said
    assert "in all are kept since today" in page.said
    assert f"1 run with {kept(page).calls} calls" in page.said
    assert "Until you delete it" in page.said
    assert "Who runs this server knows" in page.said
    assert "history.sqlite3" not in page.said  # others need not know where
    monkeypatch.setenv("SYNTH_KEEP_DAYS", "30")
    monkeypatch.setenv("SYNTH_BACKUP_DAYS", "1")
    page.draw()
    assert "A run goes 30 days after it ended, pinned or not" in page.said
    assert "What was deleted stays for 1 more day in copies" in page.said
    monkeypatch.setenv("SYNTH_KEEP_DAYS", "a month")
    assert "SYNTH_KEEP_DAYS: Input should be a valid integer" in page.draw().said


def test_a_workspace_is_deleted_when_asked_twice(page):
    old = page.space
    page.press("Delete this workspace")
    page.press("Keep it")
    page.press("Delete this workspace")
    assert kept(page).runs == 1
    page.press("Delete it now")
    assert "The workspace was deleted." in page.said
    assert "Nothing is kept of this workspace yet." in page.said
    assert kept(page).size == 0
    assert old not in workspace.registry().all()
    assert page.at.session_state[keys.WORKSPACE] != old.id
    tab = Playground.of(old)
    assert "The workspace was deleted." in tab.said
    assert tab.at.session_state[keys.WORKSPACE] != old.id
    assert QUESTION not in tab.said


def test_another_tab_that_is_in_it_begins_anew(page):
    tab = Playground.of(page.space)
    assert tab.widgets["query_str"].value == QUESTION
    deletion.delete(page.space.id)
    tab.draw()
    assert "The workspace was deleted." in tab.said
    assert tab.widgets["query_str"].value == DEFAULT.query_str
    saver().save()
    assert kept(page).size == 0


def test_runs_that_go_on_are_stopped_and_another_server_lets_go_of_it(page):
    job = page.space.holding(Runs).job
    stopped = []
    job.stop = lambda: stopped.append(job)
    page.space.values[keys.SETTINGS] = DEFAULT.with_({"query_str": "Saved by this server?"})
    keeping.delete_workspace(opened.history(), page.space.id)  # as another server does it
    assert saver().save()  # nothing is refused, so the page says nothing of it
    assert kept(page).size == 0
    deletion.take_out_deleted(workspace.registry())
    assert page.space not in workspace.registry().all()
    assert stopped == [job]


def test_a_database_that_refuses_is_named_and_all_stays(page, monkeypatch):
    page.press("Delete this workspace")
    refused = HistoryError("The history in f is locked by another program: close that program.")

    def refuses(history, id):
        raise refused

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "delete_workspace", refuses)
        page.press("Delete it now")
    assert "Nothing was deleted. The history in f is locked" in page.said
    assert kept(page).runs == 1
    assert page.space in workspace.registry().all()


def test_the_clock_removes_what_is_past_its_time(page, monkeypatch):
    monkeypatch.setenv("SYNTH_KEEP_DAYS", "1")
    forgetting.sweep()
    assert kept(page).runs == 1
    monkeypatch.setattr(keeping, "time", lambda: time.time() + 2 * 86_400)
    forgetting.sweep()
    assert kept(page).size == 0
    assert workspaces.load(opened.history(), page.space.id) == {}
