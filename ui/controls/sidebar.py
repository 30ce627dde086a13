"""The sidebar: the model, its window and the length of answers; folded, all other limits."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from synth.encodings import RECIPES
from synth.response_synthesizers.base import PLANNED_CALLS
from ui.controls import model_choice
from ui.look.elements import section, small
from ui.look.glossary import TERMS, help_of
from ui.request.request import BEHAVIOURS
from ui.session import parts
from ui.settings import model, state

_SAID_OF = {
    "padding": "margin {:,}",
    "overlap": "overlap {:g}",
    "chunk_limit": "chunk limit {:,}",
    "encoding": "{}",
    "cap_calls": "cap {:,} calls",
    "cap_tokens": "cap {:,} tokens",
    "cap_dollars": "cap ${:.4g}",
    "behaviour": "{}",
}
"""What the fold says of each setting in it that has another value than its default."""


def draw_sidebar() -> None:
    """Draw the whole sidebar."""
    with st.sidebar:
        section("Model")
        model_choice.draw()
        section("Limits, in tokens")
        _tokens("window", "Context window", help_of("context window"))
        _tokens("num_output", "Answer length (num_output)", help_of("answer length"))
        _more_limits()
        parts.part("changed limits", _changed, _name_on_fold)


def _tokens(name: str, label: str, help: str, empty: str | None = None) -> None:
    """The field of a setting in tokens; `empty` is what it says while it has no value."""
    st.number_input(
        label,
        **state.limits(name),
        value=state.setting(name).default,
        step=8,
        placeholder=empty,
        help=help,
        **state.widget(name),
    )


def _changed() -> tuple[str, ...]:
    """What differs from its default among the settings in the fold."""
    return tuple(
        words.format(state.get(name))
        for name, words in _SAID_OF.items()
        if state.get(name) != state.setting(name).default
    )


def _name_on_fold(changed: tuple[str, ...]) -> None:
    """Write the changed limits behind the label of the fold, without drawing the fold again."""
    words = json.dumps(f" · {', '.join(changed)}" if changed else "", ensure_ascii=False)
    st.html(f"<style>.st-key-more_limits summary p::after {{ content: {words}; }}</style>")


def _more_limits() -> None:
    with st.expander("More limits", key="more_limits"):
        _limits()
        section("Cap of a run")
        _cap()
        section("Behaviour")
        st.segmented_control(
            "Behaviour",
            BEHAVIOURS,
            default=state.setting("behaviour").default,
            required=True,
            label_visibility="collapsed",
            **state.widget("behaviour"),
        )
        for name in BEHAVIOURS:
            small(f"{name}: {TERMS[name].meaning}")


def _limits() -> None:
    margin = (
        f"{help_of('safety margin')} Refine and compact have one: if empty, an eighth of the"
        " window, at most 500; under llama_index 500."
    )
    _tokens("padding", "Safety margin (padding)", margin, empty="auto")
    st.slider(
        "Overlap",
        **state.limits("overlap"),
        value=state.setting("overlap").default,
        step=0.01,
        help=help_of("overlap"),
        **state.widget("overlap"),
    )
    _tokens("chunk_limit", "Chunk size limit", help_of("chunk size limit"), empty="none")
    st.selectbox("Encoding", sorted(RECIPES), help=help_of("encoding"), **state.widget("encoding"))


def _cap() -> None:
    """The limits of the cap; dollars only for a model that may cost something."""
    left, right = st.columns(2, gap="small")
    number: dict[str, Any] = {"value": None, "placeholder": "none"}
    left.number_input(
        "Calls",
        **number | state.limits("cap_calls") | {"placeholder": f"{PLANNED_CALLS:,}"},
        help="Requests: one that is sent again counts again. If empty, a run stops after"
        f" {PLANNED_CALLS:,}, and after as many more each time it goes on.",
        **state.widget("cap_calls"),
    )
    number_of_tokens = number | state.limits("cap_tokens")
    right.number_input("Tokens", **number_of_tokens, **state.widget("cap_tokens"), step=1_000)
    if state.get("model") != "endpoint":
        return
    number |= state.limits("cap_dollars") | {"format": "%.4f"}
    st.number_input("Dollars", **number, step=0.01, **state.widget("cap_dollars"))
    parts.part("unpriced cap", _is_unpriced, _say_unpriced)


def _is_unpriced() -> bool:
    """Whether there is a cap in dollars for a model without a known price."""
    return state.get("cap_dollars") is not None and model.price(state.get) is None


def _say_unpriced(unpriced: bool) -> None:
    if unpriced:
        small(
            "The price of this model is unknown, so a cap in dollars can't be checked, and no run"
            " starts. Cap tokens instead."
        )
