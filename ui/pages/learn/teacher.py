"""What a teacher takes along: a link that opens this exercise for a class, the page on paper.

How many of the class gave which answer first is counted without a name, for a day. The link has the
code of a class. Who opens it needs no account, so what is counted is the first answer of each
workspace.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from secrets import token_hex
from typing import cast

import streamlit as st

from synth.html.markup import pairs
from synth.text.wording import counted
from ui.look.elements import error_box, section, small
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Choice, Lesson
from ui.pages.learn.location import (
    HIDEABLE,
    Hideable,
    LessonLocation,
    Stage,
    stage_label,
    value_label,
)
from ui.session import keys, workspace
from ui.store import counts
from ui.store.errors import StoreError
from ui.store.store import current_store

_PART_LABELS: Mapping[Hideable, str] = {
    "lessons": "The list of lessons",
    "step": "Step",
    "reveal": "Reveal",
    "control": "Change one thing",
    "playground": "Open in the Playground",
}
_COUNTED = "the first answer of each workspace, without a name, until the day ends in UTC"


def draw(location: LessonLocation) -> None:
    """Draw the button that prints the page (ui/look/page.js), and the one that opens the link."""
    st.button(
        "Print this stage",
        icon=":material/print:",
        help="Opens the print dialog of the browser. Predict is the exercise with its numbers,"
        " Reveal its solution.",
        key="print",
    )
    with st.popover("Teacher's link", icon=":material/link:", key="teacher"):
        _link(location)


def _link(location: LessonLocation) -> None:
    """The link to copy, what it holds, and what can be set in it."""
    small(
        "Everybody who opens this link gets this very exercise, with the same chunks and numbers:"
        f" lesson {location.number}, exercise {location.seed:,}. The link holds no answers, no"
        " progress and nothing of your own texts."
    )
    others = [lesson for lesson in LESSONS if lesson is not location.lesson]
    chosen = st.multiselect(
        "Lessons that follow it",
        others,
        [lesson for lesson in location.lessons if lesson in others] if location.is_set else [],
        format_func=lambda lesson: lesson.title,
        placeholder="All of them",
        key=f"lessons of {location.exercise}",
    )
    stage = st.segmented_control(
        "It opens at",
        location.stages,
        default=location.stages[0],
        required=True,
        format_func=lambda stage: stage_label(cast(Stage, stage)),
        key=f"opens at {location.exercise}",
    )
    counts = st.checkbox(
        "Count the answers of the class",
        bool(location.group),
        help=f"Reveal shows whoever has the link how many gave which answer: {_COUNTED}.",
        key="count the class",
    )
    small("Hide these parts")
    hidden = [
        name
        for name in HIDEABLE
        if st.checkbox(_PART_LABELS[name], name in location.hidden, key=f"hide {name}")
    ]
    group = location.group or st.session_state.setdefault(keys.CLASS, token_hex(4))
    step = st.session_state.get(keys.STEP)
    opened = replace(
        location,
        stage=stage,
        lessons=_lessons(location.lesson, chosen),
        group=group if counts else "",
    )
    url = workspace.page_url(linked_params(opened, hidden, step))
    st.code(url, language=None, wrap_lines=True)
    duration = counted(lesson_state.minutes_at(location), "minute")
    small(f"It takes about {duration}. {lesson_state.RULE}")


def _lessons(first: Lesson, others: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """The lessons of the link in their order; all of them where no others are chosen."""
    linked = {first.key, *(lesson.key for lesson in others)}
    return tuple(lesson for lesson in LESSONS if lesson.key in linked or len(linked) == 1)


def linked_params(
    location: LessonLocation, hidden: Iterable[Hideable], step: int | None
) -> dict[str, str]:
    """The parameters of a link to this location; a hidden stage becomes the last one before it."""
    target = replace(location, hidden=frozenset(hidden)).at(location.stage)
    if step is None or target.stage != "step":
        return target.params()
    return target.params() | {keys.STEP: str(step)}


def count(location: LessonLocation, choice: Choice) -> None:
    """Count this answer for the class; a box says why it can't be."""
    at = lesson_state.task_at(location).choices.index(choice)
    try:
        with current_store().write() as connection:
            counts.add(connection, _whose(location), f"choice {at}", 1)
    except StoreError as problem:
        error_box("Your answer is not counted for the class.", str(problem))


def draw_class(location: LessonLocation) -> None:
    """Draw how many gave which answer."""
    task = lesson_state.task_at(location)
    try:
        noted = counts.counted_today(current_store(), _whose(location))
    except StoreError as problem:
        error_box("What the class said can't be read.", str(problem))
        return
    section(f"The class · {counted(int(sum(noted.values())), 'answer')}")
    st.html(
        pairs(
            (
                f"{value_label(choice)} ✓" if choice == task.answer else value_label(choice),
                counted(int(noted.get(f"choice {at}", 0)), "answer"),
            )
            for at, choice in enumerate(task.choices)
        )
    )
    small(f"Counted is {_COUNTED}.")


def _whose(location: LessonLocation) -> str:
    """What the answers of a class in this exercise are counted under."""
    return sha256(repr(("class", location.group, location.exercise)).encode()).hexdigest()
