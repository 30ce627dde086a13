"""A run that goes on: starting it, its button (Run, Stop, Run again), its progress."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import streamlit as st

from synth.base import BaseSynthesizer
from synth.errors import SynthError
from synth.events import Event, Finished
from synth.trace import CallRecord, Log, Trace
from ui import sidebar, workspace
from ui.jobs import Job
from ui.planning import outlook
from ui.request import Request
from ui.safe import Bold, answer_html
from ui.words import counted, section, sentence


def button(request: Request, job: Job | None, running: bool = False) -> None:
    """The one button of the page, on one spot."""
    with st.container(key="run"):
        if job is not None and running:
            st.button(
                "Stopping" if job.stopping else "Stop",
                key="stop_button",
                icon=":material/stop:",
                type="primary",
                width="stretch",
                disabled=job.stopping,
                on_click=job.stop,
            )
            return
        pressed = st.button(
            "Run" if job is None else "Run again",
            key="run_button",
            icon=":material/play_arrow:" if job is None else ":material/refresh:",
            type="secondary" if job is not None and job.request == request else "primary",
            width="stretch",
            shortcut="Mod+Enter",
            disabled=outlook(request).refused is not None,
        )
    if pressed:
        start(request)
        st.rerun()


def start(request: Request, log: Log | None = None) -> None:
    """Begin a run of the request; answers in the log are not asked again."""
    space = workspace.current()
    plan = outlook(request).high
    planned = plan.call_count if plan is not None and plan.problem is None else None
    try:
        synthesizer = request.synthesizer(sidebar.model())
    except SynthError as error:
        problem = str(error)  # such as a key that is missing
        space.job = Job(request, planned, lambda stop: _refused(problem))
        return
    if synthesizer.plannable:
        values = dict(request.variables)
        space.job = Job(
            request,
            planned,
            lambda stop: synthesizer.stream(request.query, request.chunks, log, stop, **values),
        )
    else:
        space.job = Job(request, planned, lambda stop: _called(synthesizer, request))
    st.session_state["inputs_open"] = False


def _refused(problem: str) -> Iterator[Event]:
    raise SynthError(problem)


def _called(synthesizer: BaseSynthesizer, request: Request) -> Iterator[Event]:
    """A run of a synthesizer that can only be called: an answer, and no calls to show."""
    began = monotonic()
    response = synthesizer.get_response(request.query, request.chunks, **dict(request.variables))
    setup = synthesizer.setup(request.query, request.chunks)
    yield Finished(Trace(setup, (), str(response), seconds=monotonic() - began), None)


def progress(job: Job) -> None:
    """A run that goes on: calls done of calls planned, and the answers as they arrive."""
    done, planned = job.done, job.planned
    of = f" of {planned:,}" if planned else ""
    sentence([Bold(job.request.mode), " is running: ", Bold(f"{done:,}{of}"), " calls answered."])
    st.progress(min(done / planned, 1.0) if planned else 0.0)
    for number, text in sorted(dict(job.arriving).items()):
        section(f"Call {number}, arriving")
        st.html(answer_html(text))
    ended = [call for _, call in sorted(dict(job.calls).items()) if call.answer is not None]
    for call in reversed(ended[-5:]):
        _brief(call)


def _brief(call: CallRecord) -> None:
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')}")
    st.html(answer_html(call.answer or ""))
