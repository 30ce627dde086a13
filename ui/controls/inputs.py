"""The left column of the Playground: the question, the chunks, the mode and its templates."""

from __future__ import annotations

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.controls import chunks, questions, templates
from ui.look.elements import small
from ui.session import parts
from ui.settings import state


def draw_inputs() -> None:
    """Draw all inputs of the Playground but those in the sidebar."""
    questions.draw()
    chunks.draw()
    st.pills(
        "Mode",
        list(MODES),
        default=state.setting("mode").default,
        required=True,
        wrap=True,
        help="\n".join(f"- `{name}`: {mode.summary}" for name, mode in MODES.items()),
        **state.widget("mode"),
    )
    parts.part("mode", lambda: str(state.get("mode")), _draw_mode)
    parts.part("templates", templates.checked_templates, templates.draw)


def _draw_mode(name: str) -> None:
    mode = MODES[name]
    small(mode.summary)
    if mode.filters:
        st.toggle(
            "Structured answer filtering",
            help="Each call says, in JSON by a schema, whether its text answers the question."
            " Answers that do not are dropped.",
            **state.widget("filtering"),
        )
