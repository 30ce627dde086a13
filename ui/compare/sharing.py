"""Which columns one run can serve, so that nobody pays twice for the same prompts."""

from __future__ import annotations

from collections.abc import Mapping

from synth.equivalence import same_prompts, same_response
from ui.planning import Outlook
from ui.request import Request
from ui.workspace import Place


def leaders(
    requests: Mapping[Place, Request], outlooks: Mapping[Request, Outlook]
) -> dict[Place, Place]:
    """For each place the first one of the same question whose run gives its answer too."""
    found: dict[Place, Place] = {}
    for place, request in requests.items():
        served = (
            leader
            for leader in dict.fromkeys(found.values())
            if leader.question == place.question and one_run(requests[leader], request, outlooks)
        )
        found[place] = next(served, place)
    return found


def one_run(one: Request, other: Request, outlooks: Mapping[Request, Outlook]) -> bool:
    """Whether both would ask the same model the same, and make the same of its answers."""
    if one == other:
        return True
    first, second = outlooks[one], outlooks[other]
    if first.high is None or second.high is None or first.high.problem or second.high.problem:
        return False
    if not same_response(first.high, second.high) or not sends_the_same(one, other, outlooks):
        return False
    # What the calls after the first would send is planned with assumed answers; how much of
    # the real ones fits depends on the window.
    return (first.high.exact and second.high.exact) or one.window == other.window


def sends_the_same(one: Request, other: Request, outlooks: Mapping[Request, Outlook]) -> bool:
    """Whether both would ask the same model the very same prompts, as far as they are planned."""
    return _reply(one) == _reply(other) and _sent_alike(outlooks[one], outlooks[other])


def _reply(request: Request) -> tuple[object, ...]:
    """What a reply depends on beside the prompt."""
    return request.model, request.num_output, request.encoding, request.filtering


def _sent_alike(first: Outlook, second: Outlook) -> bool:
    """Whether the prompts are the same, with short answers and with long ones."""
    pairs = ((first.low, second.low), (first.high, second.high))
    return all(
        one is not None and other is not None and bool(same_prompts([one, other]))
        for one, other in pairs
    )
