"""llama-index-core with the same input: how its plan differs."""

from dataclasses import replace
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.plans.plan_range import plan_range
from ui.session import workspace
from ui.settings.request import Request

_MORE_CALLS, _TIMES_OURS = 60, 4  # beside ours: enough to see that it makes far more


class UpstreamDifference(NamedTuple):
    """The difference of the two plans: its calls in a sentence, and its tokens or its refusal."""

    head: str
    why: str


def upstream(request: Request) -> UpstreamDifference | None:
    """Compare with the plan of llama-index-core; None without one, or if its prompts equal ours."""
    if request.behaviour == "llama_index":
        return None
    return workspace.current().remember("upstream", request, lambda: _compare(request))


def _compare(request: Request) -> UpstreamDifference | None:
    ours = plan_range(request).high
    if ours is None:
        return None
    try:
        theirs = _plan(request, _MORE_CALLS + _TIMES_OURS * ours.call_count)
    except SynthError as error:
        return UpstreamDifference("LlamaIndex itself would refuse this.", str(error))
    if theirs is None or _prompts(theirs) == _prompts(ours):
        return None
    calls = counted(theirs.call_count, "call")
    if theirs.problem:
        return UpstreamDifference(
            f"LlamaIndex itself would make {calls} or more here.", theirs.problem
        )
    head = f"LlamaIndex itself would make {calls} here, not {ours.call_count:,}."
    if theirs.call_count == ours.call_count:
        head = f"LlamaIndex itself would make {calls} here too, with other prompts."
    against = f"against {ours.prompt_tokens:,}"
    if theirs.prompt_tokens == ours.prompt_tokens:
        against = "as here"
    why = f"It sends {theirs.prompt_tokens:,} prompt tokens in all, {against}."
    return UpstreamDifference(head, why)


def _plan(request: Request, max_calls: int) -> Plan | None:
    """Plan as llama-index-core does; None if there can be no plan, SynthError if it refuses."""
    asked = replace(request, behaviour="llama_index")
    synthesizer = asked.synthesizer()
    if not synthesizer.plannable:
        return None
    values: dict[str, Any] = dict(asked.variables)
    return synthesizer.plan(asked.query_str, asked.text_chunks, max_calls=max_calls, **values)


def _prompts(plan: Plan) -> list[str]:
    return [call.prompt.text for call in plan.calls]
