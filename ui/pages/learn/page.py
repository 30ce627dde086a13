"""The Learn page: the list of lessons, and a lesson at one of its stages."""

import streamlit as st

from synth.html.markup import tag
from ui.look.elements import lead, section
from ui.pages.learn import classroom, stages
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.location import (
    STAGES,
    LessonLocation,
    current,
    go,
    latest,
    lessons_done,
    note_done,
    start,
)

_SWITCH = "learn_stage"


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
        stages.draw_predict(location)
    elif location.stage == "step":
        stages.draw_steps(location)
    else:
        stages.draw_reveal(location)
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
        format_func=lambda stage: f"{STAGES.index(stage) + 1} {stage.capitalize()}",
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
            for lesson in LESSONS:  # with an icon for the present one, done or open
                is_present = lesson is location.lesson
                icon = "radio_button_checked" if is_present else "radio_button_unchecked"
                if lesson.key in done and not is_present:
                    icon = "check_circle"
                st.button(
                    lesson.words.title,
                    icon=f":material/{icon}:",
                    type="secondary" if is_present else "tertiary",
                    key=f"lesson {lesson.key}",
                    width="stretch",
                    on_click=go,
                    args=(start(lesson),),
                )
