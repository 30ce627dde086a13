"""A run that goes on at another server, and one whose server has gone, on one database."""

import pytest
from sqlalchemy import select, update

from synth.errors import INTERRUPTED
from tests.eventually import eventually
from tests.ui.store.recorded import WORKSPACE, ended, going_on, latest, request_of, saved, waiting
from ui.runs.start import reopen
from ui.store import runs as saved_runs
from ui.store import store as stores
from ui.store.rows import RUN, RUNNING
from ui.store.runs import GOES_ON

pytestmark = pytest.mark.slow


def found(store):
    return saved_runs.find(store, WORKSPACE).runs


def test_a_run_that_goes_on_at_another_server_is_resumed_by_nobody(store, other, monkeypatch):
    asked = []
    with waiting(request_of()):
        going = latest(store)
        assert (going.info.state, going.trace.error_kind) == ("running", None)
        with monkeypatch.context() as patch:  # the other is a process of its own
            patch.setattr(stores, "_current", other)
            refused = ended(request_of(), asked.append, **going_on(latest(other)))
    assert (refused.problem, refused.trace, asked) == (GOES_ON, None, [])
    assert [run.state for run in found(store)] == ["done"]
    assert latest(store).trace.response


def test_a_followed_run_whose_server_dies_is_interrupted_and_goes_on_here(
    store, other, monkeypatch
):
    with waiting(request_of()):
        monkeypatch.setattr(stores, "_current", other)
        followed = reopen(latest(other))
        monkeypatch.setattr(stores, "LEASE", -1.0)
        store.database().leave()
        followed.look_again()
        assert followed.trace.error_kind == INTERRUPTED
        again = saved(request_of(), info=followed.info_now, earlier=followed.trace)
        assert again.run == followed.run
    assert [run.state for run in found(other)] == ["done"]


def test_what_an_attempt_answers_that_came_late_is_kept(store):
    """It was paid for, and the attempt that took the run over has not asked for it."""
    with waiting(request_of("accumulate")) as first:
        going = latest(store)
        store.database().server = "another"  # so that the run is taken from it
        eventually(lambda: first.running, "the run")
        with store.write() as connection:
            connection.execute(update(RUN).values(attempt=2))
    assert latest(store).info.state == "running"
    assert len(latest(store).trace.calls) > len(going.trace.calls)


def test_a_run_that_begins_while_runs_are_read_is_not_called_interrupted(store):
    saved(request_of())
    with store.read() as connection:
        living = store.database().living(connection)
        saved(request_of())
        with waiting(request_of()):
            dead = select(RUN.c.id).where(RUN.c.state == RUNNING, ~living)
            assert not connection.scalars(dead).all()  # SQLite's reader does not see it at all


def test_a_run_whose_server_has_gone_is_interrupted(store, other, monkeypatch):
    with waiting(request_of()):
        assert [run.state for run in found(other)] == ["running"]
        store.database().leave()
        monkeypatch.setattr(stores, "LEASE", -1.0)
        assert [run.state for run in found(other)] == ["interrupted"]
    assert [run.state for run in found(other)] == ["done"]  # it lived after all


def test_a_dead_server_with_a_sign_of_life_from_later_is_dead(store):
    if store.database().folder is not None:
        pytest.skip("Beside a file no clock is asked.")
    saved(request_of())
    with store.write() as connection:
        dead = {"state": "running", "server": "dead", "alive": 4102444800}  # in 2100
        connection.execute(update(RUN).values(**dead))
    assert [run.state for run in found(store)] == ["interrupted"]
