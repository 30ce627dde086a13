"""Change one thing: the control of a lesson, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ui.learn import here
from ui.learn.place import Place, start
from ui.look.elements import section


def change_one_thing(place: Place) -> None:
    """A slider for numbers, pills for names; with the way back to the exercise as it came."""
    control, values = place.lesson.control, place.values
    key = f"control {place.lesson.key} {place.seed}"
    section("Change one thing")
    st.session_state[key] = place.value
    change: dict[str, Any] = {"key": key, "on_change": _changed, "args": (place, key)}
    if all(_is_number(value) for value in values):
        st.select_slider(control.label, values, format_func=named, **change)
    else:
        st.pills(control.label, values, required=True, format_func=named, wrap=True, **change)
    if place.changed:
        st.button(
            f"Back to {named(start(place.lesson, place.seed).value)}",
            type="tertiary",
            icon=":material/undo:",
            on_click=_change,
            args=(place, start(place.lesson, place.seed).value),
            key="control_back",
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def named(value: Any) -> str:
    """The value in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _changed(place: Place, key: str) -> None:
    _change(place, st.session_state[key])


def _change(place: Place, value: Any) -> None:
    here.go(replace(place, value=value))
