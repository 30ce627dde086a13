"""What the calls of a run would come to under other settings: totals, and where they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synth.base import BaseSynthesizer
from synth.errors import SynthError
from synth.trace import Plan


@dataclass(frozen=True)
class Totals:
    """What the calls of a plan come to.

    `problem` says why there is no whole plan: it was refused, and all else is 0, or it would
    not end, and the rest counts what there is of it.
    """

    calls: int
    prompt_tokens: int
    output_tokens: int
    longest_chain: int
    problem: str | None = None

    @classmethod
    def of(cls, plan: Plan) -> Totals:
        """The totals of a plan."""
        return cls(
            plan.call_count,
            plan.prompt_tokens,
            plan.output_tokens,
            plan.longest_chain,
            plan.problem,
        )


class Planner:
    """Plans one question over one list of chunks again and again, for totals alone."""

    def __init__(self, query_str: str, chunks: Sequence[str], variables: Mapping[str, str]) -> None:
        self.query_str = query_str
        self.chunks = tuple(chunks)
        self.variables = dict(variables)

    def totals(
        self,
        synthesizer: BaseSynthesizer,
        answer_tokens: int | None = None,
        first: int | None = None,
    ) -> Totals:
        """What a plan of the `first` chunks (None: all) with this synthesizer comes to.

        Answers have `answer_tokens` tokens (None: num_output). The totals are always those
        of `synthesizer.plan`; where that raises a SynthError, its message is the `problem`.
        """
        chunks = self.chunks[:first]
        try:
            plan = synthesizer.plan(self.query_str, chunks, answer_tokens, **self.variables)
        except SynthError as refusal:
            return Totals(0, 0, 0, 0, str(refusal))
        return Totals.of(plan)


@dataclass(frozen=True)
class Cliff:
    """Where a count changes: it is `before` below `x` and `after` from `x` on."""

    x: int
    before: int
    after: int


def cliffs(at: Callable[[int], int], xs: Sequence[int]) -> tuple[Cliff, ...]:
    """The exact x of each change of `at` between neighbours in `xs`, by bisection.

    `xs` rise. Between two neighbours one change is assumed: of several, one is found, and
    `before` and `after` are the values on its two sides. Where the neighbours are alike,
    nothing is looked for.
    """
    counted = [(x, at(x)) for x in xs]
    return tuple(_cliff(at, *gap) for gap in pairwise(counted) if gap[0][1] != gap[1][1])


def _cliff(at: Callable[[int], int], left: tuple[int, int], right: tuple[int, int]) -> Cliff:
    (low, before), (high, after) = left, right
    while high - low > 1:
        middle = (low + high) // 2
        if (found := at(middle)) == before:
            low = middle
        else:
            high, after = middle, found
    return Cliff(high, before, after)
