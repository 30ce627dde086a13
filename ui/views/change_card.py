"""The card with the smallest change under which a fact is sent, and other changes with prices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from synth.quality import Change, Fact
from synth.text.wording import Bold
from ui.look.elements import sentence, small
from ui.look.html import Html, table
from ui.plan.smallest_change import (
    change_cost,
    change_price,
    change_words,
    changed_settings,
    changes_for,
)
from ui.settings.schema import Settings

_PROMISE = (
    "Found by planning, without a call. That the fact is sent is certain while no answer is longer"
    " than its limit; that an answer keeps it is not."
)


def draw(fact: Fact, settings: Settings, take: Callable[[dict[str, Any]], None]) -> None:
    """The card for a fact that is not sent with these settings; `take` changes settings."""
    changes = changes_for(fact, settings)
    if changes is None:
        small("The chunks are too long to search for the smallest change that would send it.")
        return
    if not changes:
        small("No window, answer length, overlap, order or mode of these would send it.")
        return
    smallest, *others = changes
    words = change_words(smallest)
    with st.container(border=True, key="smallest_change"):
        then = f". The fact is then sent in call {smallest.call:,}; {change_cost(smallest)} in all."
        sentence([Bold(f"Smallest change: {words}"), then])
        if others:
            st.html(_table_html(others))
        st.button(
            f"Try {words}", on_click=take, args=(changed_settings(smallest),), key="try_change"
        )
        small(_PROMISE)


def _table_html(changes: Sequence[Change]) -> Html:
    rows = [
        (change_words(one), f"{one.calls:,}", f"{one.prompt_tokens:,}", change_price(one))
        for one in changes
    ]
    return table("other-changes.num", ("or", "calls", "prompt tokens", "but"), rows)
