"""The totals of a run's calls under other settings, and where those totals change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from synth.errors import SynthError
from synth.modes.base import BaseSynthesizer
from synth.modes.facts import facts_of
from synth.modes.inputs import refuse_reserved
from synth.runs.trace import Plan


@dataclass(frozen=True)
class Totals:
    """The totals of a plan's calls; `problem` says why it was refused, and is 0, or has no end."""

    calls: int
    prompt_tokens: int
    output_tokens: int
    longest_chain: int
    problem: str | None = None

    @classmethod
    def of(cls, plan: Plan) -> Totals:
        """Return the totals of a plan."""
        return cls(
            plan.call_count,
            plan.prompt_tokens,
            plan.output_tokens,
            plan.longest_chain,
            plan.problem,
        )

    @classmethod
    def refuse(cls, problem: str | None) -> Totals:
        """Return the totals where there is no plan at all."""
        return cls(0, 0, 0, 0, problem)


def totals(
    synthesizer: BaseSynthesizer,
    query_str: str,
    text_chunks: Sequence[str],
    answer_tokens: int | None = None,
    variables: Mapping[str, Any] = MappingProxyType({}),
) -> Totals:
    """Count a plan's calls, of an endless tree the first; a refusal is the `problem`."""
    try:
        refuse_reserved(variables)
        plan = partial(synthesizer.plan, query_str, text_chunks, answer_tokens, **variables)
        for most in _GROWING if facts_of(type(synthesizer)).may_never_end else ():
            begun: Plan = plan(max_calls=most)
            if begun.problem is None or _never_ends(begun):
                return Totals.of(begun)
        return Totals.of(plan())
    except SynthError as refusal:
        return Totals.refuse(str(refusal))


_GROWING = (60, 240, 960)  # calls, in which most trees end or are seen never to end


def _never_ends(plan: Plan) -> bool:
    """Whether a tree of equal answers has a level that is no narrower than the one below it."""
    widths = Counter(call.depth for call in plan.calls).values()
    return any(below <= above for below, above in pairwise(widths))


@dataclass(frozen=True)
class Cliff:
    """Where a count changes: it is `before` below `x` and `after` from `x` on."""

    x: int
    before: int
    after: int
