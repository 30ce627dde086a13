"""The Learn page: the lesson at the left, its picture at the right, and a switch of stages."""

from __future__ import annotations

from typing import cast

import streamlit as st

from ui.learn import lesson_state, lessons_list, pictures, predict, reveal, step
from ui.learn.location import STAGES, LessonLocation, Stage
from ui.look.elements import box, small
from ui.look.escape import escape
from ui.look.theme import Look

_DRAW = {
    "predict": (predict.draw_text, predict.draw_picture),
    "step": (step.draw_text, step.draw_picture),
    "reveal": (reveal.draw_text, pictures.draw_pictures),
}
_SWITCH = "learn_stage"
_STAGE_LABELS = {stage: f"{number} {stage.capitalize()}" for number, stage in enumerate(STAGES, 1)}


def draw(look: Look) -> None:
    """The lesson, exercise and stage that the address names."""
    st.html(f"<style>{_css(look)}</style>")
    location, notes = lesson_state.current()
    lesson_state.note_done(location)
    facts = lesson_state.facts_at(location)
    if notes:
        box("Not all of this address could be read.", " ".join(notes))
    draw_text, draw_picture = _DRAW[location.stage]
    with st.container(key="two_learn"):
        left, right = st.columns([5, 7], gap="large")
    with left:
        _head(location)
        _switch(location)
        draw_text(location, facts, look)
    with right:
        draw_picture(location, facts, look)
    if location.stage == "step":
        step.draw_call_texts(location, facts, look)
    lessons_list.draw(location)


def _head(location: LessonLocation) -> None:
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in location.lesson.text.split("\n\n"))
    exercise = f" · exercise {location.seed:,}" if location.seed else ""
    small(f"Lesson {location.number}{exercise}")
    st.html(f'<div class="lesson"><h1>{escape(location.lesson.title)}</h1>{paragraphs}</div>')
    if location.preset.scripted:
        small("The answers of this lesson are scripted.")


def _switch(location: LessonLocation) -> None:
    if len(location.stages) < 2:
        return
    st.session_state[_SWITCH] = location.stage
    st.segmented_control(
        "Stage",
        location.stages,
        required=True,
        format_func=lambda stage: _STAGE_LABELS[cast(Stage, stage)],
        label_visibility="collapsed",
        key=_SWITCH,
        on_change=_switched,
    )


def _switched() -> None:
    lesson_state.go(lesson_state.latest().at(st.session_state[_SWITCH]))


def _css(look: Look) -> str:
    """The styles that only this page has."""
    return f"""
.lesson h1 {{ font-size: 1.7rem; font-weight: 700; line-height: 1.2; padding: 0;
  margin: 0 0 .5rem; }}
.lesson h2 {{ font-size: 16.5px; font-weight: 650; line-height: 1.35; padding: 0; margin: 0; }}
.lesson p {{ font-size: 14.5px; line-height: 1.6; margin: 0; max-width: 66ch; }}
.lesson p + p {{ margin-top: .6em; }}
.done-bar {{ height: 6px; background: {look.grid}; border-radius: 3px; overflow: hidden; }}
.done-bar i {{ display: block; height: 100%; background: {look.ink}; }}
table.sums {{ border-collapse: collapse; width: 100%; max-width: 560px; font-size: 14.5px;
  font-variant-numeric: tabular-nums; }}
table.sums td, table.sums th {{ border: 0; padding: 3px 8px 3px 0; font-weight: 400;
  text-align: left; vertical-align: baseline; }}
table.sums .sign {{ width: 18px; color: {look.muted}; }}
table.sums td.amount {{ text-align: right; white-space: nowrap; font-weight: 600;
  padding-right: 2px; }}
table.sums tr.result > * {{ border-top: 1.5px solid {look.ink}; font-weight: 650; }}
table.sums tbody + tbody tr:first-child > * {{ padding-top: 14px; }}
.st-key-lessons {{ margin-top: .2rem; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] {{ padding: .2rem .6rem; min-height: 2rem;
  border: 1px solid transparent; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] * {{ text-decoration: none !important; }}
.st-key-lessons [data-testid=stBaseButton-secondary] {{ padding: .2rem .6rem; min-height: 2rem; }}
.st-key-lesson_texts .pane {{ max-height: 190px; }}
.st-key-lesson_reading .pane {{ max-height: 560px; }}
@media (max-width: 1000px) {{
  :is(.st-key-two_learn, .st-key-two_learn > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] {{ gap: 1rem; }}
}}"""
