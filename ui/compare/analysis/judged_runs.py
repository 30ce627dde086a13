"""What came of each check and fact of a question in the answer of a run, and a column's score."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.models import Price
from synth.quality import (
    Average,
    Check,
    Fact,
    Follower,
    Outcome,
    Verdict,
    pass_rate,
    passed,
    verdicts,
)
from synth.quality.flags import flags
from synth.quality.words import Words
from synth.trace import Trace
from synth.wording import percent
from ui.trace.fact_words import path_sentence


class Expected(NamedTuple):
    """What is expected of the answers to a question."""

    facts: tuple[Fact, ...]
    checks: tuple[Check, ...]

    def names(self) -> Iterator[str]:
        """Each in a few words, checks first."""
        yield from map(_check_name, self.checks)
        for fact in self.facts:
            yield f"holds “{fact.text}”{', a must' if fact.must else ''}"


@dataclass(frozen=True)
class JudgedRun:
    """The outcomes of one run in the order of `Expected.names`.

    `abstained`: the answer says that it can't answer. `answered` is false for a run that failed or
    was stopped. `price` is that of its model.
    """

    trace: Trace
    price: Price | None
    outcomes: tuple[Outcome, ...]
    abstained: bool

    @property
    def answered(self) -> bool:
        """Whether the run has an answer."""
        return self.trace.response is not None

    @property
    def passed(self) -> int:
        """The number of those that passed."""
        return sum(outcome.state == "pass" for outcome in self.outcomes)

    @property
    def score(self) -> float | None:
        """1 where all passed, 0 where one failed; None where that can't be said."""
        found = passed(self.outcomes)
        return None if found is None else float(found)


def judge(trace: Trace, expected: Expected, price: Price | None) -> JudgedRun:
    """The outcomes of a run; a fact passes where one of its wordings is in the answer."""
    outcomes = [check.outcome(trace, price) for check in expected.checks]
    if trace.response is None:
        unknown = Outcome("not checkable", "The run has no answer.")
        outcomes += [unknown] * len(expected.facts)
    else:
        words = Words(trace.response)
        outcomes += [_fact_outcome(fact, words) for fact in expected.facts]
    abstained = any(flag.kind == "abstained" for flag in flags(trace))
    return JudgedRun(trace, price, tuple(outcomes), abstained)


def _fact_outcome(fact: Fact, response: Words) -> Outcome:
    if any(response.find(wording) for wording in fact.accepted):
        return Outcome("pass", "It is in the answer.")
    return Outcome("fail", "It is not in the answer.")


def reasons(run: JudgedRun, expected: Expected, listed_chunks: Sequence[str]) -> list[str]:
    """Why each passed or failed, with the place where a fact was lost: this takes a while."""
    found = [outcome.reason for outcome in run.outcomes]
    follower = Follower(run.trace, listed_chunks)
    for at, fact in enumerate(expected.facts, len(expected.checks)):
        found[at] = "".join(path_sentence(follower.path(fact), run.trace))
    return found


Judged = Sequence[Sequence[JudgedRun | None]]
"""The runs of a column: for each question its repeats, None where one was not run."""


def scores(column: Judged) -> list[list[float | None]]:
    """The score of each run of a column."""
    return [[run.score if run else None for run in repeats] for repeats in column]


def rate_words(rate: Average) -> tuple[str, str]:
    """The number of questions that passed, and the interval: "4", "38 to 96 %"."""
    if rate.mean is None:
        return "", ""
    low, high = (percent(end, 1).removesuffix("\u00a0%") for end in rate.interval)
    passes = round(rate.mean * rate.questions, 1)
    return f"{passes:,g}", f"{low} to {high}\u00a0%"


def rates(columns: Sequence[Judged]) -> list[Average]:
    """The pass rate of each column."""
    return [pass_rate(scores(column)) for column in columns]


def verdict_sentences(
    names: Sequence[str], columns: Sequence[Judged], reference: int
) -> list[tuple[str, str]]:
    """The column `reference` beside each other one that was run too: a sentence, and its numbers.

    There are none while a run of the reference is missing.
    """
    numbers = [at for at in range(len(columns)) if at != reference and _has_scores(columns[at])]
    if not _has_scores(columns[reference]):
        return []
    found = verdicts(scores(columns[reference]), [scores(columns[at]) for at in numbers])
    sentences = []
    for at, verdict in zip(numbers, found, strict=True):
        sentences.append((verdict.sentence(names[reference], names[at]), _numbers(verdict)))
    return sentences


def _numbers(verdict: Verdict) -> str:
    """Wins, losses, the difference in points with its interval; "" where nothing differs."""
    if not verdict.wins and not verdict.losses:
        return ""
    points = (f"{100 * value:+.0f}" for value in (verdict.difference, *verdict.interval))
    difference, low, high = (text.replace("-", "\u2212") for text in points)
    return (
        f"Ahead in {verdict.wins:,}, behind in {verdict.losses:,}: {difference} points, interval"
        f" {low} to {high}; such a lead comes by chance {percent(verdict.probability, 1)} of the"
        " time (sign test)."
    )


def _has_scores(column: Judged) -> bool:
    return any(score is not None for repeats in scores(column) for score in repeats)


def _check_name(check: Check) -> str:
    """ "contains: 8", "word-count: {"max": 40}", "cost: 0.01"."""
    value = check.threshold if check.value is None else check.value
    if value is None:
        return check.type
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{check.type}: {text}"
