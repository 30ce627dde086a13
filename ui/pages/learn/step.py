"""The second stage: the run, step by step, and its picture up to the step that is shown."""

from functools import partial

import streamlit as st

from ui.look.elements import error_box
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons.lesson import LessonFacts
from ui.pages.learn.location import LessonLocation
from ui.views import steps_view


def draw(location: LessonLocation, facts: LessonFacts) -> None:
    """Draw the steps of the run, with the button that goes on to the solution."""
    steps_view.draw(facts.trace, way_on=partial(_draw_way_on, location))
    if facts.trace.error:
        error_box("The run ended early.", facts.trace.error)


def _draw_way_on(location: LessonLocation) -> None:
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=lesson_state.go,
        args=(location.at("reveal"),),
        key="to_reveal",
    )
