"""What a person gives, at the left of the Playground: the question; chunks, templates, limits."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ui.controls import chunks, limits, templates
from ui.controls.chunks import Shown
from ui.look import scripts
from ui.look.elements import button_row, small
from ui.look.scripts import REPORTS_TEXT
from ui.plans.plan_range import PageInputs
from ui.session import keys, parts
from ui.settings import state

CHUNKS, _TEMPLATES, _LIMITS = "Chunks", "Templates", "Limits"
"""What can be shown below the question."""


def draw_inputs(inputs: PageInputs, shown: Shown) -> None:
    """Draw the question, and below it what the switch says; the chunks, beside the run shown."""
    small("Retrieval found the chunks. Now they must become one answer.")
    draw_question(inputs)
    parts.part("panel", inputs, _panel, partial(_draw_panel, shown))


def _panel(_: PageInputs) -> str:
    """The panel that is shown: to change it draws nothing else."""
    return str(st.session_state.get(keys.INPUTS, CHUNKS))


def _draw_panel(shown: Shown, inputs: PageInputs, _: str) -> None:
    draws: dict[str, Callable[[PageInputs], None]] = {
        CHUNKS: partial(chunks.draw, shown=shown),
        _TEMPLATES: templates.draw_on_page,
        _LIMITS: limits.draw,
    }
    chosen = button_row("What goes in", list(draws), keys.INPUTS, width="stretch")
    with st.container(key="given"):
        draws[chosen](inputs)


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
            inputs.settings,
            widget="text_area",
            height=68,
            placeholder="Ask a question that the chunks can answer.",
            label_visibility="collapsed",
        )
        scripts.focus("query_str", asks)
