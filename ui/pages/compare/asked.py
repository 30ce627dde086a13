"""A question, what is expected of the answers to it, and what came of that in a run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from synth.lazy import defer
from synth.quality import Check, Fact, Follower, Outcome
from synth.quality.rubric import Rulings
from synth.quality.sending import find_stretches
from synth.quality.words import Words
from synth.runs.prices import Price
from synth.runs.trace import Trace
from synth.words.fact_words import fact_headline


class Expectation(NamedTuple):
    """A check or a fact in a few words, and whether a run has to pass it to pass the question."""

    name: str
    needed: bool
    expected: Check | Fact


@dataclass(frozen=True)
class Asked:
    """A question, and what is expected of the answers to it; `variables` fill the templates."""

    query: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    facts: tuple[Fact, ...] = ()
    checks: tuple[Check, ...] = ()

    @defer
    def rubrics(self) -> tuple[str, ...]:
        """The texts that a model is to judge its answers by."""
        return tuple(check.rubric for check in self.checks if check.rubric is not None)

    @defer
    def expectations(self) -> tuple[Expectation, ...]:
        """The checks, then the facts: those that are a must are needed, or all if none is one."""
        all_facts = not any(fact.must for fact in self.facts)
        checks = (Expectation(_check_name(check), True, check) for check in self.checks)
        facts = (Expectation(fact.text, all_facts or fact.must, fact) for fact in self.facts)
        return (*checks, *facts)

    def needed(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Choose the outcomes that a run has to pass, of those in the order of what is expected."""
        pairs = zip(self.expectations, outcomes, strict=True)
        return [outcome for expected, outcome in pairs if expected.needed]


def judge(
    trace: Trace, asked: Asked, price: Price | None, rulings: Rulings | None = None
) -> tuple[Outcome, ...]:
    """Check a run; a fact passes where the answer says it in one of its wordings."""
    answer = None if trace.response is None else Words(trace.response)
    return tuple(
        _fact_outcome(one.expected, answer)
        if isinstance(one.expected, Fact)
        else one.expected.outcome(trace, price, rulings)
        for one in asked.expectations
    )


def count_passed(outcomes: Sequence[Outcome]) -> int:
    """Count those that passed."""
    return sum(outcome.state == "pass" for outcome in outcomes)


def _fact_outcome(fact: Fact, answer: Words | None) -> Outcome:
    if answer is None:
        return Outcome("not checkable", "The run has no answer.")
    if find_stretches(fact, answer):
        return Outcome("pass", "It is in the answer.")
    return Outcome("fail", "The answer leaves it out.")


def reasons(
    trace: Trace, asked: Asked, outcomes: Sequence[Outcome], listed_chunks: Sequence[str]
) -> Iterator[str]:
    """Give the reason of each outcome, with where a fact was lost: this takes a while."""
    follower = Follower(trace, listed_chunks)
    for one, outcome in zip(asked.expectations, outcomes, strict=True):
        if isinstance(one.expected, Fact):
            path = follower.path(one.expected)
            yield "".join(fact_headline(path, trace).sentence)
        else:
            yield outcome.reason


def _check_name(check: Check) -> str:
    """ "contains: 8", "word-count: {"max": 40}", "cost: 0.01"."""
    value = check.threshold if check.value is None else check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"
