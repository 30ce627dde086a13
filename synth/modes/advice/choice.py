"""Which of several plans serves a goal best, and which of them do so alike."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from synth.modes.base import BaseSynthesizer
from synth.modes.facts import Goal
from synth.modes.registry import MODES, mode_facts
from synth.runs.bounds import Bounds
from synth.runs.prices import Price
from synth.runs.trace import Plan

MEASURED: tuple[Goal, ...] = ("cheapest", "fastest")
"""The goals for which plans decide, and the rank of a mode only between equals."""

SHORT = 20  # tokens of an answer that a plan takes as short


class Prospect(NamedTuple):
    """Plans with short and with long answers, what holds for every answer, and the price."""

    low: Plan
    high: Plan
    bounds: Bounds
    price: Price | None = None

    @property
    def mode(self) -> str:
        """The mode that was planned."""
        return self.high.setup.mode

    @property
    def ends(self) -> bool:
        """Whether it makes calls and comes to its end."""
        return all(plan.calls and plan.problem is None for plan in (self.low, self.high))

    @property
    def cost(self) -> float | None:
        """US dollars with long answers; None where no price is known."""
        if self.price is None:
            return None
        return self.price.of(*self.high.spent.tokens)

    @property
    def tokens(self) -> int:
        """Tokens of all prompts and answers, with long answers."""
        return self.high.prompt_tokens + self.high.output_tokens


def short_and_long(
    synthesizer: BaseSynthesizer,
    query_str: str,
    text_chunks: Sequence[str],
    answers: tuple[int, int],
    variables: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Plan, Plan, Bounds]:
    """Plan answers of the least and of the most tokens, and bound any; SynthError as in `plan`."""
    least, most = answers
    long = synthesizer.plan(query_str, text_chunks, answer_tokens=most, **variables)
    bounds = synthesizer.bounds(query_str, text_chunks, **variables)
    if long.exact and bounds.calls == (long.call_count, long.call_count):
        return long.answered(least), long, bounds
    short = synthesizer.plan(query_str, text_chunks, answer_tokens=least, **variables)
    return short, long, bounds


Prospects = Mapping[str, Prospect]
"""Prospects by name: that of their mode, or of whatever tells them apart."""


def rank_modes(goal: Goal) -> list[str]:
    """The modes that suit the goal, the best first; of one rank, as they were registered."""
    goals = {mode: mode_facts(mode).goals for mode in MODES}
    ranks = {mode: suits[goal] for mode, suits in goals.items() if goal in suits}
    return sorted(ranks, key=ranks.__getitem__)


def weigh_modes(
    goal: Goal, modes: Collection[str], prospect: Callable[[str], Prospect | str]
) -> tuple[Prospects, dict[str, str]]:
    """Gather plans that decide for a goal, and why others don't; where ranks do, few are made."""
    prospects: dict[str, Prospect] = {}
    left_out: dict[str, str] = {}
    settled = False
    for mode in rank_modes(goal):
        if mode not in modes or (settled and not mode_facts(mode).drops_excess):
            continue
        one = prospect(mode)
        if isinstance(one, str):
            left_out[mode] = one
        elif one.low.problem or one.high.problem:
            left_out[mode] = "would not finish" if one.low.problem else "may stop early"
        else:
            prospects[mode] = one
            settled |= goal not in MEASURED and one.ends and not one.high.lost_tokens
    return prospects, left_out


def name_able(goal: Goal, prospects: Prospects) -> list[str]:
    """The names of those that suit the goal and come to an end, the best modes first."""
    order = rank_modes(goal)
    names = [name for name, one in prospects.items() if one.mode in order and one.ends]
    return sorted(names, key=lambda name: order.index(prospects[name].mode))


def choose(goal: Goal, prospects: Prospects) -> list[str]:
    """Name those that serve the goal best: first who sends all the text, then by the goal."""
    names = name_able(goal, prospects)
    priced = all(prospects[name].price is not None for name in names)
    keys = {name: _key(goal, prospects[name], priced) for name in names}
    best = min(keys.values(), default=None)
    return [name for name in names if keys[name] == best]


def _key(goal: Goal, one: Prospect, priced: bool) -> tuple[float, ...]:
    lost, rank = one.high.lost_tokens, mode_facts(one.mode).goals[goal]
    if goal == "cheapest":
        expense = one.cost if priced else None
        return lost, one.tokens if expense is None else expense, rank
    if goal == "fastest":
        return lost, one.high.longest_chain, one.tokens, rank
    return lost, rank, one.high.call_count, one.tokens
