"""A run that has ended: its headline or the reason of an early end, the way on, its views."""

from functools import partial
from operator import attrgetter

import streamlit as st

from synth.errors import INTERRUPTED
from synth.html.escape import sentence_html
from synth.html.markup import tag
from synth.html.notebook import alarm_html, bars_key
from synth.runs.trace import Trace
from synth.text.wording import Bold
from synth.words.fact_words import fact_mark
from synth.words.plan_words import Headline, alarm_words, counts_words, paid, start_line
from synth.words.run_words import answer_troubles, run_headline
from ui.look.elements import section, small
from ui.pages.playground import head, latest_run, ways_on
from ui.pages.playground.head import CALLS, PICTURE
from ui.pages.playground.plan_view import BY_WINDOW, draw_by_window
from ui.plans.cost import cost_elsewhere, is_billed
from ui.plans.plan_range import PageInputs, plan_range
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import hosts, state
from ui.settings.request import Request
from ui.views import (
    answer_view,
    calls,
    coverage_view,
    fact_line,
    run_views,
    steps_view,
)

ANSWER, STEPS, COVERAGE = "answer", "steps", "coverage"
VIEWS = (PICTURE, ANSWER, STEPS, CALLS, COVERAGE, BY_WINDOW)


def draw(inputs: PageInputs, job: Job) -> None:
    """Draw a run that has ended: its headline with the buttons, its views, the chosen one."""
    words, buttons = head.row()
    with buttons.container(width="content"):
        hosts.draw_consent([inputs.settings], "run")
    way_on_place = buttons.container(width="content", key="way_on")
    with words:
        parts.part("run head", inputs, _headed, partial(_draw_headline, job))
    head.draw_run(buttons, inputs, job, ways_on.can_resume(job.trace))
    by_link = keys.VIEW not in st.session_state and keys.VIEW in st.query_params
    if st.session_state.pop(keys.NEW_RUN, False):
        steps_view.pause()
        if not by_link:  # what was seen while it ran stays
            st.session_state[keys.VIEW] = PICTURE
    _hold_in_address(job)
    end = head.draw_views("View of the run", _views(job), keys.VIEW, job.request.query_str)
    with end:
        parts.part(
            "since", inputs, attrgetter("request"), partial(latest_run.draw_way_to_plan, job)
        )
    parts.part("result", inputs, _chosen, partial(_draw_view, job))
    with way_on_place:  # last, since the search for a change takes the plans of many
        parts.part("way on", inputs, _followed, partial(ways_on.draw_way_on, job))


def _followed(inputs: PageInputs) -> tuple[Request, str]:
    return inputs.request, fact_line.typed_fact(inputs.request.query_str)


def _headed(inputs: PageInputs) -> tuple[Request, str, tuple[str, str]]:
    """The same, and what keeps the inputs from being sent."""
    return *_followed(inputs), hosts.find_obstacle([inputs.settings])


def _draw_headline(
    job: Job, inputs: PageInputs, values: tuple[Request, str, tuple[str, str]]
) -> None:
    """Draw what the run made, or what became of the fact that is followed, or why it ended."""
    *_, obstacle = values
    trace = job.trace
    warnings = head.warn(*obstacle) + latest_run.answer_words(job, inputs.request)
    if trace is None:
        why = job.problem or "It ended without giving a reason."
        head.draw_headline(Headline(["The run failed."], [why]), warnings=warnings)
        return
    query = trace.setup.query
    path = fact_line.follow_typed(trace, inputs.settings.chunks)
    is_cause = path is not None and fact_line.is_cause(path.fact, query)
    model = job.request.model
    cost = paid(job.dollars, is_billed(model, trace)) + cost_elsewhere(model, job.spent)
    said = run_headline(trace, job.info.by_person, job.info.edited, cost, path, is_cause)
    if trace.response is None:
        said = said._replace(line=_ending(job, trace))
    _, problem = fact_line.read_typed(query)
    notes = [problem] if problem else []
    if path is not None and trace.response is not None and cost:
        words = cost.removeprefix(", ")
        notes.append(f"{words[:1].upper()}{words[1:]}.")
    if trace.counts.cut is not None:
        warnings = head.warn(alarm_words(trace)) + warnings
    head.draw_headline(said, notes, warnings)


