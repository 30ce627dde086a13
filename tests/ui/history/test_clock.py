"""A clock that is set back changes times, and nothing else: the latest stays the latest."""

import time

import pytest
from sqlalchemy import text

from tests.ui.history.recorded import WORKSPACE, request_of, saved
from ui.history import recorder, summaries, tables, workspaces
from ui.history.run_rows import Parent
from ui.history.saved_run import latest
from ui.history.summaries import Filter
from ui.runs.job import Past

pytestmark = pytest.mark.slow

HOURS = 3 * 3_600


@pytest.fixture
def set_back(monkeypatch):
    """Set the clock of this process back by three hours, from when it is called."""

    def call():
        for module in (recorder, tables):
            monkeypatch.setattr(module, "time", lambda: time.time() - HOURS)

    return call


def test_the_run_that_began_last_is_the_latest(history, set_back):
    first = saved(request_of())
    set_back()
    second, third = saved(request_of()), saved(request_of(), past=Past(parent=Parent("x", 1)))
    assert latest(history, WORKSPACE, "Playground").summary.id == third.run
    found = summaries.found(history, WORKSPACE, Filter()).runs
    assert [run.id for run in found] == [third.run, second.run, first.run]
    assert found[0].started < found[2].started  # times are those of the clock
    for run in found:
        assert run.seconds > 0
        assert run.ended > run.started


def test_the_clock_is_set_back_while_a_run_goes_on(history, set_back):
    asked = []

    def fn(prompt):
        asked.append(prompt) if asked else set_back()
        return f"answer {len(asked)}"

    run = saved(request_of(), fn)
    [found] = summaries.found(history, WORKSPACE, Filter()).runs
    assert found.id == run.run
    assert 0 < found.seconds < HOURS
    assert found.ended > found.started


def test_the_workspace_that_was_saved_last_is_the_latest(history, set_back):
    workspaces.save(history, "first", {"context_window": 900})
    set_back()
    workspaces.save(history, "second", {"context_window": 901})
    assert workspaces.latest(history) == "second"
    run = saved(request_of())
    assert workspaces.older_than(history, "second", run.run)
    workspaces.save(history, "second", {"context_window": 902})
    assert not workspaces.older_than(history, "second", run.run)
    assert workspaces.older_than(history, "never saved", run.run)


def test_a_dead_process_with_a_sign_of_life_from_later_is_dead(history):
    if history.database.folder is not None:
        pytest.skip("Beside a file no clock is asked.")
    run = saved(request_of()).run
    with history.write() as connection:
        dead = {"process": "dead", "run": run}
        connection.execute(text("INSERT INTO process VALUES ('dead', 4102444800)"))  # in 2100
        connection.execute(
            text("UPDATE run SET state = 'running', process = :process WHERE id = :run"), dead
        )
    assert [one.state for one in summaries.found(history, WORKSPACE, Filter()).runs] == [
        "interrupted"
    ]
