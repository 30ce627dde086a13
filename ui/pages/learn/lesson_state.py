"""The location of this tab in the lessons, and the predictions that were made in them.

The location is in the address. The workspace keeps it too, with the predictions and the finished
lessons, so that they outlive a reload.
"""

from collections.abc import Mapping
from math import ceil

import streamlit as st

from synth.pictures.walk import steps_of
from synth.text.words import split_words
from ui.pages.learn.lessons.lesson import Choice, LessonFacts, Task
from ui.pages.learn.location import PARAMS, LessonLocation, Notes, read
from ui.session import keys, workspace
from ui.views import steps_view

Guesses = Mapping[tuple[str, int, str], Choice]


def current() -> tuple[LessonLocation, Notes]:
    """The location in the address, else the latest one, with notes on a faulty address.

    The address is corrected.
    """
    params = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    location, notes = read(params or workspace.value(keys.LESSON, {}))
    _save(location)
    return location, notes


def latest() -> LessonLocation:
    """The location that was opened last; the page may still show the one before."""
    return read(workspace.value(keys.LESSON, {}))[0]


def go(location: LessonLocation) -> None:
    """Go to another location; for callbacks. Another exercise begins at its first step."""
    if latest().exercise != location.exercise:
        steps_view.go(1)
    _save(location)


def _save(location: LessonLocation) -> None:
    params = location.params()
    workspace.current().values[keys.LESSON] = params
    outdated = (*PARAMS, *(() if location.stage == "step" else (keys.STEP,)))
    for name in outdated:
        if name in st.query_params and name not in params:
            del st.query_params[name]
    for name, text in params.items():
        if st.query_params.get(name) != text:
            st.query_params[name] = text


def facts_at(location: LessonLocation) -> LessonFacts:
    """The facts of the exercise, computed once."""
    return workspace.current().remembered(
        "facts", location.exercise, lambda: location.lesson.facts(location.request)
    )


def task_at(location: LessonLocation) -> Task:
    """The task of the exercise, computed once."""
    return workspace.current().remembered(
        "task", location.exercise, lambda: location.lesson.task(facts_at(location))
    )


def guess_at(location: LessonLocation) -> Choice | None:
    """The prediction that was made in this exercise."""
    guesses: Guesses = workspace.value(keys.GUESSES, {})
    return guesses.get(location.exercise)


def save_guess(location: LessonLocation, choice: Choice) -> None:
    """Keep a prediction; it replaces an earlier one."""
    values = workspace.current().values
    values[keys.GUESSES] = {**values.get(keys.GUESSES, {}), location.exercise: choice}


def lessons_done() -> frozenset[str]:
    """The keys of the lessons that were revealed after a prediction."""
    return workspace.value(keys.LESSONS_DONE, frozenset())


def note_done(location: LessonLocation) -> None:
    """Count the lesson as done if it is revealed and has a prediction."""
    if location.stage == "reveal" and guess_at(location) is not None:
        workspace.current().values[keys.LESSONS_DONE] = lessons_done() | {location.lesson.key}


WORDS_A_MINUTE = 180  # read with care, by somebody who is new to the matter
_PREDICTION = 60  # seconds to think about the question
_STEP = 15  # seconds to look at a step
_CHANGE = 60  # seconds to change one thing and see what it does

RULE = (
    f"The minutes are a rule, not a measure: reading at {WORDS_A_MINUTE} words a minute,"
    f" {_PREDICTION} seconds for the prediction, {_STEP} for each step and {_CHANGE} for changing"
    " one thing."
)


def minutes_at(location: LessonLocation) -> int:
    """Minutes that the lesson takes with this exercise, by the rule, rounded up."""
    lesson, facts, task = location.lesson, facts_at(location), task_at(location)
    texts = (
        *(lesson.title, lesson.aim, lesson.text, task.text, task.head, task.remark),
        *(facts.request.query_str, *facts.request.text_chunks),
        *(line.label for block in (*task.to_do, *task.sums) for line in block),
    )
    words = sum(word.weight for text in texts for word in split_words(text)) / 2
    steps = len(steps_of(facts.trace))
    seconds = 60 * words / WORDS_A_MINUTE + _PREDICTION + _STEP * steps + _CHANGE
    return ceil(seconds / 60)
