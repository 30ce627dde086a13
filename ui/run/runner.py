"""Starting a run, resuming it, going on from an edited answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from synth.calls import Logged, prompt_hash
from synth.errors import SynthError
from synth.events import Event, Finished
from synth.response_synthesizers.base import BaseSynthesizer
from synth.trace import Trace
from ui.plan import cost
from ui.plan.plan_range import outlook
from ui.request.request import Request
from ui.run.job import NO_PAST, Job, Past
from ui.session import parts, workspace
from ui.settings import model, state
from ui.settings.state import Get

NEW = "new_run"  # in the session from a run's start until its views are first drawn
_AT_ONCE = 0.25  # seconds


def start(request: Request) -> None:
    """Begin a run of the request, and give it a moment: what ends at once is shown at once."""
    st.session_state[NEW] = True
    st.session_state["inputs_open"] = False
    job = job_of(request)
    workspace.current().begin(job)
    with parts.meanwhile():
        job.wait(_AT_ONCE)


def resume(job: Job, trace: Trace) -> None:
    """Go on with a run that ended early: only what has no answer yet is asked."""
    past = Past(trace.log(), job.edited, job.spent)
    workspace.current().resume(job_of(job.request, past))


def key_gone(job: Job, get: Get = state.get) -> str | None:
    """That nothing more could be sent with the key that the run began with, if it is so."""
    if not job.keyed or model.kind(get) != "endpoint" or model.keyed(get):
        return None
    return "The API key ended with its session. To go on with one, type it again in the sidebar."


def branch(job: Job, trace: Trace, number: int, text: str) -> None:
    """Go on from an answer that a person wrote; answers to prompts that stay are kept."""
    [call] = [call for call in trace.calls if call.number == number]
    tokens = trace.setup.tokenizer.count(text)
    log = trace.log() | {number: Logged(prompt_hash(call.prompt), text, output_tokens=tokens)}
    workspace.current().branch(job_of(job.request, Past(log, job.edited | {number})))


def job_of(
    request: Request,
    past: Past = NO_PAST,
    get: Get = state.get,
    *,
    repeat: int = 0,
    slots: threading.Semaphore | None = None,
) -> Job:
    """A run that begins now, or as soon as there is a slot, with the model of these settings.

    Answers of its past are kept. A `repeat` gets none of the answers that another one paid for.
    """
    plan = outlook(request).high
    planned = plan.call_count if plan is not None and plan.problem is None else None
    setup = request.synthesizer().setup(request.query, request.chunks)
    try:
        synthesizer = request.synthesizer(model.make(get), **cost.options(get, repeat, past.spent))
    except SynthError as error:
        return Job(request, setup, planned, partial(_refused, str(error)), past, slots=slots)
    values: dict[str, Any] = dict(request.variables)
    if synthesizer.plannable:
        events = partial(synthesizer.stream, request.query, request.chunks, past.log, **values)
    else:
        events = partial(_called, synthesizer, request)
    return Job(request, setup, planned, events, past, model.price(get), slots, model.keyed(get))


def _refused(problem: str, stop: threading.Event) -> Iterator[Event]:
    """A run that ends before its first call, such as for an address that is none."""
    raise SynthError(problem)


def _called(
    synthesizer: BaseSynthesizer, request: Request, stop: threading.Event
) -> Iterator[Event]:
    """A run of a synthesizer that can only be called: an answer, and no calls to show."""
    began = monotonic()
    response = synthesizer.get_response(request.query, request.chunks, **dict(request.variables))
    setup = synthesizer.setup(request.query, request.chunks)
    yield Finished(Trace(setup, (), str(response), seconds=monotonic() - began), None)
