"""The fields of the judge: its endpoint and limits, what it judges, and how often."""

from __future__ import annotations

import streamlit as st

from ui.compare import editors
from ui.compare.analysis.judgements import KINDS
from ui.compare.comparison import Comparison
from ui.compare.editors import held
from ui.compare.judge import setup
from ui.controls import key_field
from ui.look.elements import small
from ui.session import keys, workspace
from ui.settings import hosts, state

_EXAMPLE = "gpt-4.1-mini"


def draw(comparison: Comparison) -> None:
    """All fields."""
    with st.container(border=True, key="judge_fields"):
        with st.container(key="two_judge"):
            model, address, key, window, length = st.columns([4, 4, 4, 3, 3], gap="medium")
        with model:
            _text("Model that judges", "model_name", _EXAMPLE)
        with address:
            _text("Base URL", "base_url", "as in the sidebar")
        with key:
            _key(comparison)
        with window:
            _number("Context window", "window")
        with length:
            _number("Answer length", "num_output")
        _what()


def _text(label: str, name: str, example: str) -> None:
    """A text; while it is empty the placeholder shows the sidebar's."""
    key = f"judge {name}"
    placeholder = state.get(name) or example
    options = held(key, setup.column().override(name), _store_setting, (key, name))
    st.text_input(label, placeholder=placeholder, **options)


def _key(comparison: Comparison) -> None:
    """The key of the judge's address, where neither the sidebar nor a column asks for it."""
    address = hosts.address(setup.settings())
    if asked := editors.asks_for_key(comparison, address):
        small(f"The key is {asked}. Empty fields: as in the sidebar.")
    else:
        key_field.draw("API key of this address", address)


def _number(label: str, name: str) -> None:
    key = f"judge {name}"
    value = setup.settings()(name)
    st.number_input(
        label, 1, state.MOST_TOKENS, step=8, **held(key, value, _store_setting, (key, name))
    )


def _what() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            "What it judges",
            list(KINDS),
            selection_mode="multi",
            format_func=KINDS.__getitem__,
            **held(keys.JUDGE_KINDS, list(setup.kinds()), _store, (keys.JUDGE_KINDS,)),
        )
        st.number_input(
            "Repeats",
            1,
            setup.MOST_REPEATS,
            width=110,
            help="How often each prompt is asked, to see whether the judge agrees with itself.",
            **held(keys.JUDGE_REPEATS, setup.repeats(), _store, (keys.JUDGE_REPEATS,)),
        )
    small("At temperature 0. Where a column is run several times, its first answer is judged.")


def _store_setting(key: str, name: str) -> None:
    setup.change(name, st.session_state[key])
    if name == "base_url":
        hosts.confirm_typed(st.session_state[key], setup.settings())


def _store(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
