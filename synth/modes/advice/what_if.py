"""The totals of a run's calls under other settings, and where those totals change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from synth.errors import SynthError
from synth.modes.base import PLANNED_CALLS, BaseSynthesizer
from synth.modes.facts import facts_of
from synth.modes.inputs import RESERVED, chunk_texts, question, refuse_reserved
from synth.modes.quick_counts import QUICK_COUNTS, PerChunkCounts
from synth.prompts.window import PARAGRAPH
from synth.runs.drivers import placeholder_answer
from synth.runs.steps import Answer
from synth.runs.trace import Plan


@dataclass(frozen=True)
class Totals:
    """The totals of a plan's calls.

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

    @classmethod
    def refused(cls, problem: str | None) -> Totals:
        """The totals where there is no plan at all."""
        return cls(0, 0, 0, 0, problem)


class Planner:
    """Plans one question over one list of chunks again and again, for totals alone.

    What does not depend on the settings is done once: a mode that packs all chunks together
    (`chunk_separator`) gets them joined, as one chunk, which makes the same calls; and prompts
    that carry one whole chunk each are counted once for all windows (quick_counts.py).
    SynthError for a question that is not a string, and for chunks that are not a list of strings.
    """

    def __init__(
        self, query_str: str, chunks: Sequence[str], variables: Mapping[str, str] = {}
    ) -> None:
        self.query_str = question(query_str)
        self.chunks = chunk_texts(chunks)
        self.variables: dict[str, Any] = dict(variables)
        self._joined = lru_cache(maxsize=4)(self._join)
        self._counts = lru_cache(maxsize=4)(partial(PerChunkCounts, self.chunks))

    def totals(
        self,
        synthesizer: BaseSynthesizer,
        answer_tokens: int | None = None,
        first: int | None = None,
    ) -> Totals:
        """The totals of a plan of the `first` chunks (None: all) with this synthesizer.

        Answers have `answer_tokens` tokens (None: num_output). The totals are always those
        of `synthesizer.plan`, but for a tree that would never end, which stops sooner here; where
        that raises a SynthError, its message is the `problem`.
        """
        tokens = synthesizer.prompt_helper.num_output if answer_tokens is None else answer_tokens
        if counted := self.counted(synthesizer, tokens, first):
            return counted
        try:
            return Totals.of(self.plan(synthesizer, tokens, first))
        except SynthError as refusal:
            return Totals.refused(str(refusal))

    def plan(
        self, synthesizer: BaseSynthesizer, answer_tokens: int, first: int | None = None
    ) -> Plan:
        """A plan with the same calls, of as few chunks as give them; SynthError as `plan` of it.

        One that is seen never to end has its first calls alone.
        """
        chunks = self._read(synthesizer, first)
        refuse_reserved(self.variables)
        plan = partial(synthesizer.plan, self.query_str, chunks, answer_tokens, **self.variables)
        for most in _GROWING if facts_of(type(synthesizer)).may_never_end else ():
            begun: Plan = plan(max_calls=most)
            if begun.problem is None or _never_ends(begun):
                return begun
        return plan()

    def _read(self, synthesizer: BaseSynthesizer, first: int | None) -> Sequence[str]:
        """As few chunks as make the same plan."""
        facts = facts_of(type(synthesizer))
        if not facts.sends_chunks:
            return []
        if facts.chunk_separator is not None:
            return [self._joined(first, facts.chunk_separator)]
        return self.chunks[:first]

    def _join(self, first: int | None, separator: str) -> str:
        """The chunks as the modes join them; only lines keep the white space around them."""
        chunks: Iterable[str] = self.chunks[:first]
        if separator == PARAGRAPH:
            chunks = filter(None, map(str.strip, chunks))
        return separator.join(chunks)

    def counted(
        self, synthesizer: BaseSynthesizer, answer_tokens: int, first: int | None = None
    ) -> Totals | None:
        """The totals without a plan, if each chunk is certain to go whole into a call of its own.

        None where that is not certain.
        """
        count = QUICK_COUNTS.get(type(synthesizer))
        if count is None or synthesizer.streaming or RESERVED.intersection(self.variables):
            return None
        tokenizer = synthesizer.prompt_helper.tokenizer
        keeps_blank = synthesizer.behaviour == "llama_index"
        counts = self._counts(tokenizer, keeps_blank)
        texts = counts.sent(first)
        if not 0 < texts <= PLANNED_CALLS:
            return None
        try:
            answer = Answer(1, placeholder_answer(tokenizer, answer_tokens))
            counted = count(synthesizer, self.query_str, counts, texts, answer, self.variables)
        except SynthError:  # the plan shows whether it fails there too, and with which message
            return None
        if counted is None:
            return None
        calls = len(counted.prompt_tokens)
        tokens = int(counted.prompt_tokens.sum())
        return Totals(calls, tokens, calls * answer_tokens, counted.longest_chain)


_GROWING = (60, 240, 960)  # calls, in which most trees end or are seen never to end


def _never_ends(plan: Plan) -> bool:
    """Whether a tree of equal answers has a level that is no narrower than the one below it.

    The more answers are packed, the more texts they make, so no level above will be narrower.
    """
    widths = Counter(call.depth for call in plan.calls).values()
    return any(below <= above for below, above in pairwise(widths))


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
        if (value := at(middle)) == before:
            low = middle
        else:
            high, after = middle, value
    return Cliff(high, before, after)
