"""The sidebar of the Learn page: the lessons, and those that are done."""

from __future__ import annotations

import streamlit as st

from ui.learn import lesson_state
from ui.learn.location import LessonLocation, start
from ui.lessons import LESSONS
from ui.lessons.lesson import Lesson
from ui.look.elements import section

_DONE_ICON, _CURRENT_ICON, _OPEN_ICON = (
    ":material/check_circle:",
    ":material/radio_button_checked:",
    ":material/radio_button_unchecked:",
)


def draw(location: LessonLocation) -> None:
    """The list, unless the address hides it."""
    if "lessons" in location.hidden:
        return
    done = lesson_state.lessons_done()
    count = sum(lesson.key in done for lesson in LESSONS)
    with st.sidebar:
        section(f"Lessons · {count} of {len(LESSONS)} done")
        st.progress(count / len(LESSONS))
        with st.container(key="lessons", gap=None):
            for lesson in LESSONS:
                _lesson_button(lesson, location, lesson.key in done)


def _lesson_button(lesson: Lesson, location: LessonLocation, done: bool) -> None:
    """A lesson with an icon for done, current or open; a click begins it."""
    current = lesson is location.lesson
    st.button(
        lesson.title,
        icon=_CURRENT_ICON if current else _DONE_ICON if done else _OPEN_ICON,
        type="secondary" if current else "tertiary",
        key=f"lesson {lesson.key}",
        on_click=lesson_state.go,
        args=(start(lesson, hidden=location.hidden),),
    )
