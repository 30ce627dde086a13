"""The view Steps: a run step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.trace import Trace
from ui.figures import budget_alt, budget_bars, flow_alt, flow_figure
from ui.figures.steps import steps_alt, steps_figure
from ui.look.elements import NARROW, chart, section, sentence, small
from ui.look.theme import Figure
from ui.run.job import Job
from ui.trace.step_sentence import step_sentence
from ui.trace.steps import Step
from ui.trace.walk import call_states, steps_of
from ui.views import call_detail, step_texts, stepping
from ui.views.shared import RunView, drawable, legend, sized

_FLOW, _BAR = 700, 460  # pixels of width of the flow of a tree, and of a bar


def draw(view: RunView, job: Job) -> None:
    """Draw the chosen step, and a figure of all steps in which one can be clicked."""
    trace = view.run
    assert isinstance(trace, Trace)
    steps = view.remembered("steps", lambda: steps_of(trace))
    step = steps[stepping.current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_sentence(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            stepping.controls(step.number, step.total)
    if step.shape == "levels":
        _level(view, job, steps, step)
        return
    _budget(view, step.calls[0].number)
    if step.shape == "chain":
        step_texts.chain(view, job, step)
        if step.total == 1:
            return
        section("The answer, step by step")
        _chain_figure(view, steps, step)
    else:
        step_texts.growing(view, job, step)
        section("The list, step by step")
        _flow(view, steps, step, step.calls[0].number)
    small("Click a step to go there.")


def _budget(view: RunView, number: int) -> None:
    rows = [view.row(view.run.calls[number - 1])]
    chart(budget_bars(rows, view.look, _BAR), "step_bar", budget_alt(rows))
    legend(rows)


def _level(view: RunView, job: Job, steps: list[Step], step: Step) -> None:
    """Draw the tree so far, and beside it one call of its latest level."""
    numbers = [call.number for call in step.calls]
    open_call = call_detail.selected(view)
    number = open_call if open_call in numbers else numbers[0]
    with st.container(key="two_level"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        _flow(replace(view, width=_FLOW), steps, step, number)
        small("Width is tokens. Click a call to go to its step.")
    with right:
        _budget(view, number)
        step_texts.call_of_level(view, job, step, number)


def _chain_figure(view: RunView, steps: list[Step], step: Step) -> None:
    def make() -> tuple[Figure, str]:
        figure = steps_figure(steps, view.look, NARROW, step.number)
        return figure, steps_alt(steps, step.number)

    figure, alt = view.remembered("step_figure", make, step.number)
    chart(figure, "step_figure", alt, lambda mark: stepping.go(int(mark[1])))


def _flow(view: RunView, steps: list[Step], step: Step, number: int) -> None:
    if not drawable(view):
        return
    calls, setup = view.run.calls, view.run.setup

    def make(width: int) -> Figure:
        def figure() -> Figure:
            states = call_states(steps, step.number)
            return flow_figure(calls, setup, view.look, width=width, selected=number, states=states)

        return replace(view, width=width).remembered("step_flow", figure, number)

    def clicked(mark: Sequence[Any]) -> None:
        kind, clicked_number = mark[:2]
        if kind in ("call", "answer"):
            call_detail.select(int(clicked_number))
            for any_step in steps:
                if any(call.number == clicked_number for call in any_step.calls):
                    stepping.go(any_step.number)

    alt = view.remembered("step_flow alt", lambda: flow_alt(calls, setup))
    sized(view, make, "step_flow", alt, clicked)
