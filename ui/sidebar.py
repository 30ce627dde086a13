"""The sidebar: the model, the limits, the behaviour."""

from __future__ import annotations

import streamlit as st

from synth import llms
from synth.encodings import RECIPES
from synth.tokens import encoding_of
from ui import state
from ui.words import section, small

_MODELS = {"offline": "Offline, no language model", "endpoint": "OpenAI-compatible endpoint"}
_MOST = 10_000_000  # tokens; a window that no model has


def draw() -> None:
    """All of it."""
    with st.sidebar:
        section("Model")
        _model()
        section("Limits, in tokens")
        _limits()
        section("Behaviour")
        st.segmented_control(
            "Behaviour",
            ["documented", "llama_index"],
            default="documented",
            required=True,
            label_visibility="collapsed",
            **state.widget("behaviour"),
        )
        small("What the documents promise, or what llama-index-core 0.14.25 really does.")


def model() -> llms.LLM:
    """The model that a run asks; its key goes no further than into this object."""
    window, num_output = int(state.get("window")), int(state.get("num_output"))
    if state.get("model") == "offline":
        return llms.ExtractiveLLM(window, num_output, state.get("encoding"))
    return llms.OpenAILLM(
        model=state.get("model_name").strip(),
        api_key=state.get("api_key").strip() or None,
        base_url=state.get("base_url").strip() or None,
        context_window=window,
        num_output=num_output,
    )


def _model() -> None:
    st.selectbox(
        "Model",
        list(_MODELS),
        format_func=lambda name: _MODELS[name],
        label_visibility="collapsed",
        **state.widget("model"),
    )
    if state.get("model") == "offline":
        small(
            "Picks the sentences of the chunks that match the question best. It understands"
            " nothing and writes nothing of its own; it needs no key and no network."
        )
        return
    st.text_input("Base URL", placeholder="https://api.openai.com/v1", **state.widget("base_url"))
    st.text_input("Model name", placeholder="gpt-4.1-mini", **state.widget("model_name"))
    st.text_input("API key", type="password", autocomplete="off", **state.widget("api_key"))
    small("The key stays in this session: it is in no link and never saved.")
    if name := state.get("model_name").strip():
        _encoding_note(name)


def _encoding_note(name: str) -> None:
    encoding, guess = encoding_of(name)
    if guess:
        small(f"The tokenizer of {name} is not known here: {state.get('encoding')} counts for it.")
    elif encoding != state.get("encoding"):
        small(f"This model counts with {encoding}: choose that encoding below.")


def _limits() -> None:
    st.number_input(
        "Context window",
        1,
        _MOST,
        value=state.setting("window").default,
        step=8,
        help="Prompt and answer of one call together.",
        **state.widget("window"),
    )
    left, right = st.columns(2, gap="small")
    left.number_input(
        "num_output",
        1,
        _MOST,
        value=state.setting("num_output").default,
        step=8,
        help="Kept free in every call for its answer.",
        **state.widget("num_output"),
    )
    right.number_input(
        "Padding",
        0,
        _MOST,
        value=None,
        step=8,
        placeholder="auto",
        help="Left free on purpose by refine and compact. Empty: an eighth of the window,"
        " 500 at most; llama_index takes 500.",
        **state.widget("padding"),
    )
    st.slider("Overlap ratio", 0.0, 1.0, value=0.1, step=0.05, **state.widget("overlap"))
    st.number_input(
        "Chunk size limit",
        1,
        _MOST,
        value=None,
        step=8,
        placeholder="none",
        help="No piece of chunk text gets longer than this.",
        **state.widget("chunk_limit"),
    )
    st.selectbox("Encoding", sorted(RECIPES), **state.widget("encoding"))
