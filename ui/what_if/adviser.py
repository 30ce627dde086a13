"""Advice on the mode to use for this input at the chosen value, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import streamlit as st

from synth.advice import Prospect, advise
from synth.response_synthesizers.facts import Goal
from ui.look.elements import box, section
from ui.plan.plan_range import plan_range
from ui.request.request import Request
from ui.session import address, keys, workspace
from ui.settings import model, state

_GOALS: dict[str, str] = {
    "detail": "One answer in detail",
    "summary": "A summary",
    "per_chunk": "One answer per chunk",
    "cheapest": "Cheapest",
    "fastest": "Fastest",
}


def draw(requests: Mapping[str, Request], answer_tokens: int | None, phrase: str) -> None:
    """The goals, and a mode with reasons for the chosen one; until then nothing is planned."""
    section(f"Which mode to use, {phrase}")
    goals = get_args(Goal)
    address.hold("goal", goals, None)
    goal = st.pills(
        "What the answer is for",
        goals,
        format_func=_GOALS.__getitem__,
        label_visibility="collapsed",
        key="goal",
        persist_state="session",
    )
    if goal is not None:
        _advice(goal, requests, answer_tokens)


def _advice(goal: Goal, requests: Mapping[str, Request], answer_tokens: int | None) -> None:
    price = model.price(state.get)
    key = (goal, price, answer_tokens, tuple(requests.values()))
    advice = workspace.current().remembered(
        "advice", key, lambda: advise(goal, _plans(requests, answer_tokens), price)
    )
    if advice is None:
        box(
            "No mode can be advised.",
            "No suitable mode has a plan here that makes calls and finishes.",
        )
        return
    with box(f"{advice.mode}.", " ".join((*advice.why, *advice.equal))).container(horizontal=True):
        st.button(
            "Put it in focus",
            type="tertiary",
            icon=":material/center_focus_strong:",
            on_click=_focus,
            args=(advice.mode,),
        )
        st.button(
            "Use this mode",
            type="tertiary",
            icon=":material/check:",
            disabled=state.get("mode") == advice.mode,
            on_click=state.put,
            kwargs={"mode": advice.mode},
        )


def _plans(requests: Mapping[str, Request], answer_tokens: int | None) -> dict[str, Prospect]:
    ranges = {mode: plan_range(request, answer_tokens) for mode, request in requests.items()}
    return {
        mode: Prospect(plans.low, plans.high, plans.bounds)
        for mode, plans in ranges.items()
        if plans.low is not None and plans.high is not None and plans.bounds is not None
    }


def _focus(mode: str) -> None:
    st.session_state[keys.FOCUS] = mode
