"""Which of several plans is the better one, by differences of their figures alone."""

from collections.abc import Mapping
from typing import NamedTuple

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
    def of(cls, plan: Plan, price: Price | None) -> "PlanFigures":
        """Return the figures of a plan."""
        tokens = plan.prompt_tokens + plan.output_tokens
        cost = tokens if price is None else price.of(*plan.spent.tokens)
        return cls(plan.lost_tokens, cost, plan.longest_chain, plan.call_count)

    @property
    def rank(self) -> tuple[int, float, int, int]:
        """Return what decides: costs in two digits, since less is no difference to anybody."""
        return (self.lost, float(f"{self.cost:.2g}"), self.in_turn, self.calls)


class Advice(NamedTuple):
    """A mode that is better than the chosen one, and its figures beside those of that.

    Where none is better, `mode` is the one that it `is_for`. `ties` have the same figures.
    """

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
