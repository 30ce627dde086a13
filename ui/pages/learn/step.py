"""The second stage: the run, step by step, and the flow up to the step that is shown."""

import streamlit as st

from synth.pictures.walk import Step, call_states, steps_of
from synth.runs.trace import Trace
from synth.words.sentences import step_sentence
from ui.look.elements import error_box, section, sentence
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons.lesson import LessonFacts
from ui.pages.learn.location import LessonLocation
from ui.views import step_texts, steps_view
from ui.views.run_views import call_bar, draw_picture, remembered


def draw_text(location: LessonLocation, facts: LessonFacts) -> None:
    """A sentence about this step, buttons to the other steps, and one to the reveal."""
    step = _current(_steps(facts.trace))
    sentence(step_sentence(step))
    with st.container(horizontal=True, key="lesson_steps"):
        steps_view.controls(step.number, step.total)
    if "reveal" not in location.hidden:
        st.button(
            "Reveal",
            type="primary",
            icon=":material/visibility:",
            on_click=lesson_state.go,
            args=(location.at("reveal"),),
            key="to_reveal",
        )
    if facts.trace.error and step.number == step.total:
        error_box("The run ends here.", facts.trace.error)


def draw_chunks(location: LessonLocation, facts: LessonFacts) -> None:
    """The chunks of each call up to this step, and the budget if the step is a single call."""
    steps = _steps(facts.trace)
    step = _current(steps)
    states = call_states(steps, step.number)
    selected = step.calls[0].number if len(step.calls) == 1 else None
    section("Which chunk goes into which call")
    draw_picture(facts.trace, "lesson_flow", states=states, selected=selected)
    if selected is not None:
        section(f"Budget of call {selected}, in tokens")
        call_bar(facts.trace, selected, "step_bar")


def draw_call_texts(location: LessonLocation, facts: LessonFacts) -> None:
    """The prompt and the answer of each call in the step."""
    step = _current(_steps(facts.trace))
    with st.container(key="lesson_texts"):
        step_texts.draw(facts.trace, None, step, _chosen_call(step))


def _chosen_call(step: Step) -> int:
    """The number of the call of a level that is read."""
    numbers = [call.number for call in step.calls]
    if len(numbers) == 1:
        return numbers[0]
    return st.pills(
        "Call to read",
        numbers,
        default=numbers[0],
        required=True,
        wrap=True,
        key=f"read {step.number}",
    )


def _steps(trace: Trace) -> list[Step]:
    return remembered(trace, "steps", lambda: steps_of(trace))


def _current(steps: list[Step]) -> Step:
    return steps[steps_view.current(len(steps)) - 1]
