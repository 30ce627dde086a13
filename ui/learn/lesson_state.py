"""The location of this tab in the lessons, and the predictions that were made in them.

The location is in the address. The workspace keeps it too, with the predictions and the finished
lessons, so that they outlive a reload.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui.learn import length
from ui.learn.location import PARAMS, LessonLocation, Notes, read
from ui.lessons.lesson import Choice, LessonFacts, facts_of
from ui.session import keys, workspace
from ui.views import stepping

Guesses = Mapping[tuple[str, int, str], Choice]


def current() -> tuple[LessonLocation, Notes]:
    """The location in the address, else the latest one, with notes on a faulty address.

    The address is corrected.
    """
    params = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    location, notes = read(params or workspace.current().values.get(keys.LESSON, {}))
    _save(location)
    return location, notes


def latest() -> LessonLocation:
    """The location that was opened last; the page may still show the one before."""
    return read(workspace.current().values.get(keys.LESSON, {}))[0]


def go(location: LessonLocation) -> None:
    """Go to another location; for callbacks. Another exercise begins at its first step."""
    if latest().exercise != location.exercise:
        stepping.go(1)
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
        "facts", location.exercise, lambda: facts_of(location.preset)
    )


def minutes_at(location: LessonLocation) -> int:
    """Minutes that the lesson takes with this exercise, computed once."""
    return workspace.current().remembered(
        "minutes",
        location.exercise,
        lambda: length.minutes(location.lesson, facts_at(location)),
    )


def guess_at(location: LessonLocation) -> Choice | None:
    """The prediction that was made in this exercise."""
    guesses: Guesses = workspace.current().values.get(keys.GUESSES, {})
    return guesses.get(location.exercise)


def save_guess(location: LessonLocation, choice: Choice) -> None:
    """Keep a prediction; it replaces an earlier one."""
    values = workspace.current().values
    values[keys.GUESSES] = {**values.get(keys.GUESSES, {}), location.exercise: choice}


def lessons_done() -> frozenset[str]:
    """The keys of the lessons that were revealed after a prediction."""
    done: frozenset[str] = workspace.current().values.get(keys.LESSONS_DONE, frozenset())
    return done


def note_done(location: LessonLocation) -> None:
    """Count the lesson as done if it is revealed and has a prediction."""
    if location.stage == "reveal" and guess_at(location) is not None:
        workspace.current().values[keys.LESSONS_DONE] = lessons_done() | {location.lesson.key}
