"""Prefixes of prompts that a server has read before, and for which it may charge less.

No provider promises to remember a prompt: what is computed here is likely, and no bound counts on
it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from synth.runs.calls import PlannedCall
from synth.runs.prices import CacheRule

if TYPE_CHECKING:
    from synth.runs.trace import Plan


_Key = tuple[int, int]  # the number of a plan, and that of a call in it


class SeenPrompts:
    """The prompts that a server remembers by a rule."""

    def __init__(self, rule: CacheRule) -> None:
        self.rule = rule
        self._numbers: dict[object, int] = {}  # of tokens, which may be of types without an order
        self._prompts: list[list[int]] = []  # in order, so that the nearest stand side by side
        self._arrived: list[list[int]] = []
        self._units: list[list[int]] = []

    def find_cached(self, tokens: Sequence[object], length: int | None = None) -> int:
        """Return how many of a prompt's first tokens the server has read before.

        The prompt has `length` tokens, of which the first are given.
        """
        prompt = self._number(tokens)
        common = self._longest_unit(prompt) if self.rule.stores_units else self._common(prompt)
        most = (len(prompt) if length is None else length) - self.rule.rereads
        return self.rule.whole_steps(min(common, most))

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
        numbers = self._numbers
        return [numbers.setdefault(token, len(numbers)) for token in tokens]

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


def count_common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many first tokens two prompts have in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def plan_in_order(
    plans: Iterable[Plan],
    rule: CacheRule,
    concurrency: int = 1,
    warm: Iterable[Sequence[object]] = (),
) -> list[Plan]:
    """Return the plans of runs that follow one another, with `cached_tokens` of each call.

    Calls of one batch that go out together (`concurrency`) warm nothing for each other. `warm` are
    the tokens of prompts that the server has read before. What stands behind an answer differs from
    run to run, so it is never counted.
    """
    plans = list(plans)
    prompts = {
        (number, call.number): call.prompt.encode(call.tokenizer, before_answers=True)
        for number, plan in enumerate(plans)
        for call in plan.calls
    }
    marks = _find_marks(prompts) if rule.is_marked else {}
    seen = SeenPrompts(rule)
    for prompt in warm:
        seen.add(prompt)
    planned = []
    for number, plan in enumerate(plans):
        calls: list[PlannedCall] = []
        for _, batch in groupby(plan.calls, key=lambda call: call.depth):
            waiting = []
            for call in batch:
                key = number, call.number
                cached = seen.find_cached(prompts[key], call.prompt_tokens)
                stored = rule.whole_steps(marks.get(key, call.prompt_tokens))
                written = max(0, stored - cached) if rule.writes else 0
                calls.append(replace(call, cached_tokens=cached, written_tokens=written))
                waiting.append(prompts[key])
                if concurrency == 1:
                    seen.add(waiting.pop())
            for prompt in waiting:
                seen.add(prompt)
        planned.append(replace(plan, calls=tuple(calls)))
    return planned


def _find_marks(prompts: Mapping[_Key, Sequence[object]]) -> dict[_Key, int]:
    """Return for each prompt where a mark pays: at the end of what another one begins with.

    One that shares nothing is better not marked, since what is written costs more.
    """
    marks = dict.fromkeys(prompts, 0)
    for keys in (list(prompts), list(prompts)[::-1]):
        seen = SeenPrompts(CacheRule())
        for key in keys:
            marks[key] = max(marks[key], seen.find_cached(prompts[key]))
            seen.add(prompts[key])
    return marks
