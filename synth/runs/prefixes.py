"""Prefixes of prompts that a server has read before, and for which it may charge less.

No provider promises to remember a prompt: what is computed here is likely, and no bound counts on
it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby

from synth.runs.calls import PlannedCall
from synth.runs.prices import CacheRule
from synth.runs.trace import Plan
from synth.text.diff import count_common


class SeenPrompts:
    """The prompts that a server remembers by a rule."""

    def __init__(self, rule: CacheRule) -> None:
        self.rule = rule
        self._numbers: dict[object, int] = {}  # of tokens, which may be of types without an order
        self._prompts: list[list[int]] = []  # in order, so that the nearest stand side by side
        self._arrived: list[list[int]] = []
        self._units: list[list[int]] = []

    def find_cached(
        self, tokens: Sequence[object], length: int | None = None, factor: float = 1
    ) -> int:
        """Return how many of a prompt's first tokens the server has read before.

        The prompt has `length` tokens, of which the first are given, each of which counts as
        `factor` tokens.
        """
        prompt = self._number(tokens)
        common = self._longest_unit(prompt) if self.rule.stores_units else self._common(prompt)
        most = (len(prompt) if length is None else length) - self.rule.rereads
        return self.rule.whole_steps(min(int(common * factor), most))

    def copy(self) -> SeenPrompts:
        """Return a server that remembers the same, and goes on by itself."""
        other = SeenPrompts(self.rule)
        other._numbers = self._numbers
        other._prompts, other._arrived = [*self._prompts], [*self._arrived]
        other._units = [*self._units]
        return other

    def add(self, tokens: Sequence[object]) -> None:
        """Remember a prompt that was sent."""
        prompt = self._number(tokens)
        if self.rule.stores_units:
            insort(self._units, prompt[: self._common(prompt)])
            insort(self._units, prompt)
        insort(self._prompts, prompt)
        self._arrived.append(prompt)
        if self.rule.latest is not None and len(self._arrived) > self.rule.latest:
            self._prompts.remove(self._arrived.pop(0))

    def _number(self, tokens: Sequence[object]) -> list[int]:
        return [self._numbers.setdefault(token, len(self._numbers)) for token in tokens]

    def _common(self, prompt: list[int]) -> int:
        """The longest beginning that it has in common with any prompt: with one beside it."""
        place = bisect_left(self._prompts, prompt)
        nearest = self._prompts[max(0, place - 1) : place + 1]
        return max((count_common(prompt, other) for other in nearest), default=0)

    def _longest_unit(self, prompt: list[int]) -> int:
        common = len(prompt)
        place = bisect_right(self._units, prompt)
        while place:
            unit = self._units[place - 1]
            common = min(common, count_common(prompt, unit))
            if common == len(unit):
                return common
            place = bisect_right(self._units, prompt[:common], hi=place - 1)
        return 0


def plan_in_order(
    plans: Sequence[Plan],
    rule: CacheRule,
    concurrency: int = 1,
    warm: Iterable[Sequence[object]] = (),
    runs_at_once: int = 1,
) -> list[Plan]:
    """Return the plans of runs that follow one another, with `cached_tokens` of each call.

    Calls of a batch that go out together (`concurrency`), and runs that begin together, warm
    nothing for each other. `warm` are the tokens of prompts that the server has read before. What
    stands behind an answer differs from run to run, so it is never counted. Plans by a tokenizer
    that only counts stay as they are.
    """
    if not all(plan.setup.tokenizer.encodes for plan in plans):
        return [*plans]
    prompts = [
        [call.prompt.encode(call.tokenizer, before_answers=True) for call in plan.calls]
        for plan in plans
    ]
    marks = _find_marks(list(chain.from_iterable(prompts))) if rule.is_marked else None
    seen = SeenPrompts(rule)
    for prompt in warm:
        seen.add(prompt)
    planned = []
    for first in range(0, len(plans), runs_at_once):
        together = range(first, min(first + runs_at_once, len(plans)))
        for number in together:
            own = seen.copy()
            planned.append(_plan_calls(plans[number], prompts[number], own, concurrency, marks))
        for prompt in chain.from_iterable(prompts[number] for number in together):
            seen.add(prompt)
    return planned


def _plan_calls(
    plan: Plan,
    prompts: Sequence[Sequence[object]],
    seen: SeenPrompts,
    concurrency: int,
    marks: Iterator[int] | None,
) -> Plan:
    """Plan the calls of one run, which the server has `seen` then; each takes its mark."""
    rule, factor = seen.rule, plan.setup.tokenizer.factor
    calls: list[PlannedCall] = []
    for _, batch in groupby(zip(plan.calls, prompts, strict=True), key=lambda each: each[0].depth):
        waiting: list[Sequence[object]] = []
        for call, prompt in batch:
            cached = seen.find_cached(prompt, call.prompt_tokens, factor)
            marked = call.prompt_tokens if marks is None else int(next(marks) * factor)
            stored = rule.whole_steps(min(marked, call.prompt_tokens))
            written = max(0, stored - cached) if rule.writes else 0
            calls.append(replace(call, cached_tokens=cached, written_tokens=written))
            waiting.append(prompt)
            if len(waiting) >= concurrency:
                seen.add(waiting.pop(0))
        for prompt in waiting:
            seen.add(prompt)
    return replace(plan, calls=tuple(calls))


def _find_marks(prompts: Sequence[Sequence[object]]) -> Iterator[int]:
    """Yield where a mark pays in each prompt: where what another one begins with ends, else 0."""
    longest = []
    for ordered in (prompts, prompts[::-1]):
        seen, common = SeenPrompts(CacheRule()), []
        for prompt in ordered:
            common.append(seen.find_cached(prompt))
            seen.add(prompt)
        longest.append(common)
    yield from map(max, longest[0], longest[1][::-1])
