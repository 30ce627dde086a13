"""What is expected of an answer, checks and facts alike, and whether a run holds it."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from synth.quality.checks import Check, Outcome
from synth.quality.facts import Fact
from synth.quality.rubric import Rulings
from synth.quality.sending import find_stretches
from synth.quality.words import Words
from synth.runs.prices import Price
from synth.runs.trace import Trace


class Expectation(NamedTuple):
    """A check or a fact in a few words, and whether a run has to pass it to pass the question."""

    name: str
    needed: bool
    expected: Check | Fact


def list_expectations(facts: Sequence[Fact], checks: Iterable[Check]) -> tuple[Expectation, ...]:
    """List the checks, then the facts: those that are a must are needed, or all if none is one."""
    all_facts = not any(fact.must for fact in facts)
    return (
        *(Expectation(_name(check), True, check) for check in checks),
        *(Expectation(fact.text, all_facts or fact.must, fact) for fact in facts),
    )


def judge(
    trace: Trace,
    expectations: Iterable[Expectation],
    price: Price | None = None,
    rulings: Rulings | None = None,
) -> tuple[Outcome, ...]:
    """Check a run; a fact passes where the answer says it in one of its wordings."""
    answer = None if trace.response is None else Words(trace.response)

    def outcome(expected: Check | Fact) -> Outcome:
        if not isinstance(expected, Fact):
            return expected.outcome(trace, price, rulings)
        if answer is None:
            return Outcome("not checkable", "The run has no answer.")
        if find_stretches(expected, answer):
            return Outcome("pass", "It is in the answer.")
        return Outcome("fail", "The answer leaves it out.")

    return tuple(outcome(each.expected) for each in expectations)


def _name(check: Check) -> str:
    """Write "contains: 8", "word-count: {"max": 40}", "cost: 0.01"."""
    value = check.threshold if check.value is None else check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"
