"""How many of a class gave which answer first: counted without a name, for a day.

A teacher's link has the code of a class. Who opens it needs no account, so what is counted is the
first answer of each workspace.
"""

from hashlib import sha256

import streamlit as st

from synth.html.markup import pairs
from synth.text.wording import counted
from ui.history import usage
from ui.history.history import history
from ui.history.problems import HistoryError
from ui.look.elements import error_box, section, small
from ui.pages.learn import lesson_state
from ui.pages.learn.lessons.lesson import Choice, LessonQuestion
from ui.pages.learn.location import LessonLocation, value_label

RULE = "the first answer of each workspace, without a name, until the day ends in UTC"


def count(location: LessonLocation, choice: Choice) -> None:
    """Count this answer for the class; a box says why it can't be."""
    at = _question(location).choices.index(choice)
    try:
        usage.note(history(), _whose(location), f"choice {at}")
    except HistoryError as problem:
        error_box("Your answer is not counted for the class.", str(problem))


def draw(location: LessonLocation) -> None:
    """Draw how many gave which answer."""
    question = _question(location)
    try:
        noted = usage.noted(history(), _whose(location))
    except HistoryError as problem:
        error_box("What the class said can't be read.", str(problem))
        return
    section(f"The class · {counted(sum(noted.values()), 'answer')}")
    st.html(
        pairs(
            (
                f"{value_label(choice)}{' ✓' * (choice == question.answer)}",
                counted(noted.get(f"choice {at}", 0), "answer"),
            )
            for at, choice in enumerate(question.choices)
        )
    )
    small(f"Counted is {RULE}.")


def _question(location: LessonLocation) -> LessonQuestion:
    return location.lesson.question(lesson_state.facts_at(location))


def _whose(location: LessonLocation) -> str:
    """What the answers of a class in this exercise are counted under."""
    return sha256(repr(("class", location.group, location.exercise)).encode()).hexdigest()
