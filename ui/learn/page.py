"""The page: the lesson at the left, its picture at the right, and a switch of three stages."""

from __future__ import annotations

from typing import cast

import streamlit as st

from ui.learn import here, lessons_list, predict, progress, reveal, step
from ui.learn.place import STAGES, Place, Stage
from ui.learn.style import css
from ui.look.elements import box, small
from ui.look.escape import escape
from ui.look.theme import Look

_MODULES = {"predict": predict, "step": step, "reveal": reveal}
_SWITCH = "learn_stage"
_WORDS = {stage: f"{number} {stage.capitalize()}" for number, stage in enumerate(STAGES, 1)}


def draw(look: Look) -> None:
    """The place that the address speaks of."""
    st.html(f"<style>{css(look)}</style>")
    place, notes = here.current()
    progress.note(place)
    found = here.facts_of(place)
    if notes:
        box("Not all of this address could be read.", " ".join(notes))
    with st.container(key="two_learn"):
        left, right = st.columns([5, 7], gap="large")
    with left:
        _head(place)
        _switch(place)
        _MODULES[place.stage].words(place, found, look)
    with right:
        _MODULES[place.stage].picture(place, found, look)
    if place.stage == "step":
        step.texts(place, found, look)
    lessons_list.draw(place)


def _head(place: Place) -> None:
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in place.lesson.text.split("\n\n"))
    another = f" · exercise {place.seed:,}" if place.seed else ""
    small(f"Lesson {place.number}{another}")
    st.html(f'<div class="lesson"><h1>{escape(place.lesson.title)}</h1>{paragraphs}</div>')
    if place.preset.scripted:
        small("The answers of this lesson are scripted.")


def _switch(place: Place) -> None:
    if len(place.stages) < 2:
        return
    st.session_state[_SWITCH] = place.stage
    st.segmented_control(
        "Stage",
        place.stages,
        required=True,
        format_func=lambda stage: _WORDS[cast(Stage, stage)],
        label_visibility="collapsed",
        key=_SWITCH,
        on_change=_switched,
    )


def _switched() -> None:
    here.go(here.last().at(st.session_state[_SWITCH]))
