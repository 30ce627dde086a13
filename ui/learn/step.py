"""The second stage: the run, step by step, with the flow filling up."""

from __future__ import annotations

import streamlit as st

from synth.trace import Trace
from ui.figures import budget_alt, budget_bars, flow_alt, flow_figure
from ui.figures.steps import steps_alt, steps_figure
from ui.learn import here
from ui.learn.place import Place
from ui.learn.style import WIDTH
from ui.lessons.lesson import Facts
from ui.look.elements import WIDE, box, chart, section, sentence, small
from ui.look.theme import Figure, Look
from ui.trace.step_sentence import step_sentence
from ui.trace.steps import Step
from ui.trace.walk import call_states, steps_of
from ui.views import step_texts, stepping
from ui.views.shared import RunView, drawable, legend

_FEW = 2  # steps whose answers are as easily read as drawn


def words(place: Place, found: Facts, look: Look) -> None:
    """What happens in this step, the way to the others, and the way on."""
    steps = _steps(_shown(place, found, look))
    step = _current(steps) if steps else None
    if step is None:
        small("This run makes no call: there is no step to walk through.")
    else:
        sentence(step_sentence(step))
    with st.container(horizontal=True, key="step_head"):
        if step is not None:
            stepping.controls(step.number, step.total)
        if "reveal" not in place.hidden:
            st.button(
                "Reveal",
                type="primary",
                icon=":material/visibility:",
                on_click=here.go,
                args=(place.at("reveal"),),
                key="to_reveal",
            )
    if step is not None and found.trace.error and step.number == step.total:
        box("The run ends here.", found.trace.error)


def picture(place: Place, found: Facts, look: Look) -> None:
    """Which chunk went into which call, as far as the step; the budget of a single call."""
    view = _shown(place, found, look)
    steps = _steps(view)
    if not steps:
        return
    step = _current(steps)
    section("Which chunk goes into which call")
    if drawable(view):
        _flow(view, steps, step)
    if len(step.calls) == 1:
        row = view.row(step.calls[0])
        section(f"Budget of call {step.calls[0].number}, in tokens")
        legend(view.rows)
        chart(budget_bars([row], look, view.width), "step_bar", budget_alt([row]))


def texts(place: Place, found: Facts, look: Look) -> None:
    """What a step read and wrote."""
    view = _shown(place, found, look)
    if not (steps := _steps(view)):
        return
    step = _current(steps)
    with st.container(key="lesson_texts"):
        if step.shape == "chain":
            step_texts.chain(view, None, step)
        elif step.shape == "list":
            step_texts.growing(view, None, step)
        else:
            _level(view, step)
    if step.shape == "chain" and len(steps) > _FEW:
        section("The answer, step by step")
        _chain(view, steps, step)


def _level(view: RunView, step: Step) -> None:
    """One call of a level, chosen by its number."""
    numbers = [call.number for call in step.calls]
    number = numbers[0]
    if len(numbers) > 1:
        number = st.pills(
            "Call to read", numbers, default=numbers[0], required=True, key=f"read {step.number}"
        )
    step_texts.one_of_level(view, None, step, int(number))


def _shown(place: Place, found: Facts, look: Look) -> RunView:
    return RunView(found.trace, place.exercise, look, WIDTH)


def _steps(view: RunView) -> list[Step]:
    run = view.run
    assert isinstance(run, Trace)
    return view.kept("lesson steps", lambda: steps_of(run))


def _current(steps: list[Step]) -> Step:
    return steps[stepping.current(len(steps)) - 1]


def _flow(view: RunView, steps: list[Step], step: Step) -> None:
    calls, setup = view.run.calls, view.run.setup
    one = step.calls[0].number if len(step.calls) == 1 else None

    def make() -> Figure:
        states = call_states(steps, step.number)
        return flow_figure(calls, setup, view.look, width=view.width, selected=one, states=states)

    figure = view.kept("lesson flow", make, step.number)
    chart(figure, "lesson_flow", flow_alt(calls, setup))


def _chain(view: RunView, steps: list[Step], step: Step) -> None:
    def make() -> Figure:
        return steps_figure(steps, view.look, WIDE, step.number)

    figure = view.kept("lesson chain", make, step.number)
    chart(figure, "lesson_chain", steps_alt(steps, step.number))
