"""Which columns one run can serve, so that nobody pays twice for the same prompts."""

from __future__ import annotations

from collections.abc import Mapping

from synth.equivalence import same_prompts, same_response
from ui.compare.run_slots import RunSlot
from ui.plan.plan_range import PlanRange
from ui.request.request import Request


def leaders(
    requests: Mapping[RunSlot, Request], plans: Mapping[Request, PlanRange]
) -> dict[RunSlot, RunSlot]:
    """For each slot the first one of the same question whose run gives its answer too."""
    found: dict[RunSlot, RunSlot] = {}
    for slot, request in requests.items():
        served = (
            leader
            for leader in dict.fromkeys(found.values())
            if leader.question == slot.question and one_run(requests[leader], request, plans)
        )
        found[slot] = next(served, slot)
    return found


def one_run(one: Request, other: Request, plans: Mapping[Request, PlanRange]) -> bool:
    """Whether both would ask the same model the same, and make the same of its answers."""
    if one == other:
        return True
    first, second = plans[one], plans[other]
    if first.high is None or second.high is None or first.high.problem or second.high.problem:
        return False
    if not same_response(first.high, second.high) or not sends_the_same(one, other, plans):
        return False
    # What the calls after the first would send is planned with assumed answers; how much of
    # the real ones fits depends on the window.
    return (first.high.exact and second.high.exact) or one.window == other.window


def sends_the_same(one: Request, other: Request, plans: Mapping[Request, PlanRange]) -> bool:
    """Whether both would ask the same model the very same prompts, as far as they are planned."""
    return _reply(one) == _reply(other) and _sent_alike(plans[one], plans[other])


def _reply(request: Request) -> tuple[object, ...]:
    """What a reply depends on beside the prompt."""
    return request.model, request.num_output, request.encoding, request.filtering


def _sent_alike(first: PlanRange, second: PlanRange) -> bool:
    """Whether the prompts are the same, with short answers and with long ones."""
    pairs = ((first.low, second.low), (first.high, second.high))
    return all(
        one is not None and other is not None and bool(same_prompts([one, other]))
        for one, other in pairs
    )
