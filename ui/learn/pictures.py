"""The pictures of a reveal, as the lesson names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from synth.trace import Plan
from ui import call_detail, views
from ui.figures import (
    budget_alt,
    budget_bars,
    budget_strip,
    coverage_alt,
    coverage_strips,
    flow_alt,
    flow_figure,
)
from ui.figures.steps import steps_alt, steps_figure
from ui.learn.place import Place
from ui.lessons.lesson import Facts, Picture, planned
from ui.safe import key_html
from ui.steps import steps_of
from ui.theme import Look
from ui.views import BARS, NARROW, Shown, drawable, key_of
from ui.words import box, chart, counted, section


def draw(place: Place, found: Facts, look: Look) -> None:
    """Each picture under its heading; a run without calls has none."""
    for name in place.lesson.pictures:
        _DRAWN[name](place, found, look)


def _plan(place: Place, found: Facts, look: Look) -> Shown:
    return Shown(found.high, place.exercise, look, NARROW)


def _run(place: Place, found: Facts, look: Look) -> Shown:
    return Shown(found.trace, place.exercise, look, NARROW)


def _budget(place: Place, found: Facts, look: Look) -> None:
    if found.high.calls:
        views.budgets(_plan(place, found, look))


def _flow(place: Place, found: Facts, look: Look) -> None:
    if found.high.calls:
        section("Which chunk goes into which call")
        views.flow(_plan(place, found, look))


def _coverage(place: Place, found: Facts, look: Look) -> None:
    shown = _plan(place, found, look)
    chunks = shown.run.coverage
    if not (shown.run.calls and drawable(shown)):
        return
    section("What is sent of each chunk")
    st.html(key_html(["sent", "twice", "lost"]))
    figure = shown.kept("coverage", lambda: coverage_strips(chunks, look, shown.width))
    chart(figure, "coverage", coverage_alt(chunks))


def _steps(place: Place, found: Facts, look: Look) -> None:
    """A chain as an answer that grows; of other runs, which answer went where."""
    shown = _run(place, found, look)
    steps = steps_of(found.trace)
    if not (steps and drawable(shown)):
        return
    if steps[0].shape == "chain":
        section("The answer, step by step")
        chart(steps_figure(steps, look, shown.width), "reveal_steps", steps_alt(steps))
    else:
        section("Which answer goes where")
        figure = flow_figure(shown.run.calls, shown.run.setup, look, width=shown.width)
        chart(figure, "reveal_steps", flow_alt(shown.run.calls, shown.run.setup))


def _prompt(place: Place, found: Facts, look: Look) -> None:
    if found.trace.calls:
        section("What is sent, and what comes back")
        call_detail.detail(_run(place, found, look))


def _compare(place: Place, found: Facts, look: Look) -> None:
    """The two behaviours, one above the other in the same window."""
    for behaviour in ("documented", "llama_index"):
        request = replace(found.request, behaviour=behaviour)
        same = request == found.request
        plan = found.high if same else planned(request, request.num_output)
        _behaviour(Shown(plan, (place.exercise, behaviour), look, NARROW))


def _behaviour(shown: Shown) -> None:
    plan = shown.run
    assert isinstance(plan, Plan)
    section(f"{plan.setup.behaviour} · {counted(plan.call_count, 'call')}")
    if plan.problem:
        box("It would not go on.", plan.problem)
    if not (rows := shown.rows):
        return
    key_of(shown)
    figure = budget_bars(rows, shown.look, shown.width, 28)
    if len(rows) > BARS:
        figure = budget_strip(rows, shown.look)
    chart(figure, f"compare {plan.setup.behaviour}", budget_alt(rows))


_DRAWN: Mapping[Picture, Callable[[Place, Facts, Look], None]] = {
    "budget": _budget,
    "flow": _flow,
    "coverage": _coverage,
    "curve": lambda place, found, look: None,
    "steps": _steps,
    "prompt": _prompt,
    "compare": _compare,
}
