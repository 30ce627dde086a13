"""What came of each check and fact of a question in the answer of a run, and the run's scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from synth.models import Price
from synth.quality import Check, Fact, FactPath, Follower, Likeness, Outcome, passed
from synth.quality.flags import flags
from synth.quality.references import likeness
from synth.quality.support import support
from synth.quality.words import Words
from synth.trace import Trace
from ui.trace.fact_words import losing_call, path_sentence

PASSING = (
    "A question is passed when all its checks pass and the answer holds all facts that are marked"
    " as a must, or all facts if none is marked. Of several repeats the share that passed counts."
)
"""What the pages say of a passed question: `JudgedRun.score` in words."""


class Expected(NamedTuple):
    """What is expected of the answers to a question; `reference` is one that is known as right."""

    facts: tuple[Fact, ...]
    checks: tuple[Check, ...]
    reference: str | None = None

    def names(self) -> Iterator[str]:
        """Each in a few words, checks first."""
        yield from map(_check_name, self.checks)
        for fact in self.facts:
            yield f"holds “{fact.text}”{', a must' if fact.must else ''}"

    def required(self) -> Iterator[bool]:
        """Whether a run has to pass each of them to pass the question, in the order of `names`."""
        yield from (True for _ in self.checks)
        all_facts = not any(fact.must for fact in self.facts)
        yield from (all_facts or fact.must for fact in self.facts)


@dataclass(frozen=True)
class JudgedRun:
    """The outcomes of one run, those of its checks and of its facts.

    `required` says of each outcome whether the run has to pass it. `abstained`: the answer says
    that it can't answer. `answered` is false for a run that failed or was stopped. `reference` is
    an answer that is known as right.
    """

    trace: Trace
    checks: tuple[Outcome, ...]
    facts: tuple[Outcome, ...]
    required: tuple[bool, ...]
    abstained: bool
    reference: str | None = None

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All of them, in the order of `Expected.names`."""
        return self.checks + self.facts

    @property
    def answered(self) -> bool:
        """Whether the run has an answer."""
        return self.trace.response is not None

    @property
    def needed(self) -> tuple[Outcome, ...]:
        """Those that the run has to pass."""
        return tuple(compress(self.outcomes, self.required))

    @property
    def passed(self) -> int:
        """The number of all outcomes that passed, needed or not."""
        return count_passed(self.outcomes)

    @property
    def score(self) -> float | None:
        """1 where all that are required passed, 0 where one failed; None if it can't be said."""
        found = passed(self.needed)
        return None if found is None else float(found)

    @property
    def facts_held(self) -> float | None:
        """The share of the facts that the answer holds; None without facts or an answer."""
        held = [outcome.state == "pass" for outcome in self.facts]
        return sum(held) / len(held) if held and self.answered else None

    @cached_property
    def supported(self) -> float | None:
        """The share of the words of the answer that stand in sent text."""
        return support(self.trace).share if self.answered else None

    @cached_property
    def likeness(self) -> Likeness | None:
        """How alike the answer and the reference are; None without either."""
        if self.trace.response is None or self.reference is None:
            return None
        return likeness(self.trace.response, self.reference)


def judge(trace: Trace, expected: Expected, price: Price | None) -> JudgedRun:
    """The outcomes of a run; a fact passes where one of its wordings is in the answer."""
    checks = tuple(check.outcome(trace, price) for check in expected.checks)
    if trace.response is None:
        unknown = Outcome("not checkable", "The run has no answer.")
        facts = (unknown,) * len(expected.facts)
    else:
        words = Words(trace.response)
        facts = tuple(_fact_outcome(fact, words) for fact in expected.facts)
    abstained = any(flag.kind == "abstained" for flag in flags(trace))
    required = tuple(expected.required())
    return JudgedRun(trace, checks, facts, required, abstained, expected.reference)


def count_passed(outcomes: Sequence[Outcome]) -> int:
    """How many of them passed."""
    return sum(outcome.state == "pass" for outcome in outcomes)


def _fact_outcome(fact: Fact, response: Words) -> Outcome:
    if any(response.find(wording) for wording in fact.accepted):
        return Outcome("pass", "It is in the answer.")
    return Outcome("fail", "It is not in the answer.")


class Reason(NamedTuple):
    """Why a check or a fact passed or failed; `call` is the number of the call that lost a fact."""

    text: str
    call: int | None = None


def reasons(run: JudgedRun, expected: Expected, listed_chunks: Sequence[str]) -> list[Reason]:
    """The reason of each outcome, with the place where a fact was lost: this takes a while."""
    follower = Follower(run.trace, listed_chunks)
    return [
        *(Reason(outcome.reason) for outcome in run.checks),
        *(_fact_reason(follower.path(fact), run.trace) for fact in expected.facts),
    ]


def _fact_reason(path: FactPath, trace: Trace) -> Reason:
    return Reason("".join(path_sentence(path, trace)), losing_call(path))


Judged = Sequence[Sequence[JudgedRun | None]]
"""The runs of a column: for each question its repeats, None where one was not run."""


def scores(
    column: Judged, of: Callable[[JudgedRun], float | None] = lambda run: run.score
) -> list[list[float | None]]:
    """The score of each run of a column, None where there is none."""
    return [[None if run is None else of(run) for run in repeats] for repeats in column]


def _check_name(check: Check) -> str:
    """ "contains: 8", "word-count: {"max": 40}", "cost: 0.01"."""
    value = check.threshold if check.value is None else check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"
