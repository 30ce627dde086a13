"""The third stage: the answer, the mistake in the guess, the sums, and one thing to change."""

from dataclasses import replace
from random import randint
from typing import Any

import streamlit as st

from synth.html.markup import tag
from ui.controls import handover
from ui.look.elements import error_box, section, small
from ui.pages.learn import lesson_state, teacher
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson, LessonFacts, Reveal
from ui.pages.learn.location import LAST_SEED, LessonLocation, start, value_label
from ui.pages.learn.predict import sums_html
from ui.session import workspace


def draw_text(location: LessonLocation, facts: LessonFacts) -> None:
    """The answer, its sums, a remark, the control, and the buttons to go on."""
    if facts.high.problem and not facts.high.calls:
        error_box("This can't run.", facts.high.problem)
    else:
        reveal = location.lesson.reveal(facts)
        head = " ".join(filter(None, (reveal.head, _verdict(location, facts, reveal))))
        st.html(tag("div.lesson", tag("h2", head), role="status"))
        st.html(sums_html(reveal.sums, "The sums"))
        st.html(tag("div.lesson", tag("p", reveal.remark)))
    if location.group:
        teacher.draw_class(location)
    with st.container(key="not_printed"):
        if "control" not in location.hidden:
            _change_one_thing(location)
        _next_buttons(location, facts)


def _verdict(location: LessonLocation, facts: LessonFacts, reveal: Reveal) -> str:
    """A sentence about the prediction; empty if there was none."""
    guess = lesson_state.guess_at(location)
    if guess is None:
        return ""
    if guess == location.lesson.question(facts).answer:
        return "That is what you said."
    return reveal.miss(guess)


def _change_one_thing(location: LessonLocation) -> None:
    """The control (a slider for numbers, pills for names), and a button that undoes the change."""
    control, values = location.lesson.control, location.values
    key = f"control {location.lesson.key} {location.seed}"
    section("Change one thing")
    st.session_state[key] = location.value
    options: dict[str, Any] = {"key": key, "on_change": _control_changed, "args": (location, key)}
    if all(_is_number(value) for value in values):
        st.select_slider(control.label, values, format_func=value_label, **options)
    else:
        st.pills(
            control.label, values, required=True, format_func=value_label, wrap=True, **options
        )
    if location.changed:
        original = start(location.lesson, location.seed).value
        st.button(
            f"Back to {value_label(original)}",
            type="tertiary",
            icon=":material/undo:",
            on_click=_set_value,
            args=(location, original),
            key="control_back",
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _control_changed(location: LessonLocation, key: str) -> None:
    _set_value(location, st.session_state[key])


def _set_value(location: LessonLocation, value: Any) -> None:
    lesson_state.go(replace(location, value=value))


def _following(location: LessonLocation) -> Lesson | None:
    """The next lesson that is not done, from here on and then from the first; None if all are."""
    done = lesson_state.lessons_done() | {location.lesson.key}
    later = [lesson for lesson in LESSONS[location.number :] if lesson in location.lessons]
    ahead = (*later, *location.lessons)
    return next((lesson for lesson in ahead if lesson.key not in done), None)


def _next_buttons(location: LessonLocation, facts: LessonFacts) -> None:
    """What comes next, the button that goes there, another exercise, and the Playground."""
    following = None if "lessons" in location.hidden else _following(location)
    if following is not None:
        section(f"Next · lesson {LESSONS.index(following) + 1}")
        small(f"After it you can say {following.aim}")
    elif "lessons" not in location.hidden:
        small(f"That was the last one: all {len(location.lessons)} lessons are done.")
    with st.container(horizontal=True, vertical_alignment="center", key="ways_on"):
        if following is not None:
            title = following.title
            st.button(
                f"Next: {title[0].lower()}{title[1:]}",
                type="primary",
                icon=":material/arrow_forward:",
                icon_position="right",
                on_click=lesson_state.go,
                args=(start(following, of=location),),
                key="next_lesson",
            )
        st.button("Another like this", on_click=_open_another, args=(location,), key="another")
        if "playground" not in location.hidden:
            _playground_button(location, facts)


def _playground_button(location: LessonLocation, facts: LessonFacts) -> None:
    if st.button("Open in the Playground", type="tertiary", key="to_playground"):
        handover.put(facts.request, location.lesson.title)
        st.switch_page("app.py", query_params=workspace.address())


def _open_another(location: LessonLocation) -> None:
    """Open a random exercise of this lesson; its number is in the address, to be shared."""
    seed = randint(1, LAST_SEED)
    if seed == location.seed:
        seed = seed % LAST_SEED + 1
    lesson_state.go(start(location.lesson, seed, location))
