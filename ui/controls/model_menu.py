"""The menu of the model: which one answers, its server, its name, its key, known facts."""

import os
from functools import partial
from itertools import cycle
from operator import attrgetter
from time import monotonic
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.llms import on_this_machine
from synth.llms.model_prices import model_facts, price_source, priced_models
from synth.prompts.templates import PromptTemplate
from synth.runs.llm import Completion
from synth.text.model_tokenizers import get_tokenizer
from ui.look.elements import box, draw_menu, error_box, label_text, section, small
from ui.plans.plan_range import PageInputs
from ui.runs.start import model_for
from ui.session import keys, parts
from ui.settings import hosts, model, state
from ui.settings.schema import (
    ENDPOINT,
    HUMAN,
    KINDS,
    MOST_PRICES,
    OFFLINE,
    ON_THIS_MACHINE,
    RECORDED,
    Pricing,
    Settings,
)

_SERVERS = (
    "On this machine, Ollama is at http://localhost:11434/v1, vLLM at http://localhost:8000/v1,"
    " llama.cpp at http://localhost:8080/v1, LM Studio at http://localhost:1234/v1."
)
_SEGMENTS = {
    OFFLINE.value: "Offline",
    ON_THIS_MACHINE.value: "This machine",
    ENDPOINT.value: "Endpoint",
    HUMAN.value: "You",
    RECORDED.value: "Recorded",
}
_NOTES = {
    OFFLINE: "Picks the sentences of the chunks that match the question best. It understands"
    " nothing and writes no words of its own; it needs no key and no network.",
    RECORDED: "Prompts of the opened trace get the answers that were recorded, and cost"
    " nothing. All others are answered offline.",
    HUMAN: "Each prompt of the run waits on the page until you have typed its answer.",
}


def draw(inputs: PageInputs) -> None:
    """Draw the name of the model, and its settings while it is open."""
    kind = inputs.settings.model_kind
    name = model.name(inputs.settings) if kind.needs_address else ""
    shown = label_text(name or kind.label.split(",")[0])
    draw_menu(shown, keys.MODEL_OPEN, partial(_draw_model, inputs), "circle", "secondary")


def _draw_model(inputs: PageInputs) -> None:
    settings = inputs.settings
    offered = model.list_offered(KINDS, settings)
    state.field(
        "model",
        settings,
        "segmented_control",
        options=offered,
        format_func=_SEGMENTS.__getitem__,
        required=True,
        width="stretch",
        label_visibility="collapsed",
    )
    kind = settings.model_kind
    if kind.needs_address:
        _endpoint(inputs)
    elif kind == ON_THIS_MACHINE:
        _own_machine(inputs)
    else:
        small(_NOTES[kind])
    if kind.is_free and kind != HUMAN:
        section("What would it cost?")
        _price_like(settings)
        if model.pricing(settings) != Pricing():
            _price(settings)
    if kind.has_server:
        with st.expander("More", key="more_of_model"):
            _more(settings)


def _endpoint(inputs: PageInputs) -> None:
    settings = inputs.settings
    state.field("base_url", settings, placeholder="https://api.openai.com/v1", help=_SERVERS)
    left, right = st.columns(2, gap="small")
    with left:
        state.field("model_name", settings, placeholder="gpt-4.1-mini")
        _draw_listed()
    with right:
        hosts.draw_key("API key", hosts.address(settings))
    small("The key stays in this session: no link contains it, and it is never saved.")
    if words := _without_key(settings):
        small(words)
    parts.part("model facts", inputs, _known, _facts)
    section("Price, in dollars a million tokens")
    _price(settings)
    state.field("cap_dollars", settings, label="Stop a run at, in dollars", format="%.4f")
    if settings.cap_dollars is not None and model.price(settings) is None:
        small("Without a known price this can't be checked, and no run starts: cap tokens instead.")
    with st.container(horizontal=True, key="tries"):
        lists = st.button("List models")
        tests = st.button("Test", help="Sends one request, as a run would.")
    if lists:
        _list(settings)
    if tests:
        _test(settings)


def _without_key(settings: Settings) -> str:
    """What becomes of a request at the default address while no key is typed for it."""
    is_there = hosts.gets_environment(settings) and os.environ.get("OPENAI_API_KEY")
    if hosts.has_key(settings) or not is_there:  # the page says what is missing
        return ""
    shown = hosts.describe(hosts.address(settings))
    return f"While it is empty, {shown} gets the key in OPENAI_API_KEY."


def _draw_listed() -> None:
    if names := st.session_state.get(keys.LISTED_MODELS):
        st.selectbox(
            "Models of this server",
            names,
            index=None,
            key="listed_model",
            placeholder=f"{len(names):,} to choose from",
            on_change=_name_chosen,
        )


def _name_chosen() -> None:
    if name := st.session_state["listed_model"]:
        state.update(model_name=name)


def _known(inputs: PageInputs) -> tuple[object, ...]:
    settings = inputs.settings
    return model.tokenizer(settings), settings.context_window, settings.tokenizer


