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
from sqlalchemy import make_url, select

from synth.llms import FunctionLLM
from synth.runs.calls import prompt_hash
from tests.eventually import eventually
from tests.ui.history.killed import prompt_hash_of
from tests.ui.history.recorded import WORKSPACE, going_on, reply, request_of, saved, waiting
from ui.history import history as opened
from ui.history import summaries
from ui.history.database import Database
from ui.history.run_rows import take_over
from ui.history.saved_run import load
from ui.history.summaries import Filter
from ui.history.tables import RUN, RUNNING

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
KILLS = 2


def started(log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.ui.history.killed", str(log)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def found(history, **wanted):
    return summaries.found(history, WORKSPACE, Filter(**wanted), limit=1_000).runs


def prompts_of(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


def test_killed_processes_lose_nothing_that_was_answered(history, tmp_path, monkeypatch):
    monkeypatch.setattr(opened, "LEASE", -1.0)  # other processes of a server count as dead
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
        made = [run for run in found(history) if run.id not in before]
        before |= {run.id for run in made}
        told = Counter(prompts_of(log))
        kept = Counter()
        for summary in reversed(made):  # in the order of their start
            calls = load(history, WORKSPACE, summary.id).trace.calls
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
        resumed(history, made[0], whole)
    assert not found(history, states=["running", "interrupted"])


def resumed(history, summary, whole):
    """Resume a run, and hold it against the same request run without a kill."""
    past = load(history, WORKSPACE, summary.id)
    asked = []

    def fn(prompt):
        asked.append(prompt_hash_of(prompt))
        return reply(prompt)

    job = saved(past.request, fn, going_on(past))
    assert job.run == summary.id
    assert not {prompt_hash(call.prompt) for call in past.trace.calls} & set(asked)
    if past.request.query_str not in whole:
        synthesizer = past.request.synthesizer(_model(past.request))
        trace = synthesizer.run(past.request.query_str, past.request.text_chunks)
        whole[past.request.query_str] = trace
    back = load(history, WORKSPACE, summary.id)
    assert back.trace == whole[past.request.query_str]
    assert back.summary.state == "done"
    assert back.summary.requests == len(back.trace.calls) + summary.unsure
    assert back.summary.unsure == summary.unsure


def _model(request):
    return FunctionLLM(reply, context_window=request.context_window, num_output=request.num_output)


def test_two_processes_save_into_one_database_and_no_run_of_theirs_is_called_interrupted(
    history, tmp_path
):
    logs = [tmp_path / "one", tmp_path / "two"]
    processes = [started(log) for log in logs]
    try:
        for log in logs:
            eventually(lambda log=log: len(prompts_of(log)) > 30, "thirty answers", seconds=120)
        for _ in range(20):
            assert not found(history, states=["interrupted"])
            with history.write() as connection:
                running = select(RUN.c.id).where(RUN.c.state == RUNNING).with_for_update()
                for id in connection.scalars(running).all():
                    assert take_over(connection, history, id) is None
        os.kill(processes[0].pid, signal.SIGSTOP)
        assert not found(history, states=["interrupted"])
    finally:
        for process in processes:
            process.kill()
            process.wait()
    done = found(history, states=["done"])
    assert len({run.id for run in done}) == len(done) > 1
    for summary in done:
        trace = load(history, WORKSPACE, summary.id).trace
        assert trace.response == summary.answer
        assert len(trace.calls) == summary.calls == summary.requests


def test_a_run_that_another_process_is_running_is_resumed_as_a_run_of_its_own(place):
    first = opened.history()
    with waiting(request_of()) as job:
        [running] = found(first)
        with pytest.MonkeyPatch.context() as patch:  # the second is a process of its own
            patch.setattr(opened, "_opened", opened._Opened())
            second = opened.history()
            other = saved(request_of(), past=going_on(load(second, WORKSPACE, running.id)))
            assert other.run != running.id
            second.close()
    assert [run.state for run in found(first)] == ["done", "done"]
    assert {run.id for run in found(first)} == {job.run, other.run}
    first.close()


def test_a_run_that_begins_while_runs_are_read_is_not_called_interrupted(history):
    saved(request_of())
    with history.read() as connection:
        living = history.presence.living(connection)
        saved(request_of())
        with waiting(request_of()):
            running = set(connection.scalars(select(RUN.c.process).where(RUN.c.state == RUNNING)))
    assert running <= living  # a reader of SQLite does not see the new run at all


def test_a_run_whose_process_has_gone_is_interrupted(place, monkeypatch):
    first = opened.history()
    with waiting(request_of()):
        assert [run.state for run in found(first)] == ["running"]
        first.presence.leave()
        monkeypatch.setattr(opened, "LEASE", -1.0)
        second = opened.History(Database(make_url(place)))
        assert [run.state for run in found(second)] == ["interrupted"]
        assert found(second, states=["interrupted"]) == found(second)
        assert not found(second, states=["running"])
    assert [run.state for run in found(second)] == ["done"]  # it lived after all
    first.close()
    second.close()
