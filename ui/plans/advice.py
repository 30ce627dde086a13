"""Requests as the adviser weighs them: the goals in words, and the plans that decide."""

from collections.abc import Mapping
from types import MappingProxyType

from synth.modes.advice.choice import MEASURED, Prospect, Prospects, suited
from synth.modes.facts import Goal
from synth.modes.registry import mode_facts
from ui.plans.plan_range import plan_range
from ui.settings.request import Request

GOALS: Mapping[Goal, str] = MappingProxyType(
    {
        "detail": "Goal: one detailed answer",
        "summary": "Goal: a summary",
        "per_chunk": "Goal: one answer per chunk",
        "cheapest": "Goal: the lowest cost",
        "fastest": "Goal: the shortest wait",
    }
)
"""The words on the page for what is wanted."""


def prospects_of(
    goal: Goal, requests: Mapping[str, Request], answer_tokens: int | None = None
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
        prospect = prospect_of(requests[mode], answer_tokens)
        if prospect is None:
            left_out[mode] = "would be refused" if plans.refused else "can't be planned"
        elif any(plan is not None and plan.problem for plan in (plans.low, plans.high)):
            left_out[mode] = "would not finish"
        else:
            prospects[mode] = prospect
            settled |= goal not in MEASURED and prospect.ends and not prospect.high.lost_tokens
    return prospects, left_out


def prospect_of(request: Request, answer_tokens: int | None = None) -> Prospect | None:
    """The plans of a request as the adviser weighs them; None where it has none."""
    plans = plan_range(request, answer_tokens)
    if plans.low is None or plans.high is None or plans.bounds is None:
        return None
    return Prospect(plans.low, plans.high, plans.bounds, request.model.price)
