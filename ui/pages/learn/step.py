"""The second stage: the run, step by step, and its picture up to the step that is shown."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.pictures.walk import Step, call_states, steps_of
from synth.words.sentences import step_words
from ui.look.elements import error_box, section
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons.lesson import LessonFacts
from ui.pages.learn.location import LessonLocation
from ui.views import step_texts, steps_view
from ui.views.run_views import call_bar, draw_picture, remembered


def draw(location: LessonLocation, facts: LessonFacts) -> None:
    """Draw a step of the run: its sentence, the picture up to it, its budget and its texts."""
    trace = facts.trace
    steps = remembered(trace, "steps", lambda: steps_of(trace))
    step = steps[steps_view.current(len(steps)) - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.html(sentence_html(step_words(step)), width="stretch")
        with st.container(horizontal=True, width="content", key="lesson_steps"):
            steps_view.controls(step.number, step.total)
        st.button(
            "Reveal",
            type="primary",
            icon=":material/visibility:",
            on_click=lesson_state.go,
            args=(location.at("reveal"),),
            key="to_reveal",
        )
    if trace.error and step.number == step.total:
        error_box("The run ends here.", trace.error)
    number = _chosen_call(step)
    selected = number if len(step.calls) == 1 else None
    states = call_states(steps, step.number)
    draw_picture(trace, "lesson_flow", states=states, selected=selected)
    with st.container(key="lesson_texts"):
        step_texts.draw(trace, None, step.call(number))
    if selected is not None:
        section(f"Budget of call {selected}, in tokens")
        call_bar(trace, selected, "step_bar")


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
