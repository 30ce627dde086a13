"""The sidebar of the Learn page: the lessons, those that are done, and a link for a class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from ui.learn import lesson_state
from ui.learn.location import HIDEABLE, Hideable, LessonLocation, start
from ui.lessons import LESSONS
from ui.lessons.lesson import Lesson
from ui.look.elements import section, small
from ui.session import keys

_DONE_ICON, _CURRENT_ICON, _OPEN_ICON = (
    ":material/check_circle:",
    ":material/radio_button_checked:",
    ":material/radio_button_unchecked:",
)
_PART_LABELS: Mapping[Hideable, str] = {
    "lessons": "The list of lessons",
    "step": "Step",
    "reveal": "Reveal",
    "control": "Change one thing",
    "playground": "Open in the Playground",
}


def draw(location: LessonLocation) -> None:
    """The list and the teacher's link, unless the address hides them."""
    if "lessons" in location.hidden:
        return
    done = lesson_state.lessons_done()
    count = sum(lesson.key in done for lesson in LESSONS)
    with st.sidebar:
        section(f"Lessons · {count} of {len(LESSONS)} done")
        st.html(_progress_bar(count, len(LESSONS)))
        with st.container(key="lessons", gap=None):
            for lesson in LESSONS:
                _lesson_button(lesson, location, lesson.key in done)
        _teachers_link(location)


def _progress_bar(count: int, total: int) -> str:
    return (
        f'<div class="done-bar" role="progressbar" aria-label="Lessons done" aria-valuemin="0"'
        f' aria-valuemax="{total}" aria-valuenow="{count}">'
        f'<i style="width:{100 * count / total:.0f}%"></i></div>'
    )


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


def _teachers_link(location: LessonLocation) -> None:
    """A link that opens this screen for a class, and checkboxes for the parts that it hides."""
    with st.expander("Copy a teacher's link", icon=":material/school:", key="teacher"):
        small("Hide these parts")
        hidden = [
            name
            for name in HIDEABLE
            if st.checkbox(_PART_LABELS[name], name in location.hidden, key=f"hide {name}")
        ]
        step = st.session_state.get(keys.STEP)
        address = (st.context.url or "").partition("?")[0]
        st.code(
            f"{address}?{urlencode(linked_params(location, hidden, step))}",
            language=None,
            wrap_lines=True,
        )
        small("The link opens this exercise as you see it. It does not contain your answers.")


def linked_params(
    location: LessonLocation, hidden: Iterable[Hideable], step: int | None
) -> dict[str, str]:
    """The parameters of a link to this location; a hidden stage becomes the last one before it."""
    target = replace(location, hidden=frozenset(hidden)).at(location.stage)
    if step is None or target.stage != "step":
        return target.params()
    return target.params() | {keys.STEP: str(step)}