def _ending(job: Job, trace: Trace) -> list[str]:
    """Why a run ended early, from where it would go on, and what else there is to know."""
    why = f"{trace.error.rstrip('.')}. " if trace.error else ""
    if trace.error_kind == INTERRUPTED:
        why = "Its server ended before it did. "
    if start.is_capped(trace):
        return [f"{why.partition('. ')[0]}."]  # the button says where it is raised
    goes_on = []
    if key_gone := start.say_key_gone(job, start.settings_of(job)):
        goes_on = [key_gone]
    elif ways_on.can_resume(trace):
        unanswered = [call.number for call in trace.calls if call.answer is None]
        first = min(unanswered, default=len(trace.calls) + 1)
        goes_on = ["Resume asks from ", Bold(f"call {first}"), " on."]
    return [why, *goes_on, *(f" {each}" for each in answer_troubles(trace))]


def _chosen(inputs: PageInputs) -> tuple[str, str, int | None]:
    """The view that is chosen in the switch, the followed fact, and where the lens stands."""
    _, fact = _followed(inputs)
    view = str(st.session_state.get(keys.VIEW, PICTURE))
    return view, fact, st.session_state.get(keys.LENS)


def _views(job: Job) -> tuple[str, ...]:
    has_calls = job.trace is not None and bool(job.trace.calls)
    return VIEWS if has_calls else (ANSWER, BY_WINDOW)


def _hold_in_address(job: Job) -> None:
    views = _views(job)
    state.sync_with_address(keys.VIEW, views, views[0])


def _draw_view(job: Job, inputs: PageInputs, chosen: tuple[str, str, int | None]) -> None:
    view, *_ = chosen
    _hold_in_address(job)
    trace = job.trace
    if trace is None:
        return
    is_picture = view == PICTURE and trace.calls  # above which the headline says it
    if trace.counts.cut is not None and not is_picture:
        st.html(alarm_html(trace))
    if view == BY_WINDOW:
        draw_by_window(inputs)
    elif view == STEPS:
        steps_view.draw(trace, job)
    elif view == CALLS:
        _draw_difference(trace, job.request, inputs.settings.count_factor)
        calls.draw(trace, job.info.edited)
    elif view == COVERAGE:
        coverage_view.draw(trace)
    elif view == ANSWER or not trace.calls:
        _draw_ways_out(trace, job.request)
        answer_view.draw(trace, job, inputs)
    else:
        _draw_picture(trace, job, inputs)


def _draw_picture(trace: Trace, job: Job, inputs: PageInputs) -> None:
    """Draw the answer above the picture of the run, with the way of a followed fact in it."""
    text, chunks = trace.response, trace.setup.chunks
    path = fact_line.follow_typed(trace, inputs.settings.chunks)
    if text is None:
        latest = job.answered[-1].answer if job.answered else None
        inside = head.tagged_answer(latest, chunks) if latest else "No answer came."
        head.draw_answer("So far", tag("span", inside), done=False)
    else:
        head.draw_answer("Answer", head.tagged_answer(text, chunks, path), done=True)
    mark = fact_mark(path) if path is not None else None
    plan = plan_range(job.request).high if text is None else None
    if plan is not None:  # the calls that were not asked are drawn too
        head.draw_picture(job.request, plan, keys.VIEW, trace.calls, mark)
    else:
        head.draw_picture(job.request, trace, keys.VIEW, mark=mark)
    st.html(bars_key(run_views.bars_of(trace)))


def _draw_difference(trace: Trace, request: Request, count_factor: float) -> None:
    """Draw how the server's counts stand to ours, and offer to plan with them."""
    if words := counts_words(trace):
        st.html(sentence_html(words))
    factor = trace.counts.factor_beside(request.count_factor)
    if factor != count_factor:
        _offer(f"Plan with {factor:g} times the count", count_factor=factor)


def _draw_ways_out(trace: Trace, request: Request) -> None:
    """Draw what helps where the server cut: the window that it has, or a larger one for it."""
    cut = trace.counts.cut
    if cut is None:
        return
    section("What to do")
    if request.context_window > cut.window:
        _offer(f"Set the window to {cut.window:,}", context_window=cut.window)
    small("Or give the server a larger one. This starts Ollama with what the run needs:")
    st.code(start_line(trace), language=None, wrap_lines=True)


def _offer(label: str, **setting: float) -> None:
    st.button(label, icon=":material/check:", on_click=state.update_and_rerun, kwargs=setting)
