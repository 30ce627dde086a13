"""The view Steps: the figure of all steps, below it a slider, and the texts of one step."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from synth.pictures.flow import flow_data, flow_margins, flow_picture
from synth.pictures.shapes import Click, Picture
from synth.pictures.steps import LEFT, RIGHT, step_columns, steps_picture
from synth.pictures.walk import Step, call_states, steps_of
from synth.runs.trace import Trace
from synth.words.sentences import step_sentence
from ui.look.elements import sentence
from ui.look.scripts import Clicked
from ui.runs.job import Job
from ui.views import call_detail, step_texts, stepping
from ui.views.run_views import RunView, call_bar, draw_sized, drawable, legend

_CHAIN, _FLOW = 210, 230  # pixels of height, so that a step fits on a screen
_THUMB = 6  # pixels by which the thumb of a slider stands beyond its line
_LEVEL = 160  # pixels on the slider from one level to the next


class _StepsPicture(NamedTuple):
    """The picture of all steps at a width, for the step or call of a number, and what a click does.

    `ends` has, for a width, the margins in pixels and the shares of the rest at which the first
    and the last step stand.
    """

    make: Callable[[int], Picture]
    number: int
    clicked: Clicked
    ends: Callable[[int], tuple[int, int, float, float]]


def draw(view: RunView, job: Job | None) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call.

    With the job of the run, its answers can be used and edited; without it they are only shown.
    """
    trace = view.run
    assert isinstance(trace, Trace)
    steps = view.remembered("steps", lambda: steps_of(trace))
    step = steps[stepping.current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_sentence(step, about=any(one.to_come for one in steps)))
        with st.container(horizontal=True, width="content", key="step_controls"):
            stepping.controls(step.number, step.total)
    number = _open_call(view, step)
    with st.container(key="steps_and_slider"):
        if drawable(view):
            chain = step.shape == "chain"
            _picture(view, _chain(steps, step) if chain else _flow(view, steps, step, number))
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
    draw_sized(view, "step_figure", shown.make, shown.number, shown.clicked)
    st.html(f"<style>{_slider_css(view.widths, shown.ends)}</style>")


def _slider_css(widths: Sequence[int], ends: Callable[[int], tuple[int, int, float, float]]) -> str:
    """The rules that put the ends of the slider under the first and the last step of a picture.

    They go with the picture that is seen; the container of both is asked for its width.
    """
    rules, wider = [], ""
    for width in widths:
        left, right, first, last = ends(width)
        drawn = f"(100% - {left + right}px)"
        padding = (
            f"padding-left: calc({left}px + {drawn} * {first:.4f} - {_THUMB}px);"
            f" padding-right: calc({right}px + {drawn} * {1 - last:.4f} - {_THUMB}px);"
        )
        least = f"(width >= {width}px)" if width != widths[-1] else "(width >= 0px)"
        rules.append(f"@container {least}{wider} {{ .st-key-step_slider {{ {padding} }} }}")
        wider = f" and (width < {width}px)"
    return "\n".join(rules)


def _chain(steps: list[Step], step: Step) -> _StepsPicture:
    def make(width: int) -> Picture:
        return steps_picture(steps, width, step.number, _CHAIN)

    def ends(width: int) -> tuple[int, int, float, float]:
        return LEFT, RIGHT, *step_columns(steps, width).ends

    return _StepsPicture(make, step.number, _to_step, ends)


def _to_step(click: Click) -> None:
    stepping.go(int(click[1]))


def _flow(view: RunView, steps: list[Step], step: Step, number: int) -> _StepsPicture:
    data = view.remembered(
        "flow data", lambda: flow_data(view.run.calls, view.run.setup, view.run.unread)
    )

    def make(width: int) -> Picture:
        states = call_states(steps, step.number)
        return flow_picture(data, width, height=_FLOW, selected=number, states=states)

    def clicked(click: Click) -> None:
        kind, clicked_number = click
        if kind in ("call", "answer"):
            call_detail.select(int(clicked_number))
            for any_step in steps:
                if any(call.number == clicked_number for call in any_step.calls):
                    stepping.go(any_step.number)

    def ends(width: int) -> tuple[int, int, float, float]:
        left, right = flow_margins(width)
        half = 0.5 / len(steps)
        if step.shape == "list":
            return left, right, half, 1 - half
        return left, right, 0.0, min(1.0, _LEVEL * (len(steps) - 1) / (width - left - right))

    return _StepsPicture(make, number, clicked, ends)


def _budget(view: RunView, number: int) -> None:
    row = view.row(view.run.calls[number - 1])
    call_bar(view, row, "step_bar")
    legend([row])
