"""The model on this machine in the sidebar: what a person should know of it."""

from functools import partial

import streamlit as st

from synth.errors import SynthError
from synth.llms import on_this_machine
from ui.controls import server_card
from ui.look.elements import error_box, small
from ui.session import parts
from ui.settings import state, this_machine


def draw() -> None:
    """Draw what a person should know of the model; its server is started if none is running."""
    if problem := this_machine.why_not():
        error_box("It answers nobody here.", problem)
        return
    name = this_machine.name()
    try:
        with st.spinner(f"{name} is loading"):
            window = on_this_machine.running().context_window
    except SynthError as error:
        error_box("It can't be started.", str(error))
        return
    small(
        f"The answers are those of {name}: a real language model beside the app. A small one is"
        " often wrong. It needs no key and no network, and costs nothing."
    )
    parts.part("model facts", _chosen_window, partial(_window_of_machine, window))


def _chosen_window() -> int:
    return state.current().context_window


def _window_of_machine(window: int, chosen: int) -> None:
    small(f"Window {window:,} tokens, from the server.")
    server_card.offer_window(window, chosen)
