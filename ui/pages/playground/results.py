"""A run that has ended: its headline, the reason of an early end, and its views."""

from functools import partial
from operator import attrgetter

import streamlit as st

from synth.errors import CapReached
from synth.html.figures import bars_key
from synth.html.markup import tag
from synth.pictures.placement import Mark
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.cost_words import paid
from synth.words.fact_way import fact_mark
from synth.words.sentences import run_headline
from ui.export import popover
from ui.look.elements import box, error_box, small
from ui.pages.playground import by_window, head, notices, run_button
from ui.pages.playground.by_window import BY_WINDOW
from ui.pages.playground.head import CALLS, PICTURE
from ui.plans.page_inputs import PageInputs
from ui.plans.plan_range import plan_range
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import hosts, state
from ui.store.run_json import INTERRUPTED
from ui.views import (
    answer_view,
    calls,
    coverage_view,
    fact_line,
    run_views,
    server_counts,
    steps_view,
)

ANSWER, STEPS, COVERAGE = "answer", "steps", "coverage"
VIEWS = (PICTURE, ANSWER, STEPS, CALLS, COVERAGE, BY_WINDOW)


def draw(inputs: PageInputs, job: Job) -> None:
    """Draw a run that has ended: its headline with the buttons, its views, the chosen one."""
    hosts.ask([inputs.settings], "run")
    words, buttons = head.row()
    with words:
        _draw_headline(job)
    run_button.draw(buttons, inputs, job)
    if st.session_state.pop(keys.NEW_RUN, False):
        steps_view.pause()
    _hold_in_address(job)
    end = head.draw_views("View of the run", _views(job), keys.VIEW, job.request.query_str)
    with end:
        popover.draw(job)
    parts.part("since", inputs, attrgetter("request"), partial(notices.draw_above_answer, job))
    parts.part("result", inputs, _chosen, partial(_draw_view, job))


def _draw_headline(job: Job) -> None:
    trace = job.trace
    if trace is None:
        error_box("The run failed.", job.problem or "It ended without giving a reason.")
        return
    head.draw_headline(run_headline(trace, job.info.by_person, job.info.edited, paid(job.dollars)))
    _draw_ending(job, trace)


def _chosen(inputs: PageInputs) -> tuple[str, str, int | None]:
    """The view that is chosen in the switch, the followed fact, and where the lens stands."""
    fact = fact_line.typed_fact(inputs.request.query_str)
    view = str(st.session_state.get(keys.VIEW, PICTURE))
    return view, fact, st.session_state.get(keys.LENS)


def _views(job: Job) -> tuple[str, ...]:
    has_calls = job.trace is not None and bool(job.trace.calls)
    return VIEWS if has_calls else (ANSWER, BY_WINDOW)


def _hold_in_address(job: Job) -> None:
    views = _views(job)
    state.sync_with_address(keys.VIEW, views, views[0])


def _draw_view(job: Job, inputs: PageInputs, chosen: tuple[str, str, int | None]) -> None:
    """Draw the chosen view of a run that has ended."""
    view, *_ = chosen
    _hold_in_address(job)
    trace = job.trace
    if trace is None:
        return
    server_counts.draw_alarm(trace, inputs.settings.chunks)
    if view == BY_WINDOW:
        by_window.draw(inputs)
    elif view == STEPS:
        steps_view.draw(trace, job)
    elif view == CALLS:
        server_counts.draw_difference(trace, job.request, inputs.settings.count_factor)
        calls.draw(trace, job.info.edited)
    elif view == COVERAGE:
        coverage_view.draw(trace)
    elif view == ANSWER or not trace.calls:
        answer_view.draw(trace, job, inputs)
    else:
        _draw_picture(trace, job, inputs)


def _draw_picture(trace: Trace, job: Job, inputs: PageInputs) -> None:
    """Draw the answer above the picture of the run, with the way of a followed fact in it."""
    text = trace.response
    if text is None:
        latest = job.answered[-1].answer if job.answered else None
        inside = head.tagged_answer(latest, trace.setup.chunks) if latest else "No answer came."
        head.draw_answer("So far", tag("span", inside), done=False)
    else:
        head.draw_answer("Answer", head.tagged_answer(text, trace.setup.chunks), done=True)
    path = fact_line.draw(trace, job, inputs)
    mark = fact_mark(path) if path is not None else None
    _draw_run(trace, job, mark)


def _draw_run(trace: Trace, job: Job, mark: Mark | None) -> None:
    """Draw the calls of the run; of one that ended early, also those that were not asked."""
    plan = plan_range(job.request).high if trace.response is None else None
    if plan is not None and mark is None:
        head.draw_picture(job.request, plan, keys.VIEW, trace.calls)
    else:
        head.draw_picture(job.request, trace, keys.VIEW, mark=mark)
    st.html(bars_key(run_views.bars_of(trace)))


def _draw_ending(job: Job, trace: Trace) -> None:
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
