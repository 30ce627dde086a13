"""Which of several plans is the better one, and what plans take under other settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.modes.base import BaseSynthesizer, facts_of
from synth.modes.inputs import refuse_reserved
from synth.modes.registry import mode_facts
from synth.runs.prices import Price
from synth.runs.trace import Plan


class PlanFigures(NamedTuple):
    """What a plan takes, in the order in which plans are compared; less is better.

    `lost` are tokens of chunks that no call reads, `cost` US dollars, or tokens where no price is
    known. `in_turn` are the calls that wait for one another.
    """

    lost: int
    cost: float
    in_turn: int
    calls: int

    @classmethod
    def of(cls, plan: Plan, price: Price | None) -> PlanFigures:
        """Return the figures of a plan."""
        tokens = plan.prompt_tokens + plan.output_tokens
        cost = tokens if price is None else price.of(*plan.spent.tokens)
        return cls(plan.lost_tokens, cost, plan.longest_chain, plan.call_count)

    @property
    def rank(self) -> tuple[int, float, int, int]:
        """Return what decides: costs in two digits, since less is no difference to anybody."""
        return (self.lost, float(f"{self.cost:.2g}"), self.in_turn, self.calls)


class Advice(NamedTuple):
    """A mode that is better than the chosen one, or that one (`is_for`); `ties` are as good."""

    is_for: str
    mode: str
    figures: PlanFigures
    chosen: PlanFigures
    ties: tuple[str, ...] = ()


def advise(plans: Mapping[str, Plan], chosen: str, price: Price | None = None) -> Advice | None:
    """Compare the plan of the chosen mode with others whose response is of the same kind.

    A plan is better than another by the first figure in which they differ: what loses text loses,
    then what costs more, then what takes longer. Plans that end early or make no call are left out;
    None where the chosen one is such a plan.
    """
    figures = {
        mode: PlanFigures.of(plan, price)
        for mode, plan in plans.items()
        if plan.calls and not plan.problem and _kind(mode) == _kind(chosen)
    }
    if chosen not in figures:
        return None
    best = min(figures, key=lambda mode: (figures[mode].rank, mode != chosen))
    ties = [
        mode for mode, each in figures.items() if mode != best and each.rank == figures[best].rank
    ]
    return Advice(chosen, best, figures[best], figures[chosen], tuple(ties))


def _kind(mode: str) -> tuple[str, bool]:
    facts = mode_facts(mode)
    return facts.response_source, facts.sends_chunks


@dataclass(frozen=True)
class Totals:
    """The totals of a plan's calls; `problem` says why it was refused, and is 0, or has no end."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    longest_chain: int = 0
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
            widths = Counter(call.depth for call in begun.calls).values()
            # A tree of equal answers never ends once a level is no narrower than the one below.
            if begun.problem is None or any(below <= above for below, above in pairwise(widths)):
                return Totals.of(begun)
        return Totals.of(plan())
    except SynthError as refusal:
        return Totals(problem=str(refusal))


_GROWING = (60, 240, 960)  # calls, in which most trees end or are seen never to end


@dataclass(frozen=True)
class Cliff:
    """Where a count changes: it is `before` below `x` and `after` from `x` on."""

    x: int
    before: int
    after: int
