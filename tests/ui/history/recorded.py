"""Requests that are run and saved, for tests and for the processes that they kill."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from synth.errors import SynthError
from synth.llms import FunctionLLM
from synth.runs.events import Event
from tests.recipes import make_request
from ui.history import history as opened
from ui.history import workspaces
from ui.history.database import ADDRESS
from ui.history.recorder import Recorder
from ui.history.run_rows import NewRun
from ui.history.saved_run import SavedRun
from ui.kept.values import to_json
from ui.runs.job import NO_PAST, Job, Past
from ui.runs.pool import Lane
from ui.runs.start import reopened
from ui.settings.request import Request

CHUNKS = tuple(f"Fact {number}: " + f"the pool held {number} lines. " * 12 for number in range(9))
WORKSPACE = "the workspace"


def request_of(
    mode: str = "refine",
    query_str: str = "What held the pool?",
    text_chunks: tuple[str, ...] = CHUNKS,
    context_window: int = 600,
    **changed: Any,
) -> Request:
    """A request with nine chunks; in refine it makes nine calls or more."""
    return make_request(mode, query_str, text_chunks, context_window, **changed)


def reply(prompt: str) -> str:
    """An answer that depends on every character of the prompt."""
    return f"{len(prompt)} characters, {sum(map(ord, prompt)) % 9_973} their sum"


def run(
    request: Request,
    fn: Callable[[str], str] = reply,
    past: Past = NO_PAST,
    workspace: str = WORKSPACE,
) -> Job:
    """A job that runs the request with this model and is saved; it may still go on."""

    def events(stop: threading.Event) -> Iterator[Event]:
        llm = FunctionLLM(fn, context_window=request.context_window, num_output=request.num_output)
        synthesizer = request.synthesizer(llm)
        values = dict(request.variables)
        return synthesizer.stream(request.query_str, request.text_chunks, past.log, stop, **values)

    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    new = NewRun(workspace, "Playground", request, 9, parent=past.parent)
    recorder = Recorder(new, past.run, past.edited, past.spent)
    return Job(request, setup, 9, past, recorder=recorder).begin(Lane(workspace), events)


@contextmanager
def waiting(request: Request) -> Iterator[Job]:
    """A run that waits for its first answer until the block ends, and is done after it."""
    go, asked = threading.Event(), threading.Event()

    def fn(prompt: str) -> str:
        asked.set()
        go.wait()
        return reply(prompt)

    job = run(request, fn)
    asked.wait()
    try:
        yield job
    finally:
        go.set()
        job.wait()


def ended(
    request: Request | None = None,
    fn: Callable[[str], str] = reply,
    past: Past = NO_PAST,
    workspace: str = WORKSPACE,
) -> Job:
    """A job that has ended, saved or not."""
    job = run(request or request_of(), fn, past, workspace)
    job.wait()
    return job


def saved(request: Request, fn: Callable[[str], str] = reply, past: Past = NO_PAST) -> Job:
    """A job that has ended and is saved."""
    job = ended(request, fn, past)
    assert job.recorder is not None
    assert job.recorder.problem is None
    return job


def leave(file: Path, *requests: Request) -> None:
    """Leave these runs in this database, in a workspace with the question of the last."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ADDRESS, f"sqlite:///{file}")
        patch.setattr(opened, "_opened", opened._Opened())
        for request in requests:
            saved(request)
        values = to_json({"query_str": requests[-1].query_str})
        workspaces.save(opened.history(), WORKSPACE, values)
        opened.history().close()


def going_on(run: SavedRun) -> Past:
    """The start of a run that goes on from what was saved."""
    job = reopened(run)
    assert job.trace is not None
    return Past(job.trace.log(), job.edited, job.spent, job.run, trace=job.trace)


class Failing:
    """A model that fails at one of its prompts, counted from 1, the first time it sees it."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if len(self.prompts) == self.at:
            raise SynthError("It is out of order.")
        return reply(prompt)
