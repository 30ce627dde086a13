"""llama-index-core with the same input: how its plan differs, and which quirks are the reason.

A quirk is named only if it shows in the two plans. The gravest is named first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise

from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.plan.plan_range import plan_range
from ui.plan.quirks import Issue, issue, prompts, quirks, upstream_plan
from ui.request.request import Request
from ui.session import workspace
from ui.session.apart import TookTooMuch, apart_if_long

_MOST_REASONS = 2
_MORE_CALLS, _TIMES_OURS = 60, 4
"""The plan of llama-index-core has at most 60 calls more than 4 times ours."""


@dataclass(frozen=True)
class UpstreamDifference:
    """The difference of the two plans in a sentence, its reasons, and the reports of these."""

    head: str
    why: str
    issues: tuple[Issue, ...] = ()


def upstream(request: Request) -> UpstreamDifference | None:
    """The difference of llama-index-core with this input; None if its prompts equal ours.

    None for a request without a plan, too.
    """
    if request.behaviour == "llama_index":
        return None
    return workspace.current().remembered("upstream", request, lambda: _in_time(request))


def _in_time(request: Request) -> UpstreamDifference | None:
    try:
        return apart_if_long(request.work, _compared, request)
    except TookTooMuch as problem:
        why = f"Its plan {problem}: send fewer chunks to see how it differs."
        return UpstreamDifference("What LlamaIndex itself would make is not known here.", why)


def _compared(request: Request) -> UpstreamDifference | None:
    ours = plan_range(request).high
    if ours is None:
        return None
    theirs = upstream_plan(request, _MORE_CALLS + _TIMES_OURS * ours.call_count)
    if isinstance(theirs, str):
        return UpstreamDifference("LlamaIndex itself would refuse this.", theirs)
    if theirs is None or prompts(theirs) == prompts(ours):
        return None
    if theirs.problem:
        return _unfinished(theirs)
    named = list(islice(quirks(request, ours, theirs), _MOST_REASONS))
    why = " ".join(quirk.reason for quirk in named) or _cuts(ours, theirs)
    issues = tuple(quirk.issue for quirk in named if quirk.issue is not None)
    return UpstreamDifference(_head(ours.call_count, theirs.call_count), why, issues)


def _head(ours: int, theirs: int) -> str:
    calls = counted(theirs, "call")
    if theirs == ours:
        return f"LlamaIndex itself would make {calls} here too, with other prompts."
    return f"LlamaIndex itself would make {calls} here, not {ours:,}."


def _cuts(ours: Plan, theirs: Plan) -> str:
    totals = f"{theirs.prompt_tokens:,} prompt tokens in all, against {ours.prompt_tokens:,}"
    if theirs.prompt_tokens == ours.prompt_tokens:
        totals = f"{theirs.prompt_tokens:,} prompt tokens in all, as here"
    return f"It cuts the chunks at other places: {totals}."


def _unfinished(theirs: Plan) -> UpstreamDifference:
    """The difference to a plan that never ends: a tree that does not shrink, or too many calls."""
    widths = sorted(Counter(call.depth for call in theirs.calls).items())
    grown = [above for below, above in pairwise(widths) if above[1] >= below[1]]
    if theirs.setup.mode == "tree_summarize" and grown:
        level, width = grown[0]
        why = (
            f"Level {level:,} has {counted(width, 'call')}, no fewer than the level below:"
            " its answers are as long as what they summarize, and LlamaIndex sets no limit."
        )
        return UpstreamDifference("LlamaIndex itself would never finish here.", why, (issue(6976),))
    calls = counted(theirs.call_count, "call")
    why = theirs.problem or ""
    return UpstreamDifference(f"LlamaIndex itself would make {calls} or more here.", why)
