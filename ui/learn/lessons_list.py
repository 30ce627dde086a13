"""The sidebar: which lessons there are, which are done, and a link for a class."""

from __future__ import annotations

import streamlit as st

from ui.learn import here, progress, teacher
from ui.learn.place import Place, start
from ui.lessons import LESSONS
from ui.lessons.lesson import Lesson
from ui.look.elements import section

_DONE, _CURRENT, _OPEN = (
    ":material/check_circle:",
    ":material/radio_button_checked:",
    ":material/radio_button_unchecked:",
)


def draw(place: Place) -> None:
    """All of it, unless a teacher's link hides it."""
    if "lessons" in place.hidden:
        return
    done = progress.done()
    count = sum(lesson.key in done for lesson in LESSONS)
    with st.sidebar:
        section(f"Lessons · {count} of {len(LESSONS)} done")
        st.html(_bar(count, len(LESSONS)))
        with st.container(key="lessons", gap=None):
            for lesson in LESSONS:
                _link(lesson, place, lesson.key in done)
        teacher.draw(place)


def _bar(count: int, total: int) -> str:
    return (
        f'<div class="done-bar" role="progressbar" aria-label="Lessons done" aria-valuemin="0"'
        f' aria-valuemax="{total}" aria-valuenow="{count}">'
        f'<i style="width:{100 * count / total:.0f}%"></i></div>'
    )


def _link(lesson: Lesson, place: Place, done: bool) -> None:
    """A lesson by its sign: done, current or open. A click begins it."""
    current = lesson is place.lesson
    st.button(
        lesson.title,
        icon=_CURRENT if current else _DONE if done else _OPEN,
        type="secondary" if current else "tertiary",
        key=f"lesson {lesson.key}",
        on_click=here.go,
        args=(start(lesson, hidden=place.hidden),),
    )
