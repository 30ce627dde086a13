"""What a person gives, at the left of the Playground: the question; chunks, templates, limits."""

import streamlit as st

from ui.controls import chunks, limits, templates
from ui.look import scripts
from ui.look.elements import button_row, small
from ui.look.scripts import REPORTS_TEXT
from ui.plans.page_inputs import PageInputs
from ui.session import keys, parts
from ui.settings import state

_CHUNKS, _TEMPLATES, _LIMITS = "Chunks", "Templates", "Limits"
_DRAW = {_CHUNKS: chunks.draw, _TEMPLATES: templates.draw_on_page, _LIMITS: limits.draw}


def draw_inputs(inputs: PageInputs) -> None:
    """Draw the question, and below it what the switch says."""
    small("Retrieval found the chunks. Now they must become one answer.")
    draw_question(inputs)
    parts.part("panel", inputs, _panel, _draw_panel)


def _panel(_: PageInputs) -> str:
    """The panel that is shown: to change it draws nothing else."""
    return str(st.session_state.get(keys.INPUTS, _CHUNKS))


def _draw_panel(inputs: PageInputs, _: str) -> None:
    chosen = button_row("What goes in", list(_DRAW), keys.INPUTS, width="stretch")
    with st.container(key="given"):
        _DRAW[chosen](inputs)


def draw_question(inputs: PageInputs) -> None:
    """Draw the box of the question."""
    parts.part("question", inputs, _asks, _draw_box)


def _asks(_: PageInputs) -> int:
    return int(st.session_state.get(keys.ASKS, 0))


def _draw_box(inputs: PageInputs, asks: int) -> None:
    """Draw the box of the question; it gets the focus if the page asks for a question."""
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
