"""What came of each check and fact of a question in the answer of a run, and what that tells."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from synth.quality import (
    Average,
    Check,
    Fact,
    Follower,
    Outcome,
    passed,
)
from synth.quality.denials import Statement
from synth.quality.flags import flags
from synth.quality.rubric import Rulings
from synth.quality.support import support_share
from synth.runs.prices import Price
from synth.runs.trace import Trace
from synth.text.wording import percent
from synth.words.fact_words import fact_headline, losing_call

PASSING = (
    "A question is passed when all its checks pass and the answer holds all facts that are marked"
    " as a must, or all facts if none is marked. Of several repeats the share that passed counts."
)
"""What the pages say of a passed question: `JudgedRun.score` in words."""


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

    @cached_property
    def rubrics(self) -> tuple[str, ...]:
        """The texts that a model is to judge its answers by."""
        return tuple(check.rubric for check in self.checks if check.rubric is not None)

    @property
    def expectations(self) -> Iterator[Expectation]:
        """The checks, then the facts."""
        for check in self.checks:
            yield Expectation(_check_name(check), True, check)
        all_facts = not any(fact.must for fact in self.facts)
        for fact in self.facts:
            name = f"holds “{fact.text}”{', a must' if fact.must else ''}"
            yield Expectation(name, all_facts or fact.must, fact)


@dataclass(frozen=True)
class JudgedRun:
    """The outcomes of one run, in the order of what is expected of its answer.

    `abstained`: the answer says that it can't answer.
    """

    trace: Trace
    asked: Asked
    outcomes: tuple[Outcome, ...]
    abstained: bool

    @property
    def results(self) -> list[tuple[Expectation, Outcome]]:
        """What is expected, and what came of it."""
        return list(zip(self.asked.expectations, self.outcomes, strict=True))

    @property
    def answered(self) -> bool:
        """Whether the run has an answer; one that failed or was stopped has none."""
        return self.trace.response is not None

    @property
    def needed(self) -> tuple[Outcome, ...]:
        """The outcomes that the run has to pass."""
        return tuple(outcome for expected, outcome in self.results if expected.needed)

    @property
    def score(self) -> float | None:
        """1 where all that are needed passed, 0 where one failed; None if it can't be said."""
        found = passed(self.needed)
        return None if found is None else float(found)

    @cached_property
    def supported(self) -> float | None:
        """The share of the words of the answer that stand in sent text."""
        return support_share(self.trace) if self.answered else None


def judge(
    trace: Trace, asked: Asked, price: Price | None, rulings: Rulings | None = None
) -> JudgedRun:
    """The outcomes of a run; a fact passes where the answer says it in one of its wordings."""
    answer = None if trace.response is None else Statement(trace.response)
    outcomes = tuple(
        _fact_outcome(one.expected, answer)
        if isinstance(one.expected, Fact)
        else one.expected.outcome(trace, price, rulings)
        for one in asked.expectations
    )
    abstained = any(flag.kind == "abstained" for flag in flags(trace))
    return JudgedRun(trace, asked, outcomes, abstained)


def count_passed(outcomes: Sequence[Outcome]) -> int:
    """How many of them passed."""
    return sum(outcome.state == "pass" for outcome in outcomes)


def _fact_outcome(fact: Fact, answer: Statement | None) -> Outcome:
    if answer is None:
        return Outcome("not checkable", "The run has no answer.")
    telling = answer.telling(fact)
    if telling.said:
        return Outcome("pass", "It is in the answer.")
    return Outcome("fail", f"The answer {'denies it' if telling.denied else 'leaves it out'}.")


class Reason(NamedTuple):
    """Why a check or a fact passed or failed; `call` is the number of the call that lost a fact."""

    text: str
    call: int | None = None


def reasons(run: JudgedRun, listed_chunks: Sequence[str]) -> list[Reason]:
    """The reason of each outcome, with the place where a fact was lost: this takes a while."""
    follower = Follower(run.trace, listed_chunks)
    found = []
    for one, outcome in run.results:
        if isinstance(one.expected, Fact):
            path = follower.path(one.expected)
            found.append(
                Reason("".join(fact_headline(path, run.trace).sentence), losing_call(path))
            )
        else:
            found.append(Reason(outcome.reason))
    return found


def _check_name(check: Check) -> str:
    """ "contains: 8", "word-count: {"max": 40}", "cost: 0.01"."""
    value = check.threshold if check.value is None else check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"


def rate_words(rate: Average) -> tuple[str, str]:
    """The number of questions that passed, and the interval: "4", "38 to 96 %"."""
    if rate.mean is None:
        return "", ""
    low, high = (percent(end, 1).removesuffix("\u00a0%") for end in rate.interval)
    passes = round(rate.mean * rate.questions, 1)
    return f"{passes:,g}", f"{low} to {high}\u00a0%"
