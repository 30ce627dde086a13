"""What a teacher takes along: a link that opens this exercise, and a sheet of it to print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast
from urllib.parse import urlencode

import streamlit as st

from synth.text.wording import counted
from ui.learn import length, lesson_state
from ui.learn.location import HIDEABLE, Hideable, LessonLocation, Stage, stage_label
from ui.learn.sheet import sheet_html
from ui.lessons.lesson import LessonFacts
from ui.look.elements import small
from ui.session import keys

_PART_LABELS: Mapping[Hideable, str] = {
    "lessons": "The list of lessons",
    "step": "Step",
    "reveal": "Reveal",
    "control": "Change one thing",
    "playground": "Open in the Playground",
}


def draw(location: LessonLocation, facts: LessonFacts) -> None:
    """The button of the sheet, and the one that opens the link."""
    st.download_button(
        "Print",
        lambda: sheet_html(location, facts, _address(location.at("predict").params())),
        f"lesson-{location.number}-{location.lesson.key}-{location.seed}.html",
        "text/html",
        icon=":material/print:",
        on_click="ignore",
        help="A sheet of this very exercise with its numbers; the solution is on a page of its own."
        " The sheet is downloaded: open it and print it.",
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
    stage = st.segmented_control(
        "It opens at",
        location.stages,
        default=location.stage,
        required=True,
        format_func=lambda stage: stage_label(cast(Stage, stage)),
        key=f"opens at {location.exercise} {location.stage}",
    )
    small("Hide these parts")
    hidden = [
        name
        for name in HIDEABLE
        if st.checkbox(_PART_LABELS[name], name in location.hidden, key=f"hide {name}")
    ]
    step = st.session_state.get(keys.STEP)
    opened = replace(location, stage=stage)
    st.code(_address(linked_params(opened, hidden, step)), language=None, wrap_lines=True)
    duration = counted(lesson_state.minutes_at(location), "minute")
    small(f"It takes about {duration}. {length.RULE}")


def _address(params: Mapping[str, str]) -> str:
    page = (st.context.url or "").partition("?")[0]
    return f"{page}?{urlencode(params)}"


def linked_params(
    location: LessonLocation, hidden: Iterable[Hideable], step: int | None
) -> dict[str, str]:
    """The parameters of a link to this location; a hidden stage becomes the last one before it."""
    target = replace(location, hidden=frozenset(hidden)).at(location.stage)
    if step is None or target.stage != "step":
        return target.params()
    return target.params() | {keys.STEP: str(step)}
