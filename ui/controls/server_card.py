"""What a person should know of a model's server: its kind, its window and its way of counting."""

from functools import partial
from operator import attrgetter

import streamlit as st

from synth.errors import SynthError
from synth.llms import on_this_machine
from synth.llms.served import ServerFacts
from ui.look.elements import error_box, small
from ui.plans.page_inputs import PageInputs
from ui.session import parts
from ui.settings import served, state, this_machine
from ui.settings.schema import Settings


def draw(settings: Settings) -> None:
    """Draw kind, window and way of counting of a server that Test has asked; nothing before."""
    facts = served.facts(settings)
    if facts in (None, ServerFacts()):
        return
    counts = served.tokenizer(settings) is not None
    small(_words(facts, settings.context_window, counts))
    offer_window(facts.window, settings.context_window)
    st.button("Ask again", type="tertiary", on_click=_ask)


def _words(facts: ServerFacts, here: int, counts: bool) -> str:
    window = "window not known" if facts.window is None else f"window {facts.window:,}"
    trained = f", trained {facts.trained:,}" if facts.trained else ""
    differs = f", this page {here:,}" if facts.window not in (None, here) else ""
    cuts = " It cuts what is longer without a word." if facts.cuts else ""
    kind = "Your server" if facts.kind == "other" else facts.kind
    way = "counts each prompt before it is sent" if counts else "does not count at present"
    if facts.dialect is None:
        way = "counts with each answer"
    return f"{kind}: {window}{trained}{differs}. It {way}.{cuts}"


def offer_window(window: int | None, here: int) -> None:
    """Draw the button that takes the window of a model, where `here` is another one."""
    if window is None or window == here:
        return
    if here > window:
        small("The context window below is larger than this model's.")
    taken = {"context_window": window}
    st.button(f"Set the window to {window:,}", on_click=state.update_and_rerun, kwargs=taken)


def draw_own_machine(inputs: PageInputs) -> None:
    """Draw what is known of the model on this machine; its server is started if none is running."""
    if problem := this_machine.why_not():
        error_box("It answers nobody here.", problem)
        return
    name = this_machine.name()
    try:
        with st.spinner(f"{name} is loading"):
            window = on_this_machine.start_server().context_window
    except SynthError as error:
        error_box("It can't be started.", str(error))
        return
    small(
        f"The answers are those of {name}: a real language model beside the app. A small one is"
        " often wrong. It needs no key and no network, and costs nothing."
    )
    small(f"Window {window:,} tokens, from the server.")
    here = attrgetter("settings.context_window")
    parts.part("model facts", inputs, here, partial(_offer_window, window))


def _offer_window(window: int, _: PageInputs, here: int) -> None:
    offer_window(window, here)


def _ask() -> None:
    try:
        served.ask()
    except SynthError as problem:
        st.toast(str(problem))
        return
    state.redraw_changed()
