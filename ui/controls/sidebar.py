"""The sidebar: the model, the limits, the cap, the behaviour."""

from __future__ import annotations

import streamlit as st

from synth.encodings import RECIPES
from ui.controls import cap, link, model_choice
from ui.look.elements import section, small
from ui.request.request import BEHAVIOURS
from ui.settings import state


def draw_sidebar() -> None:
    """All of it."""
    with st.sidebar:
        section("Model")
        model_choice.draw()
        section("Limits, in tokens")
        _limits()
        section("Cap of a run")
        cap.draw()
        section("Behaviour")
        st.segmented_control(
            "Behaviour",
            BEHAVIOURS,
            default=state.setting("behaviour").default,
            required=True,
            label_visibility="collapsed",
            **state.widget("behaviour"),
        )
        small("What the documents promise, or what llama-index-core 0.14.25 really does.")
        link.draw()


def _limits() -> None:
    st.number_input(
        "Context window",
        1,
        state.MOST_TOKENS,
        value=state.setting("window").default,
        step=8,
        help="Prompt and answer of one call together.",
        **state.widget("window"),
    )
    left, right = st.columns(2, gap="small")
    left.number_input(
        "num_output",
        1,
        state.MOST_TOKENS,
        value=state.setting("num_output").default,
        step=8,
        help="Kept free in every call for its answer.",
        **state.widget("num_output"),
    )
    right.number_input(
        "Padding",
        0,
        state.MOST_TOKENS,
        value=None,
        step=8,
        placeholder="auto",
        help="Left free on purpose by refine and compact. Empty: an eighth of the window,"
        " 500 at most; llama_index takes 500.",
        **state.widget("padding"),
    )
    st.slider(
        "Overlap ratio",
        0.0,
        1.0,
        value=state.setting("overlap").default,
        step=0.01,
        **state.widget("overlap"),
    )
    st.number_input(
        "Chunk size limit",
        1,
        state.MOST_TOKENS,
        value=None,
        step=8,
        placeholder="none",
        help="No piece of chunk text gets longer than this.",
        **state.widget("chunk_limit"),
    )
    st.selectbox("Encoding", sorted(RECIPES), **state.widget("encoding"))
