"""The choice of a model in the sidebar: its server, its name, its key, and known facts."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import streamlit as st

from synth.llms.models import model_facts
from synth.text.tokens import encoding_of
from ui.controls import endpoint_checks, key_field
from ui.look.elements import small
from ui.run import person
from ui.session import keys, parts
from ui.settings import hosts, model, recorded, state
from ui.settings.schema import SHOWN

SERVERS = {
    "OpenAI": "",
    "Ollama": "http://localhost:11434/v1",
    "vLLM": "http://localhost:8000/v1",
    "llama.cpp": "http://localhost:8080/v1",
    "LM Studio": "http://localhost:1234/v1",
}
_NOTES = {
    "offline": "Picks the sentences of the chunks that match the question best. It understands"
    " nothing and writes no words of its own; it needs no key and no network.",
    "recorded": "Prompts of the imported trace get the answers that were recorded, and cost"
    " nothing. All others are answered offline.",
    "human": "Each prompt of the run waits on the page until you have typed its answer.",
}


def draw() -> None:
    """Draw the model, its server and key, and known facts about it."""
    person.close_abandoned()
    offered = recorded.offered(SHOWN["model"].choices, state.current().model)
    state.field("model", options=offered, label_visibility="collapsed")
    if state.current().model != "endpoint":
        small(_NOTES[state.current().model])
        return
    _server()
    _name()
    key_field.draw("API key", hosts.address(state.current()))
    small("The key stays in this session: no link contains it, and it is never saved.")
    if words := _without_key():
        small(words)
    endpoint_checks.draw()
    if model.name(state.current()):
        parts.part("model facts", _compared_settings, partial(_facts, model.name(state.current())))
    with st.expander("Advanced", key="advanced"):
        _advanced()


def _without_key() -> str:
    """What becomes of a request at the default address while no key is typed for it."""
    if hosts.has_key(state.current()) or state.current().base_url.strip():
        return ""
    host = hosts.shown(hosts.address(state.current()))
    if hosts.uses_environment() and os.environ.get("OPENAI_API_KEY"):
        return f"While it is empty, {host} gets the key in OPENAI_API_KEY."
    return f"Without a key {host} may refuse: type one, or choose another server."


def _server() -> None:
    # This only fills in the address. If it followed the address, the browser would send its value
    # back a moment later, as if the person had chosen it.
    st.selectbox(
        "Known server",
        list(SERVERS),
        index=None,
        placeholder="fill in its address",
        key="server",
        on_change=_server_chosen,
    )
    state.field("base_url", placeholder="https://api.openai.com/v1")


def _server_chosen() -> None:
    server = st.session_state["server"]
    if server is not None:
        state.put(base_url=SERVERS[server])
        hosts.confirm_typed(SERVERS[server], state.current())
    st.session_state.pop(keys.LISTED_MODELS, None)


def _name() -> None:
    state.field("model_name", placeholder="gpt-4.1-mini")
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
        state.put(model_name=name)


def _compared_settings() -> tuple[int, str]:
    """The settings with which the facts of the model are compared: window and encoding."""
    settings = state.current()
    return settings.context_window, settings.encoding


def _facts(name: str, compared: tuple[int, str]) -> None:
    chosen_window, chosen_encoding = compared
    window, price = model_facts(name).context_window, model.price(state.current())
    size = "Window unknown" if window is None else f"Window {window:,} tokens"
    cost = "price unknown"
    if price is not None:
        cost = f"${price.prompt:,.2f} in, ${price.output:,.2f} out per million tokens"
    small(f"{size}; {cost}.")
    if window is not None and chosen_window > window:
        small("The context window below is larger than this model's.")
    if window is not None and chosen_window != window:
        _take("Use this window", context_window=window)
    encoding, guess = encoding_of(name)
    if guess:
        small(f"{name} has no known tokenizer: its tokens are counted with {chosen_encoding}.")
    elif encoding != chosen_encoding:
        small(f"This model counts tokens with {encoding}, not with the encoding below.")
        _take("Use this encoding", encoding=encoding)


def _take(label: str, **values: Any) -> None:
    """A button that copies a fact of the model into the settings below."""
    st.button(label, type="tertiary", on_click=state.take, kwargs=values)


def _advanced() -> None:
    left, right = st.columns(2, gap="small")
    with left:
        state.field("temperature")
        state.field("concurrency")
    with right:
        state.field("seed")
        state.field(
            "timeout",
            help="Of a whole call: its answer to the last word, up to two more requests after a"
            " temporary failure, and the waits between them.",
        )
