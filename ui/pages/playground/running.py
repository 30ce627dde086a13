"""A run that goes on: its headline, the answer that arrives, and the picture that fills."""

from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html
from synth.html.markup import tag
from synth.text.wording import Bold, counted, numbered
from synth.words.plan_words import Headline, paid
from synth.words.run_words import list_carried
from ui.pages.playground import head, run_button
from ui.pages.playground.head import PICTURE
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import model
from ui.settings.schema import ON_THIS_MACHINE

_LOOK_EVERY = 0.5  # seconds


def draw(job: Job) -> None:
    """Draw a run, and look at it again and again."""
    words, buttons = head.row()
    run_button.stop(buttons, job)
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
        _draw_answer(job)
    with picture:
        plan = plan_range(job.request).high
        if plan is not None and plan.calls:
            head.draw_picture(job.request, plan, keys.RUNNING_VIEW, job.begun)


def _headline(job: Job) -> Headline:
    """Say which call writes and what it reads."""
    mode = Bold(job.request.mode)
    answered, planned = len(job.answered), job.info.planned
    done = Bold(f"{answered:,} of {counted(planned, 'call')}" if planned else f"{answered:,}")
    line = [_spent(job)]
    writing = job.unanswered
    if len(writing) == 1:
        chunks = list_carried(writing[0], "chunk")
        reads = f" reads {numbered('chunk', chunks)}" if chunks else " is writing"
        line = [Bold(f"Call {writing[0].number}"), f"{reads}. {_reading(job)}", *line]
    return Headline([mode, " is running: ", done, " answered."], [*_troubles(job), *line])


def _troubles(job: Job) -> Iterator[str]:
    """The call that failed last, and why; the call that is asked again, and why."""
    for call in [call for call in job.begun if call.error is not None][-1:]:
        yield Bold(f"Call {call.number} failed. ")
        yield f"{call.error} "
    for call in [call for call in job.unanswered if call.tries > 1][-1:]:
        yield f"Call {call.number}, try {call.tries}: {call.all_notes[-1]} "


def _reading(job: Job) -> str:
    """What a model on this machine does before its first word, which may take it long."""
    if job.request.model.model_kind != ON_THIS_MACHINE or job.arriving:
        return ""
    return f"{model.local_name()} is reading its prompt. "


def _spent(job: Job) -> str:
    """The tokens, the cost and the time of a run so far."""
    prompts, outputs = job.spent.prompt_tokens, job.spent.output_tokens
    cost = paid(job.dollars)
    return (
        f"{prompts:,} prompt tokens, {outputs:,} output tokens so far{cost} · {job.seconds:,.0f} s"
    )


def _draw_answer(job: Job) -> None:
    """Draw what arrives, or else the latest answer."""
    arriving = list(job.arriving.values())
    latest = arriving[-1] if arriving else job.answered[-1].answer if job.answered else ""
    inside = answer_html(latest) if latest else tag("span.muted", "Waiting for the first word.")
    head.draw_answer("So far", inside, done=False)
