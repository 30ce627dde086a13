"""The pictures of a reveal; each lesson names those that it shows."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from synth.html.escape import answer_html, legend_html
from synth.pictures.budget import budget_bars
from synth.pictures.coverage import coverage_strips
from synth.pictures.flow import flow_data, flow_picture
from synth.pictures.shapes import shown
from synth.pictures.steps import steps_picture
from synth.pictures.walk import steps_of
from synth.text.wording import counted
from ui.look.elements import chart, error_box, section, small, table
from ui.look.scripts import draw_picture
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons.lesson import LessonFacts, PictureName
from ui.pages.learn.location import LessonLocation, value_label
from ui.plans.axes import AxisSpan, axis_of
from ui.plans.chart_data import CurveView, frame, measures, panels
from ui.plans.curve_chart import curves_alt, curves_figure
from ui.plans.curves import curves
from ui.views import call_detail, run_views
from ui.views.run_views import RunView, draw_sized, drawable, legend

WIDTHS = 480, 330
"""The widths in pixels of pictures: in a page 800 wide, beside the lessons, and on a phone."""
_CURVE_HEIGHT = 150  # pixels


def draw_pictures(location: LessonLocation, facts: LessonFacts) -> None:
    """Each picture of the lesson under its heading; a plan without calls has none."""
    if facts.trace.error:
        error_box("The run ends here.", facts.trace.error)
    elif facts.high.calls:
        run_views.unfinished(facts.high)
    names = location.lesson.pictures
    for name in names:
        if not (name == "budget" and "compare" in names):  # it draws all budgets
            _DRAW[name](location, facts)


def _plan_view(location: LessonLocation, facts: LessonFacts) -> RunView:
    return RunView(facts.high, location.exercise, WIDTHS)


def run_view(location: LessonLocation, facts: LessonFacts) -> RunView:
    """The run of the exercise, as the figures draw it."""
    return RunView(facts.trace, location.exercise, WIDTHS)


def _budget(location: LessonLocation, facts: LessonFacts) -> None:
    if facts.high.calls:
        run_views.budgets(_plan_view(location, facts))


def _flow(location: LessonLocation, facts: LessonFacts) -> None:
    if facts.high.calls:
        section("Which chunk goes into which call")
        run_views.flow(_plan_view(location, facts))


def _coverage(location: LessonLocation, facts: LessonFacts) -> None:
    view = _plan_view(location, facts)
    chunks = view.run.coverage
    if not (view.run.calls and drawable(view)):
        return
    section("What is sent of each chunk")
    st.html(legend_html(["sent", "twice", "lost"]))
    draw_sized(view, "coverage", lambda width: coverage_strips(chunks, width))


def _steps(location: LessonLocation, facts: LessonFacts) -> None:
    """The growing answer of a chain; the flow of answers in any other run."""
    view = run_view(location, facts)
    steps = steps_of(facts.trace)
    if not (steps and drawable(view)):
        return
    if steps[0].shape == "chain":
        section("The answer, step by step")
        draw_sized(view, "reveal_steps", lambda width: steps_picture(steps, width))
    else:
        section("Which answer goes where")
        data = flow_data(view.run.calls, view.run.setup)
        draw_sized(view, "reveal_steps", lambda width: flow_picture(data, width))


def _prompt(location: LessonLocation, facts: LessonFacts) -> None:
    if facts.trace.calls:
        section("What is sent, and what comes back")
        call_detail.detail(run_view(location, facts))


def _compare(location: LessonLocation, facts: LessonFacts) -> None:
    """The budget and the answer for every value of the control, one below the other."""
    revealed = replace(location, stage="reveal")
    variants = [replace(revealed, value=value) for value in location.values]
    facts_of_each = [lesson_state.facts_at(variant) for variant in variants]
    plans = {(each.high.call_count, each.high.prompt_tokens) for each in facts_of_each}
    same = len(plans) == 1
    if facts.high.calls and not same:
        legend(_plan_view(location, facts).rows)
    for variant, each in zip(variants, facts_of_each, strict=True):
        view = _plan_view(variant, each)
        section(f"{value_label(variant.value)} · {counted(each.high.call_count, 'call')}")
        run_views.unfinished(each.high)
        if view.rows and not same:
            key = f"compare-{variant.value}"
            draw_picture(shown([budget_bars(view.rows, width, 28) for width in WIDTHS]), key)
            small("Its answer")
        if each.trace.response:
            st.html(answer_html(each.trace.response))


def _curve(location: LessonLocation, facts: LessonFacts) -> None:
    """Calls against the setting of the control, as a step curve and as a table."""
    axis, request = axis_of(location.lesson.control.field), facts.request
    values, mode = location.values, request.mode
    ends_and_value = (values[0], values[-1], location.value)
    span = AxisSpan(*(round(axis.scale * value) for value in ends_and_value))
    curve_of_mode = curves(axis, span, {mode: request}, lambda share: None)
    view = CurveView(axis, span, curve_of_mode, mode, span.current)
    axis_title = f"{axis.label}, tokens" if axis.noun == "token" else axis.label
    section(f"Calls against {axis.label}")
    [panel] = panels(view, [measures(None)["calls"]], axis_title)
    chart(curves_figure(panel, _CURVE_HEIGHT), "lesson_curve", curves_alt(panel))
    with st.expander("The numbers of this curve"):
        table(frame(axis, curve_of_mode.values(), None))


_DRAW: Mapping[PictureName, Callable[[LessonLocation, LessonFacts], None]] = {
    "budget": _budget,
    "flow": _flow,
    "coverage": _coverage,
    "curve": _curve,
    "steps": _steps,
    "prompt": _prompt,
    "compare": _compare,
}
