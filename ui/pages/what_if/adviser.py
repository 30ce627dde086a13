"""The adviser's headline for the chosen value, its reasons, and the button that takes the mode."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import sentence_html
from synth.html.markup import tag
from synth.modes.advice.choice import choose
from synth.modes.advice.reasons import advise
from synth.modes.facts import Goal
from synth.words.headline import headline
from ui.plans.plan_range import prospect_of, prospects_of
from ui.session import keys
from ui.settings import state
from ui.settings.request import Request


def draw(
    lead_row: DeltaGenerator,
    goal: Goal,
    requests: Mapping[str, Request],
    answer_tokens: int | None,
    phrase: str,
) -> None:
    """The headline in the row below the menu, with what can be done about it.

    `phrase` is the chosen value as the beginning of the headline: "At 1,024 tokens".
    """
    prospects, left_out = prospects_of(goal, requests, answer_tokens)
    chosen = next(iter(choose(goal, prospects)), None)
    with lead_row:
        st.html(
            sentence_html(headline(goal, prospects, left_out, phrase), "headline"), width="stretch"
        )
        if chosen is None:
            return
        why = st.popover("Why", key="why", on_change="rerun")
        if why.open:
            with why:
                _reasons(goal, requests, answer_tokens, chosen)
        st.button(
            "Use this mode",
            icon=":material/check:",
            key="use_mode",
            disabled=state.current().mode == chosen,
            on_click=state.put,
            kwargs={"mode": chosen},
        )


def _reasons(
    goal: Goal, requests: Mapping[str, Request], answer_tokens: int | None, chosen: str
) -> None:
    """All that speaks for the mode; every mode is planned for this, so only when it is asked."""
    prospects = {
        mode: prospect
        for mode, request in requests.items()
        if (prospect := prospect_of(request, answer_tokens)) is not None
    }
    if advice := advise(goal, prospects):
        st.html(tag("ul.num", *(tag("li", line) for line in (*advice.why, *advice.equal))))
    st.button(
        "Put it in focus",
        type="tertiary",
        icon=":material/center_focus_strong:",
        on_click=_focus,
        args=(chosen,),
    )


def _focus(mode: str) -> None:
    st.session_state[keys.FOCUS] = mode
