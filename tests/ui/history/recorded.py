"""Requests that are run and saved, for tests and for the processes that they kill."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

from synth.default_prompts import DEFAULTS
from synth.errors import SynthError
from synth.events import Event
from synth.llms import FunctionLLM
from synth.response_synthesizers.registry import MODES
from ui.history.recorder import Recorder
from ui.history.run_rows import NewRun
from ui.history.saved_run import SavedRun
from ui.request.request import Model, Request
from ui.run.job import NO_PAST, Job, Past
from ui.run.runner import reopened

CHUNKS = tuple(f"Fact {number}: " + f"the pool held {number} lines. " * 12 for number in range(9))
WORKSPACE = "the workspace"


def request_of(mode: str = "refine", query: str = "What held the pool?", **more: Any) -> Request:
    """A request with nine chunks; in refine it makes nine calls or more."""
    chunks = more.pop("chunks", CHUNKS)
    templates = tuple(
        (name, (("user", DEFAULTS[name].template),)) for name in MODES[mode].templates
    )
    values: dict[str, Any] = {
        "behaviour": "documented",
        "positions": tuple(range(len(chunks))),
        "scores": (None,) * len(chunks),
        "window": 600,
        "num_output": 60,
        "overlap": 0.1,
        "chunk_limit": None,
        "padding": None,
        "encoding": "cl100k_base",
        "filtering": False,
        "templates": templates,
        "variables": (),
        "model": Model(),
    }
    return Request(mode=mode, query=query, chunks=chunks, **values | more)


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
        llm = FunctionLLM(fn, context_window=request.window, num_output=request.num_output)
        synthesizer = request.synthesizer(llm)
        values = dict(request.variables)
        return synthesizer.stream(request.query, request.chunks, past.log, stop, **values)

    setup = request.synthesizer().setup(request.query, request.chunks)
    new = NewRun(workspace, "Playground", request, 9, parent=past.parent)
    recorder = Recorder(new, past.run, past.edited, past.spent)
    return Job(request, setup, 9, events, past, recorder=recorder)


def saved(request: Request, fn: Callable[[str], str] = reply, past: Past = NO_PAST) -> Job:
    """A job that has ended and is saved."""
    job = run(request, fn, past)
    job.wait()
    assert job.recorder is not None
    assert job.recorder.problem is None
    return job


def going_on(run: SavedRun) -> Past:
    """The start of a run that goes on from what was saved."""
    job = reopened(run)
    job.wait()
    assert job.trace is not None
    return Past(job.trace.log(), job.edited, job.spent, job.run)


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
