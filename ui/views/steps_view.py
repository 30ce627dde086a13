"""The view Steps: all steps as a figure, the texts of the one that is shown, and its choice."""

import re
from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

import streamlit as st

from synth.pictures.budget import budget_row
from synth.pictures.flow import flow_margins, flow_of, flow_picture
from synth.pictures.shapes import Click, Picture
from synth.pictures.steps import LEFT, RIGHT, step_columns, steps_picture
from synth.pictures.walk import Step, call_states, steps_of
from synth.runs.trace import Trace
from synth.words.sentences import step_sentence
from ui.look import scripts
from ui.look.elements import sentence
from ui.look.scripts import Clicked
from ui.runs.job import Job
from ui.session import keys
from ui.views import call_detail, step_texts
from ui.views.run_views import call_bar, draw_sized, drawable, legend, remembered

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


def draw(trace: Trace, job: Job, widths: Sequence[int]) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call."""
    steps = remembered(trace, "steps", lambda: steps_of(trace))
    step = steps[current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_sentence(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            controls(step.number, step.total)
    number = _open_call(trace, step)
    with st.container(key="steps_and_slider"):
        if drawable(trace):
            chain = step.shape == "chain"
            shown = _chain(steps, step) if chain else _flow(trace, steps, step, number)
            draw_sized(trace, "step_figure", shown.make, shown.number, shown.clicked, widths)
            st.html(f"<style>{_slider_css(widths, shown.ends)}</style>")
        slider(step.number, step.total)
    step_texts.draw(trace, job, step, number)
    row = budget_row(trace, trace.calls[number - 1])
    call_bar(row, "step_bar", widths)
    legend([row])


def _open_call(trace: Trace, step: Step) -> int:
    """The call of this step whose texts are shown: the open one if it is among them."""
    numbers = [call.number for call in step.calls]
    number = call_detail.selected(trace)
    return number if number in numbers else numbers[0]


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

    return _StepsPicture(make, step.number, lambda click: go(int(click[1])), ends)


def _flow(trace: Trace, steps: list[Step], step: Step, number: int) -> _StepsPicture:
    data = remembered(trace, "flow data", lambda: flow_of(trace))

    def make(width: int) -> Picture:
        states = call_states(steps, step.number)
        return flow_picture(data, width, height=_FLOW, selected=number, states=states)

    def clicked(click: Click) -> None:
        kind, clicked_number = click
        if kind in ("call", "answer"):
            call_detail.select(int(clicked_number))
            for any_step in steps:
                if any(call.number == clicked_number for call in any_step.calls):
                    go(any_step.number)

    def ends(width: int) -> tuple[int, int, float, float]:
        left, right = flow_margins(width)
        half = 0.5 / len(steps)
        if step.shape == "list":
            return left, right, half, 1 - half
        return left, right, 0.0, min(1.0, _LEVEL * (len(steps) - 1) / (width - left - right))

    return _StepsPicture(make, number, clicked, ends)


_NUMBER = re.compile("[0-9]{1,9}")
_SLIDER = "step on the slider"
_PACE = 1.5  # seconds a step is shown while the run plays


def current(total: int) -> int:
    """The number of the step that is shown: the session's, else the URL's, else the first."""
    chosen = str(st.session_state.get(keys.STEP, st.query_params.get(keys.STEP, "1")))
    number = max(1, min(int(chosen) if _NUMBER.fullmatch(chosen) else 1, total))
    st.session_state[keys.STEP] = number
    if st.query_params.get(keys.STEP) != str(number):
        st.query_params[keys.STEP] = str(number)
    return number


def go(number: int) -> None:
    """Show a step, and stop playing."""
    st.session_state[keys.STEP] = number
    pause()


def pause() -> None:
    """Stop playing at the step that is shown."""
    st.session_state[keys.PLAYING] = False


def controls(number: int, total: int) -> None:
    """The buttons Previous step, Play or Pause, and Next step."""
    playing = bool(st.session_state.get(keys.PLAYING)) and number < total
    st.button(
        "Previous step",
        icon=":material/chevron_left:",
        shortcut="Left",
        disabled=number == 1,
        on_click=_move,
        args=(-1,),
        key="step_back",
    )
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        disabled=total == 1,
        on_click=_play,
        args=(not playing, number == total),
        key="step_play",
    )
    st.button(
        "Next step",
        icon=":material/chevron_right:",
        shortcut="Right",
        disabled=number == total,
        on_click=_move,
        args=(1,),
        key="step_on",
    )
    scripts.free_the_arrows()
    if playing:
        st.fragment(_tick, run_every=_PACE)(total)


def slider(number: int, total: int) -> None:
    """The slider over all steps, if there are several."""
    if total == 1:
        return
    st.session_state[_SLIDER] = number
    with st.container(key="step_slider"):
        st.slider("Step", 1, total, key=_SLIDER, label_visibility="collapsed", on_change=_slid)


def _slid() -> None:
    go(st.session_state[_SLIDER])


def _move(by: int) -> None:
    """Move from the step in the session, so that keys pressed before a redraw all count."""
    go(st.session_state[keys.STEP] + by)


def _play(on: bool, again: bool) -> None:
    """Start or stop playing; with `again`, from the first step."""
    if again:
        st.session_state[keys.STEP] = 1
    st.session_state[keys.PLAYING] = on
    st.session_state[keys.TICKED] = monotonic()


def _tick(total: int) -> None:
    """Show the next step if it is time; the fragment also runs whenever the page is drawn."""
    if monotonic() - st.session_state[keys.TICKED] < _PACE * 0.8:
        return
    st.session_state[keys.TICKED] = monotonic()
    st.session_state[keys.STEP] += 1
    st.session_state[keys.PLAYING] = st.session_state[keys.STEP] < total
    st.rerun()
