"""The adviser's headline for the chosen value, its reasons, and the button that takes the mode."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.modes.advice.choice import MEASURED, Prospect, Prospects, choose, suited
from synth.modes.advice.reasons import advise
from synth.modes.facts import Goal
from synth.modes.registry import mode_facts
from ui.look.escape import sentence_html
from ui.look.html import tag
from ui.plans.advice import headline
from ui.plans.plan_range import PlanRange, plan_range
from ui.session import keys
from ui.settings import model, state
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
    prospects, left_out = _prospects(goal, requests, answer_tokens)
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
        if (prospect := _prospect(plan_range(request, answer_tokens))) is not None
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


def _prospects(
    goal: Goal, requests: Mapping[str, Request], answer_tokens: int | None
) -> tuple[Prospects, dict[str, str]]:
    """The modes that decide, by name, and why others can't be advised.

    Where ranks decide, no mode is planned behind the first that sends all the text, but for
    those that make one call and cut off the rest: they are what the headline warns of.
    """
    prospects: dict[str, Prospect] = {}
    left_out: dict[str, str] = {}
    settled = False
    for mode in suited(goal):
        if mode not in requests or (settled and not mode_facts(mode).drops_excess):
            continue
        plans = plan_range(requests[mode], answer_tokens)
        prospect = _prospect(plans)
        if prospect is None:
            left_out[mode] = "would be refused" if plans.refused else "can't be planned"
        elif any(plan is not None and plan.problem for plan in (plans.low, plans.high)):
            left_out[mode] = "would not finish"
        else:
            prospects[mode] = prospect
            settled |= goal not in MEASURED and prospect.ends and not prospect.high.lost_tokens
    return prospects, left_out


def _prospect(plans: PlanRange) -> Prospect | None:
    if plans.low is None or plans.high is None or plans.bounds is None:
        return None
    return Prospect(plans.low, plans.high, plans.bounds, model.price(state.current()))


def _focus(mode: str) -> None:
    st.session_state[keys.FOCUS] = mode
