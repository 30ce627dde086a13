"""The location of this tab in the lessons, and the predictions that were made in them.

The location is in the address. The workspace keeps it too, with the predictions and the finished
lessons, so that they outlive a reload.
"""

from collections.abc import Mapping

import streamlit as st

from ui.pages.learn.lessons.lesson import Choice, LessonFacts, Task
from ui.pages.learn.location import PARAMS, LessonLocation, read
from ui.session import keys, workspace
from ui.views import steps_view

Guesses = Mapping[tuple[str, int, str], Choice]


def current() -> LessonLocation:
    """Return the location in the address, which is corrected, else the latest one."""
    params = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    location = read(params or workspace.value(keys.LESSON, {}))
    _save(location)
    return location


def latest() -> LessonLocation:
    """The location that was opened last; the page may still show the one before."""
    return read(workspace.value(keys.LESSON, {}))


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
    return workspace.current().remember(
        "facts", location.exercise, lambda: location.lesson.facts(location.request)
    )


def task_at(location: LessonLocation) -> Task:
    """The task of the exercise, computed once."""
    return workspace.current().remember(
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