def _facts(inputs: PageInputs, _: object) -> None:
    settings = inputs.settings
    if not model.name(settings):
        return
    window = model_facts(model.name(settings)).context_window
    small("Window unknown." if window is None else f"Window {window:,} tokens.")
    _offer_window(window, settings.context_window)
    small(f"Tokens are {get_tokenizer(model.tokenizer(settings)).counting}.")


def _price_like(settings: Settings) -> None:
    chosen = model.pricing(settings)
    st.selectbox(
        "Price as",
        list(dict.fromkeys((*priced_models(), *filter(None, [chosen.like])))),
        index=None,
        placeholder="nothing: it is free" if settings.model_kind.is_free else "its own name",
        **state.bind("price_as", chosen.like or None, _price_as),
    )


def _price(settings: Settings) -> None:
    chosen, price = model.pricing(settings), model.price(settings)
    sides = (("prompt", "in"), ("output", "out"))
    empty = "0" if settings.model_kind.is_free else "unknown"
    for column, (side, label) in zip(st.columns(2, gap="small"), sides, strict=True):
        typed: float | None = getattr(chosen, side)
        value = getattr(price, side, None) if typed is None else typed
        options: dict[str, Any] = {"value": None, "step": 0.05, "format": "%g"}
        options |= state.bind(f"price_{side}", value, _price_typed, side)
        column.number_input(label, 0.0, 1e6, placeholder=empty, **options)
    small(_dated(chosen, known=price is not None))


def _dated(chosen: Pricing, *, known: bool) -> str:
    if chosen.typed:
        return "Typed, and kept for this model."
    if known:
        return f"From {price_source()}. Type over it for a price of your own."
    return "Choose whose price it has, or type both."


def _price_as() -> None:
    _put_pricing(Pricing(like=st.session_state["price_as"] or ""))


def _price_typed(side: str) -> None:
    """Keep what was typed; an empty field is the list price again."""
    typed = {side: st.session_state[f"price_{side}"]}
    _put_pricing(model.pricing(state.current()).model_copy(update=typed))


def _put_pricing(pricing: Pricing) -> None:
    settings = state.current()
    latest = {**settings.prices, model.priced_name(settings): pricing}
    state.update(prices=dict(list(latest.items())[-MOST_PRICES:]))


_OF_MODELS = ("temperature", "seed", "reasoning_effort", "reasoning_output")
_OF_ENDPOINTS = ("concurrency", "timeout")
_HELP = {
    "reasoning_output": "Tokens beside those of the answer, in the window and in each request. If"
    " empty, the share of a reply that OpenRouter's documentation gives the effort.",
    "timeout": "Of a whole call: its answer to the last word, up to two more requests after a"
    " temporary failure, and the waits between them.",
}


def _more(settings: Settings) -> None:
    has_address = settings.model_kind.needs_address
    if has_address:
        _price_like(settings)
    columns = cycle(st.columns(2, gap="small"))
    for name in (*_OF_MODELS, *(_OF_ENDPOINTS if has_address else ())):
        with next(columns):
            state.field(name, settings, help=_HELP.get(name))


_SECONDS = 10  # to wait for the list of models


def _list(settings: Settings) -> None:
    """Ask the server for its models, to choose one."""
    from synth.llms.openai import list_models  # noqa: PLC0415  httpx2 is slow to import

    st.session_state[keys.LISTED_MODELS] = []
    try:
        with st.spinner("Waiting for an answer"):
            names = list_models(**hosts.connection(settings), timeout=_SECONDS)
    except SynthError as error:
        error_box("The models can't be listed.", str(error))
        return
    if not names:
        box("0 models.", "Load a model there first.")
        return
    st.session_state[keys.LISTED_MODELS] = names
    st.rerun()


def _test(settings: Settings) -> None:
    """Send one request as a run would, and say what came of it."""
    began = monotonic()
    try:
        with st.spinner("Waiting for an answer"):
            tested = model_for(settings, max_retries=0)
            *_, completion = tested.stream(PromptTemplate("Say: ok").fill())
    except SynthError as error:
        error_box("It does not answer.", str(error))
        return
    assert isinstance(completion, Completion)
    box("It answers.", f"In {monotonic() - began:.1f} s: {completion.text[:80]}")


def _offer_window(window: int | None, here: int) -> None:
    if window not in (None, here):
        taken = {"context_window": window}
        st.button(f"Set the window to {window:,}", on_click=state.update_and_rerun, kwargs=taken)


def _own_machine(inputs: PageInputs) -> None:
    """Draw what is known of the model on this machine; its server is started if none is running."""
    if problem := model.why_not_local():
        error_box("It answers nobody here.", problem)
        return
    name = model.local_name()
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

    def offer(_: PageInputs, here: int) -> None:
        _offer_window(window, here)

    parts.part("model facts", inputs, attrgetter("settings.context_window"), offer)
