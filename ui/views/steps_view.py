"""The view Steps: the figure of all steps, below it a slider, and the texts of one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from synth.trace import Trace
from synth.walk import Step, call_states, steps_of
from ui.figures import budget_alt, flow_alt, flow_figure
from ui.figures.flow import margins_at
from ui.figures.steps import LEFT, RIGHT, step_columns, steps_alt, steps_figure
from ui.look.elements import sentence
from ui.look.picture import Picture, picture
from ui.look.picture_element import Clicked
from ui.run.job import Job
from ui.trace.step_sentence import step_sentence
from ui.views import call_detail, step_texts, stepping
from ui.views.shared import RunView, call_bar, drawable, legend, sized

_CHAIN, _FLOW = 210, 230  # pixels of height, so that a step fits on a screen
_SCREENS = (  # as for pictures of three widths
    "(min-width: 1000.1px)",
    "(max-width: 1000px) and (min-width: 600.1px)",
    "(max-width: 600px)",
)
_THUMB = 6  # pixels by which the thumb of a slider stands beyond its line
_LEVEL = 160  # pixels on the slider from one level to the next


class _StepsPicture(NamedTuple):
    """The figure of all steps at a width, its alternative text, and what a click on it does.

    `ends` has, for a width, the margins in pixels and the shares of the rest at which the first
    and the last step stand.
    """

    make: Callable[[RunView], Picture]
    alt: str
    clicked: Clicked
    ends: Callable[[int], tuple[int, int, float, float]]


def draw(view: RunView, job: Job) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call."""
    trace = view.run
    assert isinstance(trace, Trace)
    steps = view.remembered("steps", lambda: steps_of(trace))
    step = steps[stepping.current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_sentence(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            stepping.controls(step.number, step.total)
    number = _open_call(view, step)
    if drawable(view):
        chain = step.shape == "chain"
        _picture(view, _chain(view, steps, step) if chain else _flow(view, steps, step, number))
    stepping.slider(step.number, step.total)
    if step.shape == "chain":
        step_texts.chain(view, job, step)
    elif step.shape == "list":
        step_texts.growing(view, job, step)
    else:
        step_texts.call_of_level(view, job, step, number)
    _budget(view, number)


def _open_call(view: RunView, step: Step) -> int:
    """The call of this step whose texts are shown: the open one if it is among them."""
    numbers = [call.number for call in step.calls]
    number = call_detail.selected(view)
    return number if number in numbers else numbers[0]


def _picture(view: RunView, shown: _StepsPicture) -> None:
    sized(view, shown.make, "step_figure", shown.alt, shown.clicked)
    st.html(f"<style>{_slider_css([shown.ends(width) for width in view.widths])}</style>")


def _slider_css(ends: Sequence[tuple[int, int, float, float]]) -> str:
    """The rules that put the ends of the slider under the first and the last step of a figure.

    `ends` are the margins of the figure in pixels, and the shares of the rest at which the two
    steps stand: at the only width of the figure, or at each of its widths.
    """
    screens = ("all",) if len(ends) == 1 else _SCREENS
    rules = []
    for screen, (left, right, first, last) in zip(screens, ends, strict=True):
        drawn = f"(100% - {left + right}px)"
        padding = (
            f"padding-left: calc({left}px + {drawn} * {first:.4f} - {_THUMB}px);"
            f" padding-right: calc({right}px + {drawn} * {1 - last:.4f} - {_THUMB}px);"
        )
        rules.append(f"@media {screen} {{ .st-key-step_slider {{ {padding} }} }}")
    return "\n".join(rules)


def _chain(view: RunView, steps: list[Step], step: Step) -> _StepsPicture:
    def make(at_width: RunView) -> Picture:
        def drawn() -> Picture:
            figure = steps_figure(steps, at_width.width, step.number, _CHAIN)
            return picture(figure, f"steps-{at_width.width}")

        return at_width.remembered("step_figure", drawn, step.number)

    def ends(width: int) -> tuple[int, int, float, float]:
        return LEFT, RIGHT, *step_columns(steps, width).ends

    return _StepsPicture(make, steps_alt(steps, step.number), _to_step, ends)


def _to_step(mark: Sequence[Any]) -> None:
    stepping.go(int(mark[1]))


def _flow(view: RunView, steps: list[Step], step: Step, number: int) -> _StepsPicture:
    calls, setup = view.run.calls, view.run.setup

    def make(at_width: RunView) -> Picture:
        def drawn() -> Picture:
            figure = flow_figure(
                calls,
                setup,
                width=at_width.width,
                height=_FLOW,
                selected=number,
                states=call_states(steps, step.number),
            )
            return picture(figure, f"steps-{at_width.width}")

        return at_width.remembered("step_flow", drawn, number)

    def clicked(mark: Sequence[Any]) -> None:
        kind, clicked_number = mark[:2]
        if kind in ("call", "answer"):
            call_detail.select(int(clicked_number))
            for any_step in steps:
                if any(call.number == clicked_number for call in any_step.calls):
                    stepping.go(any_step.number)

    def ends(width: int) -> tuple[int, int, float, float]:
        left, right = margins_at(width)
        half = 0.5 / len(steps)
        if step.shape == "list":
            return left, right, half, 1 - half
        return left, right, 0.0, min(1.0, _LEVEL * (len(steps) - 1) / (width - left - right))

    alt = view.remembered("step_flow alt", lambda: flow_alt(calls, setup))
    return _StepsPicture(make, alt, clicked, ends)


def _budget(view: RunView, number: int) -> None:
    row = view.row(view.run.calls[number - 1])
    call_bar(view, row, "step_bar", budget_alt([row]))
    legend([row])
