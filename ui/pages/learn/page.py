"""The Learn page: the list of lessons, a lesson, its picture, and a switch of stages."""

from typing import cast

import streamlit as st

from synth.html.markup import tag
from synth.text.wording import counted
from ui.look.elements import box, lead, section, small
from ui.pages.learn import lesson_state, predict, reveal, step, teacher
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson
from ui.pages.learn.location import LessonLocation, Stage, stage_label, start

_DRAW = {
    "predict": (predict.draw_text, predict.draw_prediction),
    "step": (step.draw_text, step.draw_chunks),
    "reveal": (reveal.draw_text, reveal.draw_pictures),
}
_SWITCH = "learn_stage"


def draw() -> None:
    """The lesson, exercise and stage that the address names."""
    location, notes = lesson_state.current()
    lesson_state.note_done(location)
    facts = lesson_state.facts_at(location)
    if notes:
        box("Not all of this address could be read.", " ".join(notes))
    draw_text, draw_picture = _DRAW[location.stage]
    with lead():
        _title(location)
        teacher.draw(location)
    with st.container(key="two_learn"):
        left, right = st.columns([5, 7], gap="large")
    with left:
        _words(location)
        _switch(location)
        draw_text(location, facts)
    with right:
        draw_picture(location, facts)
    if location.stage == "step":
        step.draw_call_texts(location, facts)
    _draw_list(location)


def _title(location: LessonLocation) -> None:
    """The title, where it stands among the lessons, how long it takes, and its stages."""
    told = [
        f"Lesson {location.number} of {len(LESSONS)}",
        *([f"exercise {location.seed:,}"] if location.seed else []),
        counted(lesson_state.minutes_at(location), "minute"),
        ", ".join(location.stages),
    ]
    place = tag("span.muted.num", " · ".join(told))
    st.html(tag("div.lesson.title", tag("h1", location.lesson.title), place))


def _words(location: LessonLocation) -> None:
    """What the lesson is for, and its text."""
    lesson = location.lesson
    aim = tag("p", tag("b", "Aim"), f"\N{EN SPACE}After it you can say {lesson.aim}")
    st.html(tag("div.lesson.aim", aim) + tag("div.lesson", tag("p", lesson.text)))
    if lesson.answers_from:
        small(lesson.answers_from)


def _switch(location: LessonLocation) -> None:
    if len(location.stages) < 2:
        return
    st.session_state[_SWITCH] = location.stage
    st.segmented_control(
        "Stage",
        location.stages,
        required=True,
        format_func=lambda stage: stage_label(cast(Stage, stage)),
        label_visibility="collapsed",
        key=_SWITCH,
        on_change=lambda: lesson_state.go(lesson_state.latest().at(st.session_state[_SWITCH])),
    )


_DONE_ICON, _CURRENT_ICON, _OPEN_ICON = (
    ":material/check_circle:",
    ":material/radio_button_checked:",
    ":material/radio_button_unchecked:",
)


def _draw_list(location: LessonLocation) -> None:
    """The list, unless the address hides it."""
    if "lessons" in location.hidden:
        return
    done = lesson_state.lessons_done()
    lessons = location.lessons
    count = sum(lesson.key in done for lesson in lessons)
    with st.sidebar:
        section(f"Lessons · {count} of {len(lessons)} done")
        st.progress(count / len(lessons))
        with st.container(key="lessons", gap=None):
            for lesson in lessons:
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
        args=(start(lesson, of=location),),
    )
