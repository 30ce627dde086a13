"""Runs whose process has gone are interrupted; those of a process that lives are left alone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url, select

from tests.eventually import eventually
from tests.ui.history.recorded import WORKSPACE, going_on, request_of, saved, waiting
from ui.history import history as opened
from ui.history import summaries
from ui.history.database import Database
from ui.history.run_rows import take_over
from ui.history.saved_run import load
from ui.history.summaries import Filter
from ui.history.tables import RUN, RUNNING

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def started(log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.ui.history.killed", str(log)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def found(history, **wanted):
    return summaries.found(history, WORKSPACE, Filter(**wanted), limit=1_000).runs


def prompts_of(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


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
    versions = {name: number for run in done for name, number in run.template_versions.items()}
    assert set(versions.values()) == {1}  # both found the same texts


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
