"""A run that goes on, where its plan was: how far it has come, its flow, and its answers."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html
from synth.runs.calls import CallRecord
from synth.text.wording import Bold, counted, duration
from synth.words.cost_words import paid
from ui.look.elements import error_box, section, sentence, small
from ui.pages.playground import run_button
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.runs.pool import RUNS
from ui.runs.progress import left_words
from ui.session import workspace
from ui.settings import this_machine
from ui.settings.model_kinds import ON_THIS_MACHINE
from ui.views import run_views

_LATEST = 5  # answers that are shown while a run goes on
_ALONE = """<style>@media (max-width: 1000px) {
  .st-key-two > * > * > [data-testid=stColumn]:last-child { display: none; }
}</style>"""
"""On narrow pages the inputs would stand above the run."""


def draw(column: DeltaGenerator, job: Job) -> None:
    """Draw a run in this column, and look at it again and again."""
    row = column.container(horizontal=True, key="head")
    run_button.stop(row.container(width=run_button.FIRST), job)
    words = row.container()
    column.html(_ALONE)
    calls = column.container()
    with words:
        st.fragment(_watch, run_every=RUNS.pace)(job, calls)


def _watch(job: Job, calls: DeltaGenerator) -> None:
    if not job.running:
        st.rerun()
    workspace.enter()
    _draw_progress(job)
    with calls:
        _draw_calls(job)


def _draw_progress(job: Job) -> None:
    """Draw how many of the planned calls are answered, and what they cost so far.

    Of a run that waits for a thread, draw how many others are before it.
    """
    if (before := job.before) is not None:
        others = Bold(counted(before, "other run"))
        sentence([Bold(job.request.mode), " waits, with ", others, " before it."])
        return
    answered, planned = len(job.answered), job.info.planned
    done = Bold(counted(answered, "call"))
    if planned:
        done = Bold(f"{answered:,} of {counted(planned, 'call')}")
    sentence([Bold(job.request.mode), " is running: ", done, " answered."])
    st.progress(min(answered / planned, 1.0) if planned else 0.0)
    small(_spent(job))
    if words := _reading(job):
        small(words)
    for call in job.failed:
        error_box(f"Call {call.number} failed.", call.error or "")
    for call in job.repeated:
        small(f"Call {call.number}, try {call.tries}: {call.all_notes[-1]}")


def _reading(job: Job) -> str:
    """What a model on this machine does before its first word, which may take it long."""
    if job.request.model.model_kind != ON_THIS_MACHINE:
        return ""
    answered, arriving = {call.number for call in job.answered + job.failed}, job.arriving
    waiting = [call for call in job.begun if call.number not in answered | arriving.keys()]
    if not waiting:
        return ""
    tokens = counted(waiting[0].prompt_tokens, "token")
    return f"{this_machine.name()} is reading the prompt of call {waiting[0].number}: {tokens}"


def _spent(job: Job) -> str:
    """The tokens, the cost and the time of a run so far."""
    _, prompts, outputs = job.spent
    cost = paid(job.dollars)
    return (
        f"{prompts:,} prompt tokens, {outputs:,} output tokens so far{cost}"
        f" · {job.seconds:,.0f} s{left_words([job])}"
    )


def _draw_calls(job: Job) -> None:
    """Draw the flow of the plan, each call as far as it has come, and the latest answers."""
    plan = plan_range(job.request).high
    if plan is not None and plan.calls:
        section("Which chunk goes into which call")
        run_views.draw_picture(plan, begun=job.begun)
    for number, text in job.arriving.items():
        section(f"Call {number}, arriving")
        st.html(answer_html(text))
    for call in reversed(job.answered[-_LATEST:]):
        _brief(call, call.number in job.info.edited)


def _brief(call: CallRecord, edited: bool) -> None:
    origin = f" · reused; took {duration(call.seconds)} originally" if call.replayed else ""
    origin = " · edited by hand" if edited else origin
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')}{origin}")
    st.html(answer_html(call.answer or ""))
