"""Requests as the adviser weighs them: the goals in words, and the plans that decide."""

from collections.abc import Mapping
from types import MappingProxyType

from synth.modes.advice.choice import Prospect, Prospects, weighed
from synth.modes.facts import Goal
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
    """The modes that decide, by name, and why others can't be advised."""

    def prospect(mode: str) -> Prospect | str:
        one = prospect_of(requests[mode], answer_tokens)
        if one is not None:
            return one
        refused = plan_range(requests[mode], answer_tokens).refused
        return "would be refused" if refused else "can't be planned"

    return weighed(goal, requests, prospect)


def prospect_of(request: Request, answer_tokens: int | None = None) -> Prospect | None:
    """The plans of a request as the adviser weighs them; None where it has none."""
    plans = plan_range(request, answer_tokens)
    if plans.low is None or plans.high is None or plans.bounds is None:
        return None
    return Prospect(plans.low, plans.high, plans.bounds, request.model.price)
