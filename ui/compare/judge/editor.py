"""The fields of the judge: its endpoint and limits, what it judges, and how often."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.compare import editors
from ui.compare.analysis.judgements import KINDS
from ui.compare.comparison import Comparison
from ui.compare.editors import held
from ui.compare.judge import setup
from ui.controls import destinations
from ui.look.elements import small
from ui.session import keys, workspace
from ui.settings import hosts, state
from ui.settings.schema import Settings
from ui.settings.state import Place

_EMPTY = {"model_name": "gpt-4.1-mini", "base_url": "as in the sidebar"}


def draw(comparison: Comparison) -> None:
    """All fields."""
    judge = _Judge()
    with st.container(border=True, key="judge_fields"):
        with st.container(key="two_judge"):
            model, address, key, window, length = st.columns([4, 4, 4, 3, 3], gap="medium")
        with model:
            state.field("model_name", judge, label="Model that judges")
        with address:
            state.field("base_url", judge)
        with key:
            _key(comparison)
        with window:
            state.field("context_window", judge)
        with length:
            state.field("num_output", judge, label="Answer length")
        _what()


class _Judge(Place):
    """The judge: while the address is empty, it is that of the sidebar."""

    def key(self, path: str) -> str:
        return f"judge {path}"

    def value(self, path: str) -> Any:
        own = setup.column().override(path)
        return getattr(setup.settings(), path) if own is None and path in setup.DEFAULTS else own

    def placeholder(self, path: str) -> str | None:
        return state.current().value(path) or _EMPTY.get(path)

    def put(self, path: str, value: Any) -> None:
        setup.change(path, value)

    @property
    def settings(self) -> Settings:
        return setup.settings()

    def follow(self, path: str) -> None:
        """Nothing: each edit draws the whole page."""


def _key(comparison: Comparison) -> None:
    """The key of the judge's address, where neither the sidebar nor a column asks for it."""
    address = hosts.address(setup.settings())
    if asked := editors.asks_for_key(comparison, address):
        small(f"The key is {asked}. Empty fields: as in the sidebar.")
    else:
        destinations.draw_key("API key of this address", address)


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


def _store(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
