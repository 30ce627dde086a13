"""Requests that are run and saved, for tests and for the processes that they kill."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synth.errors import SynthError
from synth.llms import FunctionLLM
from synth.runs.calls import Log
from synth.runs.events import Event
from synth.runs.trace import Trace
from tests.recipes import make_request
from ui.runs.job import Job
from ui.settings.request import Request
from ui.store import runs as saved_runs
from ui.store import store as stores
from ui.store.rows import Run, RunInfo
from ui.store.runs import find_latest, load_run
from ui.store.store import ADDRESS, Store
from ui.workspaces.files import to_json

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


def renewed(patch: pytest.MonkeyPatch) -> Store:
    """A store that this process uses from now on, and that has opened nothing yet."""
    patch.setattr(stores, "_current", made := Store())
    return made


def run(
    request: Request,
    fn: Callable[[str], str] = reply,
    info: RunInfo | None = None,
    earlier: Trace | None = None,
    log: Log | None = None,
    workspace: str = WORKSPACE,
) -> Job:
    """A job that runs the request with this model and is saved; it may still go on."""
    answers = earlier.log() if earlier is not None else log or {}

    def events(stop: threading.Event) -> Iterator[Event]:
        llm = FunctionLLM(fn, context_window=request.context_window, num_output=request.num_output)
        synthesizer = request.synthesizer(llm)
        values = dict(request.variables)
        return synthesizer.stream(request.query_str, request.text_chunks, answers, stop, **values)

    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    info = replace(info or RunInfo(), workspace=workspace, page="Playground", planned=9)
    job = Job(request, setup, info, earlier, is_saved=True)
    job.events = events
    return job.begin()


@contextmanager
def waiting(request: Request, **how: Any) -> Iterator[Job]:
    """A run that waits for its first answer until the block ends, and is done after it."""
    go, asked = threading.Event(), threading.Event()

    def fn(prompt: str) -> str:
        asked.set()
        go.wait()
        return reply(prompt)

    job = run(request, fn, **how)
    asked.wait()
    try:
        yield job
    finally:
        go.set()
        job.wait()


def ended(request: Request | None = None, fn: Callable[[str], str] = reply, **how: Any) -> Job:
    job = run(request or request_of(), fn, **how)
    job.wait()
    return job


def saved(request: Request, fn: Callable[[str], str] = reply, **how: Any) -> Job:
    job = ended(request, fn, **how)
    assert job.writer is not None
    assert not job.unsaved
    return job


def leave(file: Path, *requests: Request) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ADDRESS, f"sqlite:///{file}")
        store = renewed(patch)
        for request in requests:
            saved(request)
        saved_runs.save_workspace(store, WORKSPACE, to_json({"query_str": requests[-1].query_str}))
        store.close()


def going_on(run: Run) -> dict[str, Any]:
    return {"info": run.info, "earlier": run.trace}


def latest(store: Store, workspace: str = WORKSPACE) -> Run | None:
    id = find_latest(store, workspace, "Playground")
    return load_run(store, workspace, id) if id else None


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
