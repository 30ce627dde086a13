"""A run that goes on: its headline, the answer that arrives, and the picture that fills.

Where a person is the model, a prompt that waits, and beside it the box for the answer.
"""

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.errors import SynthError
from synth.html.escape import answer_html, prompt_html
from synth.html.markup import tag
from synth.llms.human import PendingPrompt
from synth.pictures.bar_parts import State
from synth.runs.calls import CallRecord
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Bold, counted, embolden, numbered
from synth.words.plan_words import Headline, paid
from synth.words.run_words import list_carried
from ui.look import scripts
from ui.look.elements import (
    draw_columns,
    lead,
    section,
    sentence,
    small,
    stop_button,
)
from ui.pages.playground import head
from ui.pages.playground.head import PICTURE
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import model
from ui.settings.schema import ON_THIS_MACHINE
from ui.views.run_views import draw_picture

_LOOK_EVERY = 0.5  # seconds


def draw(job: Job) -> None:
    """Draw a run, and look at it again and again."""
    words, buttons = head.row()
    head.draw_stop(buttons, job)
    views = (PICTURE,)
    head.draw_views("View of the run", views, keys.RUNNING_VIEW, job.request.query_str)
    answer, picture = st.container(), st.container()
    with words:
        st.fragment(_watch, run_every=_LOOK_EVERY)(job, answer, picture)


def _watch(job: Job, answer: DeltaGenerator, picture: DeltaGenerator) -> None:
    job.look_again()
    if not job.running:
        st.rerun()
    workspace.enter()
    head.draw_headline(_headline(job))
    with answer:
        arriving = list(job.arriving.values())
        latest = arriving[-1] if arriving else job.answered[-1].answer if job.answered else ""
        inside = answer_html(latest) if latest else tag("span.muted", "Waiting for the first word.")
        head.draw_answer("So far", inside, done=False)
    with picture:
        plan = plan_range(job.request).high
        if plan is not None and plan.calls:
            head.draw_picture(job.request, plan, keys.RUNNING_VIEW, job.begun)


def _headline(job: Job) -> Headline:
    """Say which call writes and what it reads."""
    mode = Bold(job.request.mode)
    answered, planned = len(job.answered), job.info.planned
    done = Bold(f"{answered:,} of {counted(planned, 'call')}" if planned else f"{answered:,}")
    spent, writing = job.spent, job.unanswered
    tokens = f"{spent.prompt_tokens:,} prompt tokens, {spent.output_tokens:,} output tokens so far"
    line = [f"{tokens}{paid(job.dollars)} · {job.seconds:,.0f} s"]
    if len(writing) == 1:
        chunks = list_carried(writing[0], "chunk")
        reads = f" reads {numbered('chunk', chunks)}" if chunks else " is writing"
        if job.request.model.model_kind == ON_THIS_MACHINE and not job.arriving:
            reads += f". {model.local_name()} is reading its prompt"  # which may take it long
        line = [Bold(f"Call {writing[0].number}"), f"{reads}. ", *line]
    return Headline([mode, " is running: ", done, " answered."], [*_troubles(job), *line])


def _troubles(job: Job) -> Iterator[str]:
    """The call that failed last, and why; the call that is asked again, and why."""
    for call in [call for call in job.begun if call.error is not None][-1:]:
        yield Bold(f"Call {call.number} failed. ")
        yield f"{call.error} "
    for call in [call for call in job.unanswered if call.tries > 1][-1:]:
        yield f"Call {call.number}, try {call.tries}: {call.all_notes[-1]} "


_SHORT_WAIT, _LOOK = 0.5, 0.01  # seconds to wait at most, and between two looks

_HEADLINE = (
    "**You are the model.** Call **{call}**{of} of **{mode}** waits: answer from this prompt alone,"
    " in at most {tokens}."
)
_BETWEEN = "**You are the model.** The next prompt of **{mode}** is being made."


class _WaitingCall(NamedTuple):
    """A call that waits for a person's answer, and the prompt that the model was asked."""

    call: CallRecord
    pending: PendingPrompt


