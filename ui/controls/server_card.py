"""What the model's server said of itself, and the model on this machine: both beside the window."""

from functools import partial

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import level_html, tags_html
from synth.html.markup import Html, tag, together
from synth.llms import on_this_machine
from synth.llms.served import ServerFacts
from synth.text.tokenizer import Tokenizer
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.look.elements import error_box, small
from ui.session import parts
from ui.settings import model, served, state, this_machine


def draw() -> None:
    """Draw the card of a server that Test has asked; nothing before."""
    settings = state.current()
    facts = served.facts(settings)
    if facts is None or (facts == ServerFacts() and _counting().sure):
        return
    smaller = facts.window is not None and facts.window < settings.context_window
    with st.container(border=True, gap="xsmall", key="server_card"):
        st.html(tag("div.num", _head(facts, smaller=smaller), _rows(facts), role="status"))
        if facts.window is not None and facts.window != settings.context_window:
            st.button(
                f"Set the window to {facts.window:,}",
                on_click=state.take,
                kwargs={"context_window": facts.window},
            )
        st.button("Ask again", type="tertiary", on_click=_ask)


def ask() -> None:
    """Ask the server, and keep what it says. SynthError for an address that nobody chose."""
    settings = state.current()
    state.put(served=served.with_facts(settings, served.ask(settings)))


def _ask() -> None:
    try:
        ask()
    except SynthError as problem:
        st.toast(str(problem))
        return
    state.follow()


def _counting() -> Tokenizer:
    return get_tokenizer(model.tokenizer(state.current()))


def _head(facts: ServerFacts, *, smaller: bool) -> Html:
    if smaller:
        return level_html("warning", "Its window is smaller")
    if facts.dialect is None:
        return level_html("warning", "It counts afterwards")
    if served.tokenizer(state.current()) is None:
        return level_html("warning", "It does not count at present")
    called = "Your server" if facts.kind == "other" else facts.kind
    return tag("b", f"{called} answers")


def _rows(facts: ServerFacts) -> Html:
    settings = state.current()
    own = served.tokenizer(settings)
    rows: list[tuple[str, Html]] = []
    if own is not None:
        frame = own.frame(("user",))
        texts = () if frame is None else frame.texts
        added = (frame.extra_tokens if frame else 0) + own.count("".join(texts))
        rows += [
            ("counts", tag("b", "its own tokenizer")),
            ("frame", together(["chat template, ", tag("b", f"{added:,}"), " a call"])),
        ]
    else:
        counting = tag("b", _counting().counting)
        rows += [("counts", tag("span", "with each answer")), ("tokens", counting)]
    rows.append(("window", _window(facts, settings.context_window)))
    if facts.cuts:
        rows.append(("too long", tag("span", "cut without a word")))
    if own is not None:
        rows.append(("asked", tag("span", counted(own.server.asked, "time"))))
    return tag("dl.pairs", *(tag("div", tag("dt", name), tag("dd", text)) for name, text in rows))


def _window(facts: ServerFacts, here: int) -> Html:
    if facts.window is None:
        trained = f", trained {facts.trained:,}" if facts.trained else ""
        return tag("span", f"{here:,}, as set here{trained}")
    more = ""
    if facts.window != here:
        more = f", this page {here:,}"
    elif facts.trained is not None and facts.trained != facts.window:
        more = f", trained {facts.trained:,}"
    return together([tag("b", f"{facts.window:,}"), more])


def draw_window_tag() -> None:
    """Draw whose the window of the page is, beside its field, once the server was asked."""
    settings = state.current()
    facts = served.facts(settings)
    if facts is None:
        return
    words = f"yours, the server has {facts.window:,}" if facts.window else "not known"
    if facts.window == settings.context_window:
        words = "from the server"
    elif facts.window is not None and facts.window < settings.context_window:
        words = "not the server's"
    st.html(tags_html([(words, "sure" if facts.window else "estimate")]))


def draw_machine() -> None:
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
    with st.expander("Advanced", key="advanced"):
        left, right = st.columns(2, gap="small")
        with left:
            state.field("temperature")
        with right:
            state.field("seed")


def _chosen_window() -> int:
    return state.current().context_window


def _window_of_machine(window: int, chosen: int) -> None:
    small(f"Window {window:,} tokens, from the server.")
    offer_window(window, chosen)


def offer_window(window: int, chosen: int) -> None:
    """The button that takes the window of the model where the page has another one."""
    if chosen > window:
        small("The context window below is larger than this model's.")
    if chosen != window:
        st.button(
            "Use this window",
            type="tertiary",
            on_click=state.take,
            kwargs={"context_window": window},
        )
