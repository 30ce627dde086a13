"""The choice of a model in the sidebar: server, name, key; what is known; does it answer."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from synth.errors import SynthError
from synth.models import model_facts
from synth.prompts import PromptTemplate
from synth.tokens import encoding_of
from ui import human, model, state
from ui.words import box, counted, small

_KINDS = {
    "offline": "Offline, no language model",
    "endpoint": "OpenAI-compatible endpoint",
    "human": "You are the LLM",
}
_NOTES = {
    "offline": "Picks the sentences of the chunks that match the question best. It understands"
    " nothing and writes nothing of its own; it needs no key and no network.",
    "human": "Each prompt of the run waits on the page until you have typed its answer.",
}
_TRY_SECONDS = 10


def draw() -> None:
    """All of it."""
    human.tidy()
    st.selectbox(
        "Model",
        list(_KINDS),
        format_func=lambda name: _KINDS[name],
        label_visibility="collapsed",
        **state.widget("model"),
    )
    if model.kind() != "endpoint":
        small(_NOTES[model.kind()])
        return
    _server()
    _name()
    st.text_input("API key", type="password", autocomplete="off", **state.widget("api_key"))
    small("The key stays in this session: it is in no link and never saved.")
    _tries()
    if model.name():
        _facts(model.name())
    with st.expander("Advanced", key="advanced"):
        _advanced()


def _server() -> None:
    st.session_state["server"] = model.server()
    st.selectbox("Server", [*model.SERVERS, model.OTHER], key="server", on_change=_preset)
    st.text_input("Base URL", placeholder="https://api.openai.com/v1", **state.widget("base_url"))


def _preset() -> None:
    state.put(base_url=model.SERVERS.get(st.session_state["server"], state.get("base_url")))
    st.session_state.pop("listed_models", None)


def _name() -> None:
    st.text_input("Model name", placeholder="gpt-4.1-mini", **state.widget("model_name"))
    if names := st.session_state.get("listed_models"):
        st.selectbox(
            "Models of this server",
            names,
            index=None,
            key="listed_model",
            placeholder=f"{len(names):,} to choose from",
            on_change=_chosen,
        )


def _chosen() -> None:
    if name := st.session_state["listed_model"]:
        state.put(model_name=name)


def _tries() -> None:
    with st.container(horizontal=True, key="tries"):
        listed = st.button("List models", on_click=_list)
        tested = st.button("Test", help="Sends one tiny call.", on_click=_test)
    if (listed or tested) and (said := st.session_state.get("endpoint_said")):
        box(*said)


def _list() -> None:
    from synth.llms.listing import list_models  # noqa: PLC0415  openai is slow to import

    st.session_state["listed_models"] = []
    try:
        names = list_models(**model.address(), timeout=_TRY_SECONDS)
    except SynthError as error:
        st.session_state["endpoint_said"] = "No list.", str(error)
        return
    st.session_state["listed_models"] = names
    said = "Choose one above." if names else "Load a model there first."
    st.session_state["endpoint_said"] = f"{counted(len(names), 'model')}.", said


def _test() -> None:
    prompt = PromptTemplate("Say: ok").fill()
    began = monotonic()
    try:
        found = model.make(num_output=16, timeout=_TRY_SECONDS, max_retries=0).complete(prompt)
    except SynthError as error:
        st.session_state["endpoint_said"] = "It does not answer.", str(error)
        return
    said = f"In {monotonic() - began:.1f} s: {found.text[:80]}"
    st.session_state["endpoint_said"] = "It answers.", said


def _facts(name: str) -> None:
    window, price = model_facts(name).context_window, model.price()
    known = "Window unknown" if window is None else f"Window {window:,} tokens"
    cost = "price unknown"
    if price is not None:
        cost = f"${price.prompt:,.2f} in, ${price.output:,.2f} out a million tokens"
    small(f"{known}; {cost}.")
    if window is not None and int(state.get("window")) > window:
        small("The context window below is larger than this model's.")
    encoding, guess = encoding_of(name)
    if guess:
        small(f"The tokenizer of {name} is not known here: {state.get('encoding')} counts for it.")
    elif encoding != state.get("encoding"):
        small(f"This model counts with {encoding}: choose that encoding below.")


def _advanced() -> None:
    left, right = st.columns(2, gap="small")
    left.number_input(
        "Temperature",
        0.0,
        2.0,
        value=None,
        step=0.1,
        placeholder="its own",
        **state.widget("temperature"),
    )
    right.number_input("Seed", value=None, step=1, placeholder="none", **state.widget("seed"))
    left.number_input(
        "Calls at once",
        1,
        64,
        value=state.setting("concurrency").default,
        **state.widget("concurrency"),
    )
    right.number_input(
        "Timeout, seconds",
        1,
        3600,
        value=state.setting("timeout").default,
        **state.widget("timeout"),
    )
