"""The plan on the page: its headline, the button that runs it, its views, By window among them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from statistics import fmean
from typing import Any

import streamlit as st

from synth.html.markup import Html, tag
from synth.html.notebook import bars_key
from synth.modes.adviser import advise
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.runs.calls import Setup
from synth.runs.trace import Plan
from synth.text.wording import counted, embolden
from synth.words.plan_words import Headline, advice_words, plan_headline
from ui.controls.inputs import draw_slider
from ui.controls.modes import CARD_MODES
from ui.look.elements import box, button_row, chart, dropdown
from ui.pages.playground import head, latest_run
from ui.pages.playground.head import PICTURE
from ui.plans.cost import cost, crossing, minutes_warm, price_tag, with_cache
from ui.plans.curves import (
    AXES,
    MEASURES,
    CurveView,
    curves,
    describe_curves,
    draw_curves,
    window_cliffs,
)
from ui.plans.plan_range import LONG, PageInputs, Plans, plan_range
from ui.runs.job import Job
from ui.session import keys, parts, workspace
from ui.settings import hosts, model, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, Settings
from ui.views import calls, coverage_view, run_views

BY_WINDOW = "by_window"
"""The code of a view in the switches and in the address: every mode over one setting."""
_DRAW: dict[str, Callable[[Plan], None]] = {"calls": calls.draw, "coverage": coverage_view.draw}
_VIEWS = (PICTURE, *_DRAW, BY_WINDOW)
_UNPLANNABLE = "**{mode}** has no steps of its own: it can be run, not planned."


def draw(inputs: PageInputs, job: Job | None) -> None:
    """Draw the plan of the inputs; `job` is the run before, of other inputs."""
    words, buttons = head.row()
    with words:
        parts.part("plan", inputs, _planned, partial(_headline, job))
    with buttons.container(width="content"):
        hosts.draw_consent([inputs.settings], "plan")
    head.draw_run(buttons, inputs, job)
    parts.part("plan bar", inputs, _bar, partial(_draw_bar, job))
    parts.part("plan view", inputs, _viewed, partial(_draw_view, job))


def _planned(inputs: PageInputs) -> tuple[Request, tuple[str, str]]:
    return inputs.request, hosts.find_obstacle([inputs.settings])


def _headline(job: Job | None, inputs: PageInputs, values: tuple[Request, tuple[str, str]]) -> None:
    request, obstacle = values
    plans = inputs.plans
    if plans.refused is not None:
        head.draw_refusal(plans.refused)
        return
    warnings = head.warn(*obstacle)
    if job is not None:
        warnings += latest_run.plan_words(job, request)
    if plans.plans is None:
        words = Headline(embolden(_UNPLANNABLE, mode=request.mode), [])
        head.draw_headline(words, warnings=warnings)
        return
    tokenizer = plans.plans.high.setup.tokenizer
    counting = "" if tokenizer.sure else tokenizer.counting
    low, high = (_likely(inputs, request.mode, plan, job) for plan in plans.plans[:2])
    cached = _say_cached(inputs, high, job)
    reasoning = _reasoning_before(request, job)
    measured = ""
    if reasoning:
        tokens = counted(_likely_reasoning(reasoning, high), "token")
        measured = f"reasoning in the run before: {tokens} a call"
    notes = filter(None, (cached, measured, counting, price_tag(request.model)))
    if crossed := crossing(plans.plans.bounds, inputs.settings, request.model):
        warnings += head.warn("Your cap may end it.", crossed)
    warnings += _foresee_no_text(high.setup, reasoning)
    if (plan := plans.plans.high).problem:
        warnings += head.warn(run_views.early_end(plan), plan.problem)
    said = [f"{note[:1].upper()}{note[1:]}." for note in notes] + _advise(inputs, job)
    planned = Plans(low, high, plans.plans.bounds)
    words = plan_headline(*planned, cost(request.model, planned))
    head.draw_headline(words, said, warnings)


def _reasoning_before(request: Request, job: Job | None) -> list[int]:
    """Return how much the model reasoned in each call of the run before, as its server counted."""
    if job is None or job.trace is None or job.request.model != request.model:
        return []
    counts = [
        call.reasoning_tokens for call in job.trace.calls if call.reasoning_tokens is not None
    ]
    return counts if any(counts) else []


def _foresee_no_text(setup: Setup, reasoning: Sequence[int]) -> list[str]:
    """Warn where reasoning like that of the run before leaves no room for an answer."""
    most = max(reasoning, default=0)
    if most < setup.most_output:
        return []
    why = (
        f"The run before reasoned with {counted(most, 'token')} in a call, and a reply has"
        f" {setup.most_output:,}: raise the room for reasoning beside the model."
    )
    return head.warn("No text may come.", why)


def _advise(inputs: PageInputs, job: Job | None) -> list[str]:
    """Say which of the modes with a card is better; nothing where plans take long."""
    if inputs.request.work > LONG:
        return []
    modes = dict.fromkeys((*CARD_MODES, inputs.settings.mode))
    plans = {
        mode: _likely(inputs, mode, plan, job)
        for mode in modes
        if (plan := inputs.plans_in(mode).high) is not None
    }
    price = inputs.request.model.price
    words = advice_words(advise(plans, inputs.settings.mode, price), price is not None)
    return [words] if words else []


def _likely(inputs: PageInputs, mode: str, plan: Plan, job: Job | None) -> Plan:
    """Return a plan with what is likely cached, and with reasoning as in the run before.

    What that run sent is cached while its server has it.
    """
    at_once, request = inputs.settings.concurrency, inputs.request_in(mode)
    if job is None or job.trace is None or not _minutes_warm(inputs, job):
        likely = with_cache(request, plan, at_once)
    else:
        likely = with_cache(request, plan, at_once, job.trace.calls, job.serial)
    reasoning = _reasoning_before(request, job)
    if not reasoning:
        return likely
    return likely.assume(reasoning_tokens=_likely_reasoning(reasoning, plan))


def _likely_reasoning(before: Sequence[int], plan: Plan) -> int:
    """Return the tokens of reasoning in each call, if it is as before: no more than has room."""
    return min(round(fmean(before)), plan.setup.most_output)


def _minutes_warm(inputs: PageInputs, job: Job) -> int:
    return minutes_warm(inputs.request.model, job.request.model, job.info.ended)


def _say_cached(inputs: PageInputs, plan: Plan, job: Job | None) -> str:
    """How many tokens are likely cached, and for how long where some are by the run before."""
    if not plan.cached_tokens:
        return ""
    cold = with_cache(inputs.request, plan, inputs.settings.concurrency).cached_tokens or 0
    until = ""
    if job is not None and plan.cached_tokens > cold:
        until = f", for {counted(_minutes_warm(inputs, job), 'more minute')}"
    return f"likely cached: {counted(plan.cached_tokens, 'prompt token')}{until}"


def _bar(inputs: PageInputs) -> tuple[tuple[str, ...], str]:
    """The views of a plan, of which one without calls has but two, and the question."""
    plan = inputs.plans.high
    has_calls = plan is not None and bool(plan.calls)
    return _VIEWS if has_calls else (PICTURE, BY_WINDOW), inputs.request.query_str


def _draw_bar(job: Job | None, _: PageInputs, bar: tuple[tuple[str, ...], str]) -> None:
    views, query = bar
    state.sync_with_address(keys.PLAN_VIEW, views, PICTURE)
    end = head.draw_views("View of the plan", views, keys.PLAN_VIEW, query)
    if job is not None:
        with end:
            latest_run.draw_way_to_run(job)


def _viewed(inputs: PageInputs) -> tuple[Request, str, int | None]:
    """The request, the chosen view, and where the lens of its picture stands."""
    view = st.session_state.get(keys.PLAN_VIEW, PICTURE)
    return inputs.request, view, st.session_state.get(keys.LENS)


def _draw_view(
    job: Job | None, inputs: PageInputs, viewed: tuple[Request, str, int | None]
) -> None:
    request, chosen, _ = viewed
    if chosen == BY_WINDOW:
        draw_by_window(inputs)
        return
    plans = inputs.plans
    if plans.refused is not None:
        _draw_earlier()
    if plans.high is None or not plans.high.calls:
        return
    workspace.current().values[keys.PLANNED] = request
    plan = _likely(inputs, request.mode, plans.high, job)
    if chosen != PICTURE:
        _DRAW[chosen](plan)
        return
    words = "Not asked yet." if job is None else "Not asked yet with these inputs."
    head.draw_answer("Answer", tag("span.muted", words), done=False)
    head.draw_picture(request, plan, keys.PLAN_VIEW)
    st.html(bars_key(run_views.bars_of(plan)))


def _draw_earlier() -> None:
    """Draw, in grey, the last plan that there was, so that nothing moves where there is none."""
    request: Request | None = workspace.value(keys.PLANNED, None)
    plans = None if request is None else plan_range(request).plans
    if request is None or plans is None:
        return
    words = "".join(plan_headline(*plans, cost(request.model, plans)).sentence)
    with st.container(key="earlier_plan"):
        before = tag("span.muted", f"The plan before the error: {words}")
        head.draw_answer("Answer", before, done=False)
        st.container(key="rail_place").html(Html("&nbsp;"))  # which the picture stands below
        run_views.draw_picture(plans.high)


_ALL_CHUNKS = 10_000_000  # chunks
_CURVES_HEIGHT = 400  # pixels


def draw_by_window(inputs: PageInputs) -> None:
    """Draw what is varied, the curves of all modes and the present value on them, as a part."""
    parts.part(BY_WINDOW, inputs, attrgetter("settings"), _draw_curves)


def _draw_curves(inputs: PageInputs, settings: Settings) -> None:
    modes = [
        name
        for name, mode in MODES.items()
        if mode.steps is not BaseSynthesizer.steps
        and (mode_facts(name).sends_chunks or name == settings.mode)
    ]
    focus = settings.mode if settings.mode in modes else DEFAULT.mode
    price = model.price(settings)
    with st.container(horizontal=True, vertical_alignment="center", key=BY_WINDOW):
        axis = dropdown("What to vary", AXES, "axis", format_func=attrgetter("label"), width=190)
        measure = button_row(
            "What to draw",
            [code for code in MEASURES if code != "cost" or price is not None],
            "measure",
            format_func=MEASURES.__getitem__,
            label_visibility="collapsed",
        )
    request = inputs.request_in(focus)
    if axis.setting == "text_chunks":
        request = Request.of(settings.with_({"similarity_top_k": _ALL_CHUNKS}))
    requests = {mode: request.in_mode(mode, settings) for mode in modes}
    values = axis.values(request)
    if len(values) < 2:
        box("There is nothing to vary.", "Add more chunks.")
        return
    marks = _mark_windows(requests, focus) if axis.setting == "context_window" else {}
    steps = [cliff.x for cliff in marks.get("changes", ()) if values[0] < cliff.x < values[-1]]
    with st.spinner("Planning every mode at every value"):
        table = curves(axis, values, requests, {focus: steps})
    if price is not None:
        tokens = zip(table.prompt_tokens, table.output_tokens, strict=True)
        table["cost"] = [price.of(*both) for both in tokens]
    value = axis.value(inputs.request_in(focus))
    title = f"{axis.label}, {axis.unit}" if axis.unit else axis.label
    view = CurveView(table, measure, focus, value, title, **marks)
    chart(draw_curves(view, _CURVES_HEIGHT), "curves", describe_curves(view))
    if axis.setting != "text_chunks":
        most = max(values[-1], value)
        with st.container(key="below_the_axis"):
            draw_slider(f"at {axis.setting}", axis.setting, value, values[0], most)


def _mark_windows(requests: Mapping[str, Request], focus: str) -> dict[str, Any]:
    """The windows at which the calls of the mode in focus change, and below which one cuts off."""
    marks: dict[str, Any] = {"changes": window_cliffs(requests[focus], exact=True)}
    for mode, request in requests.items():
        for cliff in window_cliffs(request):
            if cliff.before == cliff.after == 1:
                marks |= {"cut_mode": mode, "whole": cliff.x}
    return marks
