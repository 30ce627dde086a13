"""A run that goes on: starting it, its button (Run, Stop, Run again), its progress."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from synth.base import BaseSynthesizer
from synth.calls import CallRecord, Log
from synth.errors import SynthError
from synth.events import Event, Finished
from synth.trace import Trace
from ui import sidebar, workspace
from ui.jobs import Job
from ui.planning import outlook
from ui.request import Request
from ui.safe import Bold, answer_html
from ui.words import counted, section, sentence

_LATEST = 5  # answers that are shown while a run goes on


def button(request: Request, job: Job | None, running: bool = False) -> None:
    """The one button of the page, on one spot."""
    with st.container(key="run"):
        if job is not None and running:
            st.button(
                "Stop",
                key="stop_button",
                icon=":material/stop:",
                type="primary",
                width="stretch",
                on_click=job.stop,
            )
            return
        refused = outlook(request).refused is not None
        asks = not refused and (job is None or job.request != request)
        pressed = st.button(
            "Run" if job is None else "Run again",
            key="run_button",
            icon=":material/play_arrow:" if job is None else ":material/refresh:",
            type="primary" if asks else "secondary",
            width="stretch",
            shortcut="Mod+Enter",
            disabled=refused,
        )
    if pressed:
        start(request)
        st.rerun()


def start(request: Request, log: Log | None = None) -> None:
    """Begin a run of the request; answers in the log are not asked again."""
    plan = outlook(request).high
    planned = plan.call_count if plan is not None and plan.problem is None else None
    setup = request.synthesizer().setup(request.query, request.chunks)
    space = workspace.current()
    st.session_state["inputs_open"] = False
    try:
        synthesizer = request.synthesizer(sidebar.model())
    except SynthError as error:
        space.job = Job(request, setup, planned, partial(_refused, str(error)))
        return
    values: dict[str, Any] = dict(request.variables)
    if synthesizer.plannable:
        events = partial(synthesizer.stream, request.query, request.chunks, log, **values)
    else:
        events = partial(_called, synthesizer, request)
    space.job = Job(request, setup, planned, events)


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


def progress(job: Job) -> None:
    """A run that goes on: calls done of calls planned, and the answers as they arrive."""
    answered, planned = job.answered, job.planned
    of = f" of {planned:,}" if planned else ""
    done = Bold(f"{len(answered):,}{of}")
    sentence([Bold(job.request.mode), " is running: ", done, " calls answered."])
    st.progress(min(len(answered) / planned, 1.0) if planned else 0.0)
    for number, text in sorted(job.arriving.copy().items()):
        section(f"Call {number}, arriving")
        st.html(answer_html(text))
    for call in reversed(answered[-_LATEST:]):
        _brief(call)


def _brief(call: CallRecord) -> None:
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')}")
    st.html(answer_html(call.answer or ""))
