"""The Learn page: the list of lessons, and a lesson at one of its stages."""

from functools import partial
from typing import cast

import streamlit as st

from synth.html.markup import tag
from ui.look.elements import error_box, lead, section
from ui.pages.learn import classroom, predict, reveal
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson
from ui.pages.learn.location import (
    STAGES,
    LessonLocation,
    Stage,
    current,
    go,
    latest,
    lessons_done,
    note_done,
    stage_label,
    start,
)
from ui.views import steps_view

_SWITCH = "learn_stage"
_DONE_ICON, _CURRENT_ICON, _OPEN_ICON = (
    ":material/check_circle:",
    ":material/radio_button_checked:",
    ":material/radio_button_unchecked:",
)


def draw() -> None:
    """Draw the lesson, exercise and stage that the address names."""
    location = current()
    note_done(location)
    with lead():
        _draw_title(location)
        if st.button("With a class", icon=":material/groups:", type="tertiary", key="with_class"):
            classroom.open_for(location)
        # `ui/look/page.js` has the browser print.
        st.button("Print", icon=":material/print:", type="tertiary", key="print")
    _draw_switch(location)
    if location.stage == "predict":
        predict.draw(location)
    elif location.stage == "step":
        _draw_steps(location)
    else:
        reveal.draw(location)
    _draw_list(location)


def _draw_title(location: LessonLocation) -> None:
    """Draw the title, where it stands among the lessons, and what one can say after it."""
    exercise = f" · exercise {location.seed:,}" if location.seed else ""
    place = f"Lesson {location.number} of {len(LESSONS)}{exercise}"
    title = tag("h1", location.lesson.words.title), tag("span.muted.num", place)
    aim = tag("span.muted", f"After it you can say {location.lesson.words.aim}")
    st.html(tag("div.lesson.title", *title, aim), width="stretch")


def _draw_switch(location: LessonLocation) -> None:
    st.session_state[_SWITCH] = location.stage
    st.segmented_control(
        "Stage",
        STAGES,
        required=True,
        format_func=lambda stage: stage_label(cast(Stage, stage)),
        label_visibility="collapsed",
        key=_SWITCH,
        on_change=lambda: go(latest().at(st.session_state[_SWITCH])),
    )


def _draw_list(location: LessonLocation) -> None:
    done = lessons_done()
    count = sum(lesson.key in done for lesson in LESSONS)
    with st.sidebar:
        section(f"Lessons · {count} of {len(LESSONS)} done")
        st.progress(count / len(LESSONS))
        with st.container(key="lessons", gap=None):
            for lesson in LESSONS:
                _draw_lesson_button(lesson, location, lesson.key in done)


def _draw_lesson_button(lesson: Lesson, location: LessonLocation, done: bool) -> None:
    """Draw a lesson with an icon for done, current or open; a click begins it."""
    current = lesson is location.lesson
    st.button(
        lesson.words.title,
        icon=_CURRENT_ICON if current else _DONE_ICON if done else _OPEN_ICON,
        type="secondary" if current else "tertiary",
        key=f"lesson {lesson.key}",
        width="stretch",
        on_click=go,
        args=(start(lesson),),
    )


def _draw_steps(location: LessonLocation) -> None:
    """Draw the steps of the run, with the button that goes on to the solution."""
    trace = location.facts.trace
    steps_view.draw(trace, way_on=partial(_draw_way_on, location))
    if trace.error:
        error_box("The run ended early.", trace.error)


def _draw_way_on(location: LessonLocation) -> None:
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=go,
        args=(location.at("reveal"),),
        key="to_reveal",
    )
