"""The view Steps: all steps as a figure, the texts of the one that is shown, and its choice."""

import re
from collections.abc import Callable
from time import monotonic

import streamlit as st

from synth.pictures.placement import STRIP
from synth.pictures.scene import Target
from synth.pictures.walk import Step, call_states, steps_of
from synth.runs.trace import Trace
from synth.words.sentences import step_words
from ui.look import scripts
from ui.look.elements import sentence
from ui.runs.job import Job
from ui.session import keys
from ui.views import call_detail, step_texts
from ui.views.run_views import draw_picture, remembered


def draw(trace: Trace, job: Job | None = None, way_on: Callable[[], object] | None = None) -> None:
    """Draw all steps with the chosen one marked, its texts, and the budget of its call.

    With the `job` its answers can be edited. `way_on` draws a button beside those of the steps.
    """
    steps = remembered(trace, "steps", lambda: steps_of(trace))
    step = steps[current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="step_head"):
        sentence(step_words(step))
        with st.container(horizontal=True, width="content", key="step_controls"):
            controls(step.number, step.total)
        if way_on is not None:
            way_on()
    call = step.call(call_detail.read_open_call(trace))
    with st.container(key="steps_and_slider"):
        _draw_steps(trace, steps, step, call.number)
        slider(step.number, step.total)
    step_texts.draw(trace, job, call)


def _draw_steps(trace: Trace, steps: list[Step], step: Step, number: int) -> None:
    """Draw the run so far, with what the open call reads; a click goes to the step of a call."""

    def clicked(target: Target) -> None:
        kind, clicked_number = target
        for any_step in steps:
            if kind == "call" and any(call.number == clicked_number for call in any_step.calls):
                call_detail.open_call(clicked_number)
                go(any_step.number)

    states = call_states(steps, step.number)
    draw_picture(trace, "steps", states=states, selected=number, clicked=clicked, size=STRIP)


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
