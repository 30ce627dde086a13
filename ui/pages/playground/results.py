"""A run that has ended: its sentence, the reason of an early end, and its views."""

from functools import partial

import streamlit as st

from synth.errors import CapReached
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.cost_words import paid
from synth.words.sentences import run_sentence
from ui.look.elements import box, button_row, error_box, sentence, small
from ui.pages.playground import by_window
from ui.pages.playground.by_window import BY_WINDOW, view_words
from ui.plans.page_inputs import PageInputs
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts, state
from ui.store.run_json import INTERRUPTED
from ui.views import answer_view, calls, coverage_view, server_counts, steps_view

ANSWER, STEPS, CALLS, COVERAGE = "answer", "steps", "calls", "coverage"
VIEWS = (ANSWER, STEPS, CALLS, COVERAGE, BY_WINDOW)
_VIEWS_WITH_SENTENCE = (COVERAGE, STEPS)


def switch(job: Job) -> None:
    """Draw the choice of a view; a run without calls has no others of its own."""
    by_link = keys.VIEW not in st.session_state and keys.VIEW in st.query_params
    if st.session_state.pop(keys.NEW_RUN, False):
        steps_view.pause()
        if not by_link:  # after a run people want to see its answer
            st.session_state[keys.VIEW] = ANSWER
    _hold_in_address(job)
    button_row(
        "View of the run",
        _views(job),
        keys.VIEW,
        format_func=view_words,
        on_change=state.redraw_changed,
    )


def chosen(_: PageInputs) -> str:
    """The view that is chosen in the switch."""
    return str(st.session_state.get(keys.VIEW, ANSWER))


def _views(job: Job) -> tuple[str, ...]:
    has_calls = job.trace is not None and bool(job.trace.calls)
    return VIEWS if has_calls else (ANSWER, BY_WINDOW)


def _hold_in_address(job: Job) -> None:
    state.sync_with_address(keys.VIEW, _views(job), ANSWER)


def draw(job: Job, wide: bool, inputs: PageInputs, view_name: str) -> None:
    """Draw the chosen view of a run that has ended, on a `wide` page or beside the inputs."""
    _hold_in_address(job)
    trace = job.trace
    if trace is None:
        error_box("The run failed.", job.problem or "It ended without giving a reason.")
        return
    server_counts.draw_alarm(trace, inputs.settings.chunks)
    if view_name not in _VIEWS_WITH_SENTENCE:
        sentence(run_sentence(trace, job.info.by_person, job.info.edited, paid(job.dollars)))
    _ending(job, trace)
    if view_name == ANSWER:
        answer_view.draw(trace, job, inputs)
    elif view_name == STEPS:
        steps_view.draw(trace, job)
    elif view_name == CALLS:
        server_counts.draw_difference(trace, job.request, inputs.settings.count_factor)
        calls.draw(trace, job.info.edited, wide)
    elif view_name == BY_WINDOW:
        by_window.draw(inputs)
    else:
        coverage_view.draw(trace)


def _ending(job: Job, trace: Trace) -> None:
    """Draw the reason of an early end, and the button that resumes the run."""
    if trace.response is not None:
        return
    kept_answers = _kept_answers(len(trace.log()))
    capped = trace.error_kind == CapReached.__name__
    if trace.error_kind == INTERRUPTED:
        box("This run was interrupted.", f"Its server ended before it did. {kept_answers}")
    elif trace.stopped:
        box("You stopped this run.", f"No further call was sent. {kept_answers}")
    else:
        head = "The run stopped at its spending cap." if capped else "The run failed."
        error_box(head, f"{str(trace.error).rstrip('.')}. {kept_answers}")
    settings = start.settings_of(job)
    missing = "" if job.info.by_person else hosts.why_not(settings)
    for hint in (start.cap_hint(trace), start.key_gone(job, settings)):
        if hint:
            small(hint)
    unanswered = any(call.answer is None for call in trace.calls)
    if (trace.stopped or unanswered or capped) and st.button(
        "Resume",
        icon=":material/resume:",
        help=missing or "Sends only unanswered calls, to the model of this run.",
        key="resume",
        disabled=bool(missing),
    ):
        start.press(partial(start.resume, job, trace))


def _kept_answers(answers: int) -> str:
    if not answers:
        return "No answers were kept."
    return f"{counted(answers, 'answer')} {'was' if answers == 1 else 'were'} kept."
