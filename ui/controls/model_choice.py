"""The choice of a model in the sidebar: its server, its name, its key, and known facts."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import streamlit as st

from synth.models import model_facts
from synth.tokens import encoding_of
from ui.controls import endpoint_checks, key_field
from ui.look.elements import small
from ui.run import person
from ui.session import keys, parts
from ui.settings import hosts, model, recorded, state

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
    st.selectbox(
        "Model",
        recorded.offered(state.LABELS["model"], state.get("model")),
        format_func=lambda name: state.LABELS["model"][name],
        label_visibility="collapsed",
        **state.widget("model") | {"on_change": _model_chosen},
    )
    if state.get("model") != "endpoint":
        small(_NOTES[state.get("model")])
        return
    _server()
    _name()
    key_field.draw("API key", hosts.address(state.get))
    small("The key stays in this session: no link contains it, and it is never saved.")
    if words := _without_key():
        small(words)
    endpoint_checks.draw()
    if model.name(state.get):
        parts.part("model facts", _compared_settings, partial(_facts, model.name(state.get)))
    with st.expander("Advanced", key="advanced"):
        _advanced()


def _address_chosen() -> None:
    hosts.confirm_typed(state.get("base_url"), state.get)


def _model_chosen() -> None:
    hosts.confirm_typed(None, state.get)


def _without_key() -> str:
    """What becomes of a request at the default address while no key is typed for it."""
    if model.has_key(state.get) or state.get("base_url").strip():
        return ""
    host = hosts.shown(hosts.address(state.get))
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
    st.text_input(
        "Base URL",
        placeholder="https://api.openai.com/v1",
        **state.widget("base_url") | {"on_change": _address_chosen},
    )


def _server_chosen() -> None:
    server = st.session_state["server"]
    if server is not None:
        state.put(base_url=SERVERS[server])
        _address_chosen()
    st.session_state.pop(keys.LISTED_MODELS, None)


def _name() -> None:
    st.text_input("Model name", placeholder="gpt-4.1-mini", **state.widget("model_name"))
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
    return int(state.get("window")), state.get("encoding")


def _facts(name: str, compared: tuple[int, str]) -> None:
    chosen_window, chosen_encoding = compared
    window, price = model_facts(name).context_window, model.price(state.get)
    size = "Window unknown" if window is None else f"Window {window:,} tokens"
    cost = "price unknown"
    if price is not None:
        cost = f"${price.prompt:,.2f} in, ${price.output:,.2f} out per million tokens"
    small(f"{size}; {cost}.")
    if window is not None and chosen_window > window:
        small("The context window below is larger than this model's.")
    if window is not None and chosen_window != window:
        _take("Use this window", window=window)
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
    left.number_input(
        "Temperature",
        **state.limits("temperature"),
        value=None,
        step=0.1,
        placeholder="default",
        **state.widget("temperature"),
    )
    right.number_input(
        "Seed",
        **state.limits("seed"),
        value=None,
        step=1,
        placeholder="none",
        **state.widget("seed"),
    )
    left.number_input(
        "Calls at once",
        **state.limits("concurrency"),
        value=state.setting("concurrency").default,
        **state.widget("concurrency"),
    )
    right.number_input(
        "Timeout, s",
        **state.limits("timeout"),
        value=state.setting("timeout").default,
        help="Of a whole call: its answer to the last word, up to two more requests after a"
        " temporary failure, and the waits between them.",
        **state.widget("timeout"),
    )
