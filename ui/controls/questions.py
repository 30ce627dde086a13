"""The question; all inputs of the Playground."""

import streamlit as st

from ui.controls import chunks, modes, templates
from ui.look import scripts
from ui.look.elements import section
from ui.look.scripts import REPORTS_TEXT
from ui.plans.page_inputs import PageInputs
from ui.session import keys, parts
from ui.settings import state


def draw(inputs: PageInputs) -> None:
    """Draw the heading and the question."""
    with st.container(key="question_head"):
        section("Question")
    parts.part("question", inputs, _asks, _draw_box)


def _asks(_: PageInputs) -> int:
    return int(st.session_state.get(keys.ASKS, 0))


def _draw_box(inputs: PageInputs, asks: int) -> None:
    with st.container(key=f"{REPORTS_TEXT}_question"):  # or a click on Run would come too early
        state.field(
            "query_str",
            inputs.place,
            widget="text_area",
            height=68,
            placeholder="Ask a question that the chunks can answer.",
            label_visibility="collapsed",
        )
        scripts.focus("query_str", asks)


def draw_inputs(inputs: PageInputs) -> None:
    """Draw all inputs of the Playground but those in the sidebar."""
    draw(inputs)
    chunks.draw(inputs)
    modes.draw(inputs)
    templates.draw_on_page(inputs)
