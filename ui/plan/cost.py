"""What a run may cost: the cap, what is known of prices, answers that were paid for."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from synth.bounds import Bounds
from synth.cache import AnswerCache
from synth.events import NOTHING_SPENT, Cap, Spent
from synth.trace import Plan
from synth.wording import dollars, told_apart
from ui.look.elements import small
from ui.session import workspace
from ui.settings import model, state
from ui.settings.state import Get


def options(get: Get = state.get, repeat: int = 0, spent: Spent = NOTHING_SPENT) -> dict[str, Any]:
    """How a run keeps to what it may cost; SynthError for dollars where no price is known."""
    if model.kind(get) != "endpoint":
        return {"cap": Cap(get("cap_calls"), get("cap_tokens"), spent=spent)}
    return {
        "cap": _cap(get, spent),
        "cache": workspace.current().remembered(workspace.ANSWERS, repeat, AnswerCache),
        "max_concurrency": int(get("concurrency")),
    }


def _cap(get: Get, spent: Spent) -> Cap:
    most = get("cap_dollars")
    price = model.price(get) if most is not None else None
    return Cap(get("cap_calls"), get("cap_tokens"), most, price, spent)


def draw() -> None:
    """The cap's three numbers; dollars only where a model could cost some."""
    left, right = st.columns(2, gap="small")
    number: dict[str, Any] = {"min_value": 0, "value": None, "placeholder": "none"}
    left.number_input(
        "Calls",
        **number,
        help="Requests: one that is sent again counts again.",
        **state.widget("cap_calls"),
    )
    right.number_input("Tokens", **number, **state.widget("cap_tokens"), step=1_000)
    if model.kind() != "endpoint":
        return
    number = {"min_value": 0.0, "value": None, "placeholder": "none", "format": "%.4f"}
    st.number_input("Dollars", **number, step=0.01, **state.widget("cap_dollars"))
    if state.get("cap_dollars") is not None and model.price() is None:
        small("The price of this model is unknown, so no run begins: cap tokens instead.")


def cost(low: Plan, high: Plan) -> str:
    """What the calls of a plan would cost, as the end of its sentence."""
    if model.kind() != "endpoint" or not high.call_count:
        return ""
    price = model.price()
    if price is None:
        return ", price unknown"
    least, most = (dollars(price.of(p.prompt_tokens, p.output_tokens)) for p in (low, high))
    return f", {most}" if least == most else f", {least} to {most}"


def crossing(bounds: Bounds) -> str | None:
    """What of the cap a run could cross, whatever the answers say, with the numbers."""
    tokens = bounds.prompt_tokens.high + bounds.output_tokens.high
    found = [
        f"more than {most:,} {noun}" if wanted == math.inf else f"{wanted:,} {noun} of {most:,}"
        for noun, most, wanted in (
            ("calls", state.get("cap_calls"), bounds.calls.high),
            ("tokens", state.get("cap_tokens"), tokens),
        )
        if most is not None and wanted > most
    ]
    price, most = model.price(), state.get("cap_dollars")
    if price is not None and most is not None and (worst := bounds.cost(price)) > most:
        told = told_apart(most, worst)
        found.append(f"more than {told[0]}" if worst == math.inf else f"{told[1]} of {told[0]}")
    if not found:
        return None
    return f"It could come to {' and '.join(found)}; the run would stop before that."
