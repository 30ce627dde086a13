"""A killed process loses nothing that was answered, and its runs go on as if it had lived."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select, update

from synth.llms import FunctionLLM
from synth.runs.calls import prompt_hash
from tests.eventually import eventually
from tests.ui.store.killed import prompt_hash_of
from tests.ui.store.recorded import (
    WORKSPACE,
    ended,
    going_on,
    latest,
    reply,
    request_of,
    saved,
    waiting,
)
from ui.runs import job
from ui.runs.start import reopened
from ui.store import database
from ui.store import runs as saved_runs
from ui.store import store as stores
from ui.store.run_json import INTERRUPTED
from ui.store.run_writer import GOES_ON
from ui.store.runs import Filter, load_run
from ui.store.tables import RUN, RUNNING

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
KILLS = 2


def started(log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.ui.store.killed", str(log)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def found(store, **wanted):
    return saved_runs.find(store, WORKSPACE, Filter(**wanted), limit=1_000).runs


def prompts_of(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


def test_killed_processes_lose_nothing_that_was_answered(store, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "LEASE", -1.0)  # other processes of a server count as dead
    dice = random.Random(7)
    before: set[str] = set()
    whole: dict[str, str] = {}
    for kill in range(KILLS):
        log = tmp_path / f"asked {kill}"
        process = started(log)
        eventually(lambda log=log: len(prompts_of(log)) > 2, "the first answers", seconds=120)
        time.sleep(dice.uniform(0.0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        made = [run for run in found(store) if run.id not in before]
        before |= {run.id for run in made}
        told = Counter(prompts_of(log))
        kept = Counter()
        for summary in reversed(made):  # in the order of their start
            calls = load_run(store, WORKSPACE, summary.id).trace.calls
            kept += Counter(prompt_hash(call.prompt) for call in calls)
        # All prompts are different, and at most the calls in flight are lost: a batch of nine.
        assert max(kept.values()) == max(told.values()) == 1
        assert not kept - told
        assert sum((told - kept).values()) <= 9
        # Requests under way are counted, though nobody can know that they were sent.
        assert 0 <= sum(run.requests for run in made) - told.total() <= 9
        assert made[0].requests == made[0].calls + made[0].unsure
        assert [run.state for run in made][1:] == ["done"] * (len(made) - 1)
        assert made[0].state in ("interrupted", "done")
        resumed(store, made[0], whole)
    assert not found(store, states=["running", "interrupted"])


def resumed(store, summary, whole):
    """Resume a run, and hold it against the same request run without a kill."""
    past = load_run(store, WORKSPACE, summary.id)
    asked = []

    def fn(prompt):
        asked.append(prompt_hash_of(prompt))
        return reply(prompt)

    job = saved(past.request, fn, **going_on(past))
    assert job.run == summary.id
    assert not {prompt_hash(call.prompt) for call in past.trace.calls} & set(asked)
    if past.request.query_str not in whole:
        synthesizer = past.request.synthesizer(_model(past.request))
        trace = synthesizer.run(past.request.query_str, past.request.text_chunks)
        whole[past.request.query_str] = trace
    back = load_run(store, WORKSPACE, summary.id)
    assert back.trace == whole[past.request.query_str]
    assert back.info.state == "done"
    assert back.info.requests == len(back.trace.calls) + summary.unsure
    assert back.info.unsure == summary.unsure


def _model(request):
    return FunctionLLM(reply, context_window=request.context_window, num_output=request.num_output)


def test_two_processes_save_into_one_database_and_no_run_of_theirs_is_called_interrupted(
    store, tmp_path
):
    logs = [tmp_path / "one", tmp_path / "two"]
    processes = [started(log) for log in logs]
    try:
        for log in logs:
            eventually(lambda log=log: len(prompts_of(log)) > 30, "thirty answers", seconds=120)
        for _ in range(20):
            assert not found(store, states=["interrupted"])
        os.kill(processes[0].pid, signal.SIGSTOP)
        assert not found(store, states=["interrupted"])
    finally:
        for process in processes:
            process.kill()
            process.wait()
    done = found(store, states=["done"])
    assert len({run.id for run in done}) == len(done) > 1
    for summary in done:
        trace = load_run(store, WORKSPACE, summary.id).trace
        assert trace.response == summary.answer
        assert len(trace.calls) == summary.calls == summary.requests


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


def test_a_run_that_goes_on_at_another_server_is_followed_to_its_end(store, other, monkeypatch):
    monkeypatch.setattr(job, "_LOOK_AGAIN", 0.01)
    with waiting(request_of()) as going:
        monkeypatch.setattr(stores, "_current", other)
        followed = reopened(latest(other))
        assert followed.running
        assert followed.elsewhere
        assert followed.trace is None
        monkeypatch.setattr(stores, "_current", store)
    followed.wait(10)
    assert not followed.running
    assert followed.trace == going.trace
    assert followed.spent == going.spent


def test_a_followed_run_whose_server_dies_is_interrupted_and_goes_on_here(
    store, other, monkeypatch
):
    monkeypatch.setattr(job, "_LOOK_AGAIN", 0.01)
    with waiting(request_of()):
        monkeypatch.setattr(stores, "_current", other)
        followed = reopened(latest(other))
        monkeypatch.setattr(database, "LEASE", -1.0)
        store.database().leave()
        followed.wait(10)
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
        monkeypatch.setattr(database, "LEASE", -1.0)
        assert [run.state for run in found(other)] == ["interrupted"]
        assert found(other, states=["interrupted"]) == found(other)
        assert not found(other, states=["running"])
    assert [run.state for run in found(other)] == ["done"]  # it lived after all


def test_a_dead_server_with_a_sign_of_life_from_later_is_dead(store):
    if store.database().folder is not None:
        pytest.skip("Beside a file no clock is asked.")
    saved(request_of())
    with store.write() as connection:
        dead = {"state": "running", "server": "dead", "alive": 4102444800}  # in 2100
        connection.execute(update(RUN).values(**dead))
    assert [run.state for run in found(store)] == ["interrupted"]
