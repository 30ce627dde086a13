"""The page after a run, and while one goes on: the answer, every call, and what it cost."""

from __future__ import annotations

import textwrap
from itertools import islice
from typing import Any

import streamlit as st

from synth.trace import Trace
from ui import calls, coverage_view, run, views
from ui.jobs import Job
from ui.request import Request
from ui.safe import Bold, answer_html
from ui.theme import Look
from ui.views import Shown
from ui.words import box, counted, section, sentence, small

_FLOW_DETAIL = 460  # pixels beside the flow
_SOURCES = 20  # shown; all of them are in the view Data
PLAN = "Plan"  # of the inputs as they are now
ANSWER = "Answer"
VIEWS = (ANSWER, "Calls", "Flow", "Coverage", "Data", PLAN)


def switch(job: Job) -> str:
    """The choice of a view; a run that made no call has nothing but its answer."""
    made = job.trace is not None and bool(job.trace.calls)
    return str(
        st.segmented_control(
            "View of the run",
            VIEWS if made else (ANSWER, PLAN),
            default=ANSWER,
            required=True,
            label_visibility="collapsed",
            key="result_view" if made else "result_view_empty",
            persist_state="session",
        )
    )


def draw(job: Job, view: str, look: Look, width: int) -> None:
    """A view of a run that has ended."""
    trace = job.trace
    if trace is None:
        box("The run failed.", job.problem or "It ended without a word.")
        return
    if view != "Coverage":  # which has a sentence of its own
        sentence(_headline(trace))
    _ending(job, trace)
    shown = Shown(trace, id(job), look, width)
    if view == ANSWER:
        _answer(shown, job.request)
    elif view == "Flow":
        _flow(shown)
    else:
        {"Calls": calls.draw, "Coverage": coverage_view.draw, "Data": views.data}[view](shown)


def _headline(trace: Trace) -> list[str]:
    made = counted(len(trace.calls), "call") if trace.calls else "no call"
    parts = [Bold(trace.setup.mode), " made ", Bold(made)]
    if not trace.calls:
        return [*parts, "."]
    lost = sum(chunk.lost_tokens for chunk in trace.coverage)
    kept = f"{lost:,} tokens of the chunks were never sent." if lost else "Nothing was lost."
    return [
        *parts,
        f" in {trace.seconds:.1f} s: {trace.prompt_tokens:,} prompt tokens,"
        f" {trace.output_tokens:,} output tokens. {kept}",
    ]


def _ending(job: Job, trace: Trace) -> None:
    """Why a run ended early, and the way to go on."""
    if trace.response is not None:
        return
    kept = counted(len(trace.log()), "answer")
    if trace.stopped:
        box("You stopped this run.", f"It keeps {kept}; no further call was sent.")
    else:
        box("The run failed.", f"{trace.error} It keeps {kept}.")
    unanswered = any(call.answer is None for call in trace.calls)
    if (trace.stopped or unanswered) and st.button(
        "Resume", icon=":material/resume:", help="Asks only what has no answer yet.", key="resume"
    ):
        run.start(job.request, trace.log())
        st.rerun()


def _answer(shown: Shown, request: Request) -> None:
    trace = shown.run
    assert isinstance(trace, Trace)
    with st.container(key="two_answer"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        section("Answer")
        if trace.response is None:
            small("There is no answer: the run did not reach its end.")
        elif trace.response:
            with st.container(border=True):
                st.html(answer_html(trace.response))
        else:
            small("The answer is empty; the sources are the result of this mode.")
        if trace.calls:
            section("How it came about")
            views.flow(shown)
    with right:
        _sources(request)


def _sources(request: Request) -> None:
    """The chunks that went into the run, with their place in the list and their score."""
    section(f"Sources · {counted(len(request.chunks), 'chunk')}")
    rows = zip(request.chunks, request.places, request.scores, strict=True)
    for number, (chunk, place, score) in enumerate(islice(rows, _SOURCES), 1):
        where = "" if score is None else f" · chunk {place + 1} of the list, score {score:.2f}"
        small(f"{number}{where} · {textwrap.shorten(chunk, 140, placeholder='…')}")
    if len(request.chunks) > _SOURCES:
        small(f"and {len(request.chunks) - _SOURCES:,} more")


def _flow(shown: Shown) -> None:
    with st.container(key="two_flow"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        views.flow(
            shown,
            selected=calls.selected(shown),
            on_select=_clicked,
            selection_mode="points",
        )
        small("Width is tokens. Click a call to open it.")
    with right:
        calls.detail(shown, width=_FLOW_DETAIL)


def _clicked() -> None:
    points: list[dict[str, Any]] = st.session_state["flow"]["selection"]["points"]
    for point in points:
        kind, number = (point.get("customdata") or [None, None])[:2]
        if kind in ("call", "answer"):
            calls.select(int(number))
