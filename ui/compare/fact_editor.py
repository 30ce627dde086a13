"""The facts of a question, to be typed: one a line."""

from __future__ import annotations

import streamlit as st

from ui.look.elements import small
from ui.settings import fact_texts

_HELP = (
    "One fact a line. A star marks one that must arrive; wordings that count as well stand after"
    " a bar: * 8 instead of 80 | 8, not 80"
)


def draw(asked: str, problem: str, expanded: bool) -> None:
    """The field for the facts of a question, and what is wrong with a line of it."""
    key = f"facts {asked}"
    if key not in st.session_state:
        st.session_state[key] = fact_texts.text_of(asked)
    with st.expander("Facts of this question", expanded=expanded):
        st.text_area(
            "Facts that the answer should hold",
            key=key,
            height=210,
            help=_HELP,
            placeholder=_HELP,
            on_change=lambda: fact_texts.store(asked, st.session_state[key]),
        )
        if problem:
            small(problem)
