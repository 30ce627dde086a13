"""Two checks of an endpoint from the sidebar: it lists its models, it answers a tiny call."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from synth.errors import SynthError
from synth.prompts.templates import PromptTemplate
from synth.runs.steps import Completion
from synth.text.wording import counted
from ui.look.elements import box
from ui.run.runner import model_for
from ui.session import keys
from ui.settings import hosts, state

_SECONDS = 10  # to wait for the list of models


def draw() -> None:
    """Draw the two buttons, and the result of the button that was just pressed."""
    with st.container(horizontal=True, key="tries"):
        list_pressed = st.button("List models", on_click=_list)
        test_pressed = st.button("Test", help="Sends one tiny call, as a run would send it.")
    if test_pressed:
        with st.spinner("Waiting for an answer"):
            answer = _test()
        box(*answer)
    elif list_pressed and (message := st.session_state.get(keys.LIST_MESSAGE)):
        box(*message)


def _list() -> None:
    from synth.llms.listing import list_models  # noqa: PLC0415  openai is slow to import

    st.session_state[keys.LISTED_MODELS] = []
    try:
        names = list_models(**hosts.connection(state.current()), timeout=_SECONDS)
    except SynthError as error:
        st.session_state[keys.LIST_MESSAGE] = "The models can't be listed.", str(error)
        return
    st.session_state[keys.LISTED_MODELS] = names
    action = "Choose one above." if names else "Load a model there first."
    st.session_state[keys.LIST_MESSAGE] = f"{counted(len(names), 'model')}.", action


def _test() -> tuple[str, str]:
    """Send one request as a run would; returns its result as a heading and a sentence."""
    prompt = PromptTemplate("Say: ok").fill()
    began = monotonic()
    try:
        *_, completion = model_for(state.current(), max_retries=0).stream(prompt)
    except SynthError as error:
        return "It does not answer.", str(error)
    assert isinstance(completion, Completion)
    return "It answers.", f"In {monotonic() - began:.1f} s: {completion.text[:80]}"