def draw_waiting(job: Job) -> None:
    """Draw the first call that waits; nothing is drawn again until something has changed."""
    waiting = _list_waiting(job)
    call = waiting[0].call if waiting else None
    with lead():
        sentence(_say_waiting(job, waiting))
    st.fragment(_follow, run_every=_LOOK_EVERY)(job, waiting)
    if call is None:
        stop_button(job.stop)
        return
    left, right = draw_columns("person", 7, 5)
    with left:
        section(f"The prompt, all of it · {counted(call.prompt_tokens, 'token')}")
        with st.container(border=True):
            st.html(prompt_html(call.prompt))
    with right:
        plan = plan_range(job.request).high
        if plan is not None and call.number <= len(plan.calls):
            chunks, calls = len(plan.setup.chunks), len(plan.calls)
            section(f"Where you are: call {call.number:,} of {calls:,}, {counted(chunks, 'chunk')}")
            states: dict[int, State] = {call.number: "running"}
            draw_picture(plan, begun=job.answered, states=states)
        st.fragment(_answer)(job, waiting, job.request.counter)


def _follow(job: Job, drawn: Sequence[_WaitingCall]) -> None:
    """Draw the page again if other calls wait now, or if the run has ended."""
    workspace.enter()
    if not job.running or _list_waiting(job) != drawn:
        st.rerun()


def _list_waiting(job: Job) -> list[_WaitingCall]:
    """The calls of a run that wait for a person's answer, in their order."""
    unanswered, waiting = job.unanswered, []
    for pending in () if job.person is None else job.person.waiting:
        call = next((call for call in unanswered if call.prompt == pending.prompt), None)
        if call is not None:  # else the job has yet to read that the call was started
            unanswered.remove(call)
            waiting.append(_WaitingCall(call, pending))
    return sorted(waiting, key=lambda one: one.call.number)


def _send(job: Job, waiting: Sequence[_WaitingCall], text: str) -> None:
    """Answer the first call, and wait for a moment until others wait, or the run has ended."""
    if job.person is None:
        return
    try:
        job.person.answer(waiting[0].pending.number, text)
    except SynthError:  # another tab has answered it, or has begun another run
        st.session_state[keys.NOT_STARTED] = True
        return
    end = time.monotonic() + _SHORT_WAIT
    while job.running and _list_waiting(job) in ([], waiting) and time.monotonic() < end:
        time.sleep(_LOOK)


def _say_waiting(job: Job, waiting: Sequence[_WaitingCall]) -> list[str]:
    mode = job.request.mode
    if not waiting:
        return embolden(_BETWEEN, mode=mode)
    return embolden(
        _HEADLINE,
        call=f"{waiting[0].call.number:,}",
        of=f" of {job.info.planned:,}" if job.info.planned else "",
        mode=mode,
        tokens=counted(job.request.num_output, "token"),
    )


def _answer(job: Job, waiting: Sequence[_WaitingCall], tokenizer: Tokenizer) -> None:
    call, pending = waiting[0]
    most = job.request.num_output
    satisfied = True
    if pending.schema is not None:
        small("Filtering is on: also say whether this text answers the question.")
        satisfied = st.checkbox(
            "It answers the question", value=True, key=f"human_yes {job.serial} {call.number}"
        )
    box_key = f"{scripts.REPORTS_TEXT}_answer"
    with st.container(key=f"{scripts.TAKES_TEXT}_answer"):
        with st.container(key=box_key):
            text = st.text_area(
                f"Your answer to call {call.number}",
                key=f"human_answer {job.serial} {call.number}",
                height=170,
                persist_state="session",
            )
            scripts.focus(box_key, f"call {call.number} of run {job.serial}", keeps_scroll=True)
        tokens = tokenizer.count(text)
        over = f", {tokens - most:,} too many: shorten it" if tokens > most else ""
        small(f"{tokens:,} of {counted(most, 'token')}{over}")
        with st.container(horizontal=True, key="person_actions"):
            send = st.button(
                f"Send answer {call.number}",
                icon=":material/send:",
                type="primary",
                shortcut="Mod+Enter",
                key="send_answer",
            )
            stop_button(job.stop)
    if send and not text.strip():
        small("Write an answer first.")
    elif send and tokens <= most:  # else the line above says that it is too long
        if pending.schema is not None:
            text = json.dumps({"query_satisfied": satisfied, "answer": text})
        _send(job, waiting, text)
        st.rerun()
