"""Two checks of an endpoint from the sidebar: list its models, send it one tiny call."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from synth.errors import SynthError
from synth.prompts import PromptTemplate
from synth.steps import Completion
from synth.wording import counted
from ui.look.elements import box
from ui.run import models
from ui.session import keys
from ui.settings import model, state

_SECONDS = 10  # to wait for a list


def draw() -> None:
    """The two buttons, and the result of the one that was just pressed."""
    with st.container(horizontal=True, key="tries"):
        listed = st.button("List models", on_click=_list)
        tested = st.button("Test", help="Sends one tiny call, as a run would send it.")
    if tested:
        with st.spinner("Waiting for an answer"):
            answered = _test()
        box(*answered)
    elif listed and (said := st.session_state.get(keys.LIST_MESSAGE)):
        box(*said)


def _list() -> None:
    from synth.llms.listing import list_models  # noqa: PLC0415  openai is slow to import

    st.session_state[keys.LISTED_MODELS] = []
    try:
        names = list_models(**model.connection(state.get), timeout=_SECONDS)
    except SynthError as error:
        st.session_state[keys.LIST_MESSAGE] = "No list.", str(error)
        return
    st.session_state[keys.LISTED_MODELS] = names
    said = "Choose one above." if names else "Load a model there first."
    st.session_state[keys.LIST_MESSAGE] = f"{counted(len(names), 'model')}.", said


def _test() -> tuple[str, str]:
    """Send one request as a run would, and give its result as a heading and a sentence."""
    prompt = PromptTemplate("Say: ok").fill()
    began = monotonic()
    try:
        *_, found = models.make(state.get, max_retries=0).stream(prompt)
    except SynthError as error:
        return "It does not answer.", str(error)
    assert isinstance(found, Completion)
    return "It answers.", f"In {monotonic() - began:.1f} s: {found.text[:80]}"
