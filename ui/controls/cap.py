"""The widgets of the cap of a run."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.look.elements import small
from ui.settings import model, state


def draw() -> None:
    """The cap's numbers; dollars only where a model could cost some."""
    left, right = st.columns(2, gap="small")
    number: dict[str, Any] = {"min_value": 0, "value": None, "placeholder": "none"}
    left.number_input(
        "Calls",
        **number,
        help="Requests: one that is sent again counts again.",
        **state.widget("cap_calls"),
    )
    right.number_input("Tokens", **number, **state.widget("cap_tokens"), step=1_000)
    if state.get("model") != "endpoint":
        return
    number = {"min_value": 0.0, "value": None, "placeholder": "none", "format": "%.4f"}
    st.number_input("Dollars", **number, step=0.01, **state.widget("cap_dollars"))
    if state.get("cap_dollars") is not None and model.price(state.get) is None:
        small(
            "The price of this model is unknown, so a cap in dollars can't be kept: no run"
            " begins. Cap tokens instead."
        )
