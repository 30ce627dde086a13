"""The pictures of a reveal, as the lesson names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from synth.wording import counted
from ui.figures import budget_alt, budget_bars, coverage_alt, coverage_strips, flow_alt, flow_figure
from ui.figures.steps import steps_alt, steps_figure
from ui.learn import curve, here
from ui.learn.control import named
from ui.learn.place import Place
from ui.learn.style import WIDTH
from ui.lessons.lesson import Facts, Picture
from ui.look.elements import chart, section, small
from ui.look.escape import answer_html, legend_html
from ui.look.theme import Look
from ui.trace.walk import steps_of
from ui.views import call_detail, shared
from ui.views.shared import RunView, drawable, legend


def draw(place: Place, found: Facts, look: Look) -> None:
    """Each picture under its heading; a run without calls has none."""
    if found.high.calls:
        shared.unfinished(found.high)
    names = place.lesson.pictures
    for name in names:
        if not (name == "budget" and "compare" in names):  # which has the budgets of all sides
            _DRAWN[name](place, found, look)


def _plan(place: Place, found: Facts, look: Look) -> RunView:
    return RunView(found.high, place.exercise, look, WIDTH)


def _run(place: Place, found: Facts, look: Look) -> RunView:
    return RunView(found.trace, place.exercise, look, WIDTH)


def _budget(place: Place, found: Facts, look: Look) -> None:
    if found.high.calls:
        shared.budgets(_plan(place, found, look))


def _flow(place: Place, found: Facts, look: Look) -> None:
    if found.high.calls:
        section("Which chunk goes into which call")
        shared.flow(_plan(place, found, look))


def _coverage(place: Place, found: Facts, look: Look) -> None:
    view = _plan(place, found, look)
    chunks = view.run.coverage
    if not (view.run.calls and drawable(view)):
        return
    section("What is sent of each chunk")
    st.html(legend_html(["sent", "twice", "lost"]))
    figure = view.kept("coverage", lambda: coverage_strips(chunks, look, view.width))
    chart(figure, "coverage", coverage_alt(chunks))


def _steps(place: Place, found: Facts, look: Look) -> None:
    """A chain as an answer that grows; of other runs, which answer went where."""
    view = _run(place, found, look)
    steps = steps_of(found.trace)
    if not (steps and drawable(view)):
        return
    if steps[0].shape == "chain":
        section("The answer, step by step")
        chart(steps_figure(steps, look, view.width), "reveal_steps", steps_alt(steps))
    else:
        section("Which answer goes where")
        figure = flow_figure(view.run.calls, view.run.setup, look, width=view.width)
        chart(figure, "reveal_steps", flow_alt(view.run.calls, view.run.setup))


def _prompt(place: Place, found: Facts, look: Look) -> None:
    if found.trace.calls:
        section("What is sent, and what comes back")
        call_detail.detail(_run(place, found, look), WIDTH)


def _compare(place: Place, found: Facts, look: Look) -> None:
    """What every value of the control brings about, one below the other."""
    there = replace(place, stage="reveal")
    sides = [replace(there, value=value) for value in place.values]
    each = [here.facts_of(side) for side in sides]
    same = len({(one.high.call_count, one.high.prompt_tokens) for one in each}) == 1
    if found.high.calls and not same:
        legend(_plan(place, found, look).rows)
    for side, one in zip(sides, each, strict=True):
        view = _plan(side, one, look)
        section(f"{named(side.value)} · {counted(one.high.call_count, 'call')}")
        shared.unfinished(one.high)
        if view.rows and not same:
            figure = budget_bars(view.rows, look, view.width, 28)
            chart(figure, f"compare {side.value}", budget_alt(view.rows))
            small("Its answer")
        if one.trace.response:
            st.html(answer_html(one.trace.response))


_DRAWN: Mapping[Picture, Callable[[Place, Facts, Look], None]] = {
    "budget": _budget,
    "flow": _flow,
    "coverage": _coverage,
    "curve": curve.draw,
    "steps": _steps,
    "prompt": _prompt,
    "compare": _compare,
}
