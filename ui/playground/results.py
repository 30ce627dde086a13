"""A run that has ended: the choice of a view, its sentence, why it ended early, its views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.errors import CapReached
from synth.trace import Trace
from synth.wording import counted, duration
from ui.look.elements import NARROW, box, sentence, small
from ui.look.escape import Bold
from ui.look.theme import Look
from ui.run import runner
from ui.run.job import Job
from ui.session import address, keys
from ui.settings import state
from ui.views import (
    answer_view,
    call_detail,
    calls,
    coverage_view,
    shared,
    stepping,
    steps_view,
    timeline_view,
)
from ui.views.shared import RunView

_FLOW_DETAIL = 460  # pixels beside the flow
ANSWER, STEPS, FLOW = "answer", "steps", "flow"
VIEWS = (ANSWER, STEPS, "calls", FLOW, "coverage", "timeline", "data", keys.PLAN)
_OWN_SENTENCE = ("coverage", "timeline", STEPS)


_DRAWN = {
    "calls": calls.draw,
    "coverage": coverage_view.draw,
    "timeline": timeline_view.draw,
    "data": shared.data,
}


def switch(job: Job) -> str:
    """The choice of a view; a run that made no call has nothing but its answer."""
    made = _made_calls(job)
    key = _key(job)
    by_link = key not in st.session_state and key in st.query_params
    if st.session_state.pop(keys.NEW_RUN, False):
        stepping.pause()
        if not by_link:  # after a run people want to see its answer
            st.session_state[key] = ANSWER
    views = VIEWS if made else (ANSWER, keys.PLAN)
    if made:
        address.hold(key, views, ANSWER)
    return str(
        st.segmented_control(
            "View of the run",
            views,
            default=ANSWER,
            required=True,
            label_visibility="collapsed",
            key=key,
            format_func=str.capitalize,
            persist_state="session",
        )
    )


def _made_calls(job: Job) -> bool:
    return job.trace is not None and bool(job.trace.calls)


def _key(job: Job) -> str:
    return keys.VIEW if _made_calls(job) else keys.VIEW_EMPTY


def show_plan(job: Job) -> None:
    """Choose the view of the plan that the inputs make as they are now."""
    st.session_state[_key(job)] = keys.PLAN


def draw(job: Job, chosen: str, look: Look, width: int) -> None:
    """A view of a run that has ended."""
    trace = job.trace
    if trace is None:
        box("The run failed.", job.problem or "It ended without giving a reason.")
        return
    if chosen not in _OWN_SENTENCE:
        sentence(_headline(trace))
    _ending(job, trace)
    view = RunView(trace, (job.serial, job.read), look, width, job.edited)
    if chosen == ANSWER:
        answer_view.draw(view, job)
    elif chosen == STEPS:
        steps_view.draw(view, job)
    elif chosen == FLOW:
        _flow(view)
    else:
        _DRAWN[chosen](view)


def _headline(trace: Trace) -> list[str]:
    made = counted(len(trace.calls), "call") if trace.calls else "no call"
    parts = [Bold(trace.setup.mode), " made ", Bold(made)]
    if not trace.calls:
        return [*parts, "."]
    lost = trace.lost_tokens
    never = "never sent" if trace.response is not None else "not sent yet"
    was = "was" if lost == 1 else "were"
    kept = f"{counted(lost, 'token')} of the chunks {was} {never}." if lost else "Nothing was lost."
    return [
        *parts,
        f" in {duration(trace.seconds)}: {trace.prompt_tokens:,} prompt tokens,"
        f" {counted(trace.output_tokens, 'output token')}. {kept}{_again(trace)}",
    ]


def _again(trace: Trace) -> str:
    """How many requests there were beside the first ones of each call."""
    more = sum(call.tries - 1 for call in trace.calls if not call.replayed)
    return f" {counted(more, 'request')} had to be sent again." if more else ""


def _ending(job: Job, trace: Trace) -> None:
    """Why a run ended early, and the way to go on."""
    if trace.response is not None:
        return
    kept = _kept(len(trace.log()))
    capped = trace.error_kind == CapReached.__name__
    if trace.stopped:
        box("You stopped this run.", f"No further call was sent. {kept}")
    else:
        head = "The run stopped at its spending cap." if capped else "The run failed."
        box(head, f"{str(trace.error).rstrip('.')}. {kept}")
    if gone := runner.key_gone(job, state.get):
        small(gone)
    unanswered = any(call.answer is None for call in trace.calls)
    if (trace.stopped or unanswered or capped) and st.button(
        "Resume", icon=":material/resume:", help="Sends only unanswered calls.", key="resume"
    ):
        runner.resume(job, trace)
        st.rerun()


def _kept(answers: int) -> str:
    if not answers:
        return "No answers were kept."
    return f"{counted(answers, 'answer')} {'was' if answers == 1 else 'were'} kept."


def _flow(view: RunView) -> None:
    with st.container(key="two_flow"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        shared.flow(
            replace(view, width=NARROW),
            selected=call_detail.selected(view),
            clicked=_clicked,
        )
        small("Width is tokens. Click a call to open it.")
    with right:
        call_detail.detail(view, width=_FLOW_DETAIL)


def _clicked(mark: Sequence[Any]) -> None:
    kind, number = mark[:2]
    if kind in ("call", "answer"):
        call_detail.select(int(number))
