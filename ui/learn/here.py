"""Where this tab is in the lessons: the address says it, else the workspace remembers it."""

from __future__ import annotations

import streamlit as st

from ui.learn.place import PARAMS, Notes, Place, read
from ui.lessons.lesson import Facts, facts
from ui.session import keys, workspace
from ui.views import stepping


def current() -> tuple[Place, Notes]:
    """The place, and what the address had wrong; the address then says it right."""
    said = {name: st.query_params[name] for name in PARAMS if name in st.query_params}
    place, notes = read(said or workspace.current().values.get(keys.LESSON, {}))
    _say(place)
    return place, notes


def last() -> Place:
    """The place that was gone to last, perhaps after what is still drawn."""
    return read(workspace.current().values.get(keys.LESSON, {}))[0]


def go(place: Place) -> None:
    """Go to another place; for callbacks. Another exercise begins at its first step."""
    if last().exercise != place.exercise:
        stepping.go(1)
    _say(place)


def _say(place: Place) -> None:
    said = place.params()
    workspace.current().values[keys.LESSON] = said
    gone = (*PARAMS, *(() if place.stage == "step" else (keys.STEP,)))
    for name in gone:
        if name in st.query_params and name not in said:
            del st.query_params[name]
    for name, text in said.items():
        if st.query_params.get(name) != text:
            st.query_params[name] = text


def facts_of(place: Place) -> Facts:
    """What the exercise shows, found out once."""
    return workspace.current().remembered("facts", place.exercise, lambda: facts(place.preset))
