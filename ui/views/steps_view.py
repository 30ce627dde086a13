"""The view of a run step by step."""

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
from ui.views.shared import Shown, drawable, key_of, sized

_FLOW, _BAR = 700, 460  # pixels that the flow of a tree and a bar have for their words


def draw(shown: Shown, job: Job) -> None:
    """The step that is chosen, and all of them in a figure to choose from."""
    trace = shown.run
    assert isinstance(trace, Trace)
    steps = shown.kept("steps", lambda: steps_of(trace))
    step = steps[stepping.current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_sentence(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            stepping.controls(step.number, step.total)
    if step.shape == "levels":
        _level(shown, job, steps, step)
        return
    _budget(shown, step.calls[0].number)
    if step.shape == "chain":
        step_texts.chain(shown, job, step)
        if step.total == 1:
            return
        section("The answer, step by step")
        _chain_figure(shown, steps, step)
    else:
        step_texts.growing(shown, job, step)
        section("The list, step by step")
        _flow(shown, steps, step, step.calls[0].number)
    small("Click a step to go there.")


def _budget(shown: Shown, number: int) -> None:
    rows = [shown.row(shown.run.calls[number - 1])]
    chart(budget_bars(rows, shown.look, _BAR), "step_bar", budget_alt(rows))
    key_of(rows)


def _level(shown: Shown, job: Job, steps: list[Step], step: Step) -> None:
    """The tree so far, and beside it one call of the level that filled up last."""
    numbers = [call.number for call in step.calls]
    open_call = call_detail.selected(shown)
    number = open_call if open_call in numbers else numbers[0]
    with st.container(key="two_level"):
        left, right = st.columns([7, 5], gap="medium")
    with left:
        _flow(replace(shown, width=_FLOW), steps, step, number)
        small("Width is tokens. Click a call to go to its step.")
    with right:
        _budget(shown, number)
        step_texts.one_of_level(shown, job, step, number)


def _chain_figure(shown: Shown, steps: list[Step], step: Step) -> None:
    def make() -> tuple[Figure, str]:
        figure = steps_figure(steps, shown.look, NARROW, step.number)
        return figure, steps_alt(steps, step.number)

    figure, alt = shown.kept("step_figure", make, step.number)
    chart(figure, "step_figure", alt, lambda mark: stepping.go(int(mark[1])))


def _flow(shown: Shown, steps: list[Step], step: Step, number: int) -> None:
    if not drawable(shown):
        return
    made, setup = shown.run.calls, shown.run.setup

    def make(width: int) -> Figure:
        def drawn() -> Figure:
            states = call_states(steps, step.number)
            return flow_figure(made, setup, shown.look, width=width, selected=number, states=states)

        return replace(shown, width=width).kept("step_flow", drawn, number)

    def clicked(mark: Sequence[Any]) -> None:
        kind, call = mark[:2]
        if kind in ("call", "answer"):
            call_detail.select(int(call))
            for one in steps:
                if any(made.number == call for made in one.calls):
                    stepping.go(one.number)

    alt = shown.kept("step_flow alt", lambda: flow_alt(made, setup))
    sized(shown, make, "step_flow", alt, clicked)
