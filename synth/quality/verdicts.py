"""Columns of scores compared: what is known, and what these questions can't tell.

The unit is the question. Runs of one question that are repeated are alike, so they make a
question's score surer and count as no further questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import NormalDist, fmean, pstdev
from typing import NamedTuple

import numpy as np

LEAST_QUESTIONS = 6
"""With fewer no sign test can be passed: five wins of five are chance one time in sixteen."""

_ROUND: Sequence[int] = (
    *range(LEAST_QUESTIONS, 20),
    *range(20, 50, 5),
    *range(50, 200, 10),
    *range(200, 1_001, 50),
)
"""Numbers of questions that are told as how many it would take."""

Scores = Sequence[Sequence[float | None]]
"""The scores of a column: for each question those of its repeats, None where there is none."""

EQUAL = 1e-9
"""The difference of two means of a few repeats that are the same."""


@dataclass(frozen=True)
class Average:
    """The mean score of the questions that have one, and how sure it is."""

    mean: float | None
    questions: int
    interval: Interval


@dataclass(frozen=True)
class Verdict:
    """A column beside another one, over the questions that both have a score for.

    `difference` is the mean of this column's score less the other's; its `interval` and
    `probability` (of such a lead by chance) are corrected for the number of comparisons.
    `needed` is how many questions would do if further ones came out as these did, roughly;
    None where these suffice, or where no number up to 1,000 would.
    """

    questions: int
    wins: int
    losses: int
    difference: float
    interval: Interval
    probability: float
    differs: bool
    needed: int | None

    def sentence(self, name: str, other: str) -> str:
        """The verdict in words."""
        if self.differs:
            better, worse = (name, other) if self.difference > 0 else (other, name)
            won = max(self.wins, self.losses)
            return f"{better} is better than {worse}: ahead in {won} of {self.questions} questions."
        noun = "question" if self.questions == 1 else "questions"
        told = f"{name} and {other} can't be told apart with {self.questions} {noun}"
        if self.needed is not None:
            return f"{told}; about {self.needed:,} would do, if more came out as these did."
        if not self.wins and not self.losses:
            return f"{told}: none came out differently."
        return f"{told}, and more that came out as these did would hardly help."


def pass_rate(scores: Scores) -> Average:
    """The share of passes, where a run that passed has the score 1 and another one 0."""
    means = question_means(scores)
    return Average(fmean(means) if means else None, len(means), wilson(sum(means), len(means)))


def average(scores: Scores) -> Average:
    """The mean of a measure, cost or time, with a bootstrap interval over the questions."""
    means = question_means(scores)
    return Average(fmean(means) if means else None, len(means), bootstrap(means))


def verdicts(column: Scores, others: Sequence[Scores]) -> tuple[Verdict, ...]:
    """The column beside each of the others; ValueError if one has another number of questions.

    There is a difference only where the paired bootstrap leaves out zero and the exact sign
    test is under 5 %, both corrected for the number of others, and they point the same way;
    never with fewer than six questions.
    """
    paired = [_differences(column, other) for other in others]
    probabilities = holm([sign_test(*_signs(differences)) for differences in paired])
    return tuple(
        _verdict(differences, probability, len(others))
        for differences, probability in zip(paired, probabilities, strict=True)
    )


def _verdict(differences: list[float], probability: float, comparisons: int) -> Verdict:
    wins, losses = _signs(differences)
    difference = fmean(differences) if differences else 0.0
    interval = bootstrap(differences, 1 - (1 - CONFIDENCE) / comparisons)
    differs = (
        len(differences) >= LEAST_QUESTIONS
        and not interval.holds(0)
        and probability < 1 - CONFIDENCE
        and (difference > 0) == (wins > losses)
    )
    needed = None if differs else _needed(differences, wins, losses, comparisons)
    return Verdict(
        len(differences), wins, losses, difference, interval, probability, differs, needed
    )


def _needed(differences: Sequence[float], wins: int, losses: int, comparisons: int) -> int | None:
    """The least of some round numbers of questions with which both tests would be passed."""
    mean = fmean(differences) if differences else 0.0
    if abs(mean) <= EQUAL or wins == losses or (mean > 0) != (wins > losses):
        return None
    allowed = (1 - CONFIDENCE) / comparisons
    z = NormalDist().inv_cdf(1 - allowed / 2)
    count = len(differences)
    for questions in _ROUND:
        fewest_ahead = max(wins, losses) * questions // count
        most_behind = -(-min(wins, losses) * questions // count)
        excluded = abs(mean) > z * pstdev(differences) / questions**0.5
        passed = sign_test(fewest_ahead, most_behind) < allowed
        if questions > count and excluded and passed:
            return questions
    return None


def _mean(scores: Sequence[float | None]) -> float | None:
    given = [score for score in scores if score is not None]
    return fmean(given) if given else None


def question_means(scores: Scores) -> list[float]:
    """The mean score of each question that has one, over its repeats."""
    return [mean for mean in map(_mean, scores) if mean is not None]


def _differences(column: Scores, other: Scores) -> list[float]:
    pairs = zip(map(_mean, column), map(_mean, other), strict=True)
    return [one - two for one, two in pairs if one is not None and two is not None]


def _signs(differences: Sequence[float]) -> tuple[int, int]:
    """The wins and the losses."""
    return (
        sum(difference > EQUAL for difference in differences),
        sum(difference < -EQUAL for difference in differences),
    )


def sign_test(wins: int, losses: int) -> float:
    """The probability of a lead this large or larger, either way, if both were equally good.

    Ties say nothing and are not given.

    >>> sign_test(5, 0)
    0.0625
    """
    decided = wins + losses
    tail = sum(comb(decided, count) for count in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << decided))


def holm(probabilities: Sequence[float]) -> tuple[float, ...]:
    """The probabilities of several tests, corrected for their number (S. Holm, 1979).

    >>> holm([0.01, 0.04])
    (0.02, 0.04)
    """
    adjusted = [0.0] * len(probabilities)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        least = max(least, min(1.0, (len(probabilities) - rank) * probabilities[index]))
        adjusted[index] = least
    return tuple(adjusted)


CONFIDENCE = 0.95
_RESAMPLES = 10_000
_AT_ONCE = 1_000_000  # numbers in memory
_SEED = 20_260_101  # any will do: the same scores have the same interval every time


class Interval(NamedTuple):
    """The values from `low` to `high`."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a value lies in it, its ends included."""
        return self.low <= value <= self.high


def wilson(passed: float, questions: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a rate of `passed` out of `questions` (E. B. Wilson, 1927).

    `passed` may be a fraction, where a question passed in some of its repeats. Without
    questions the rate can be anything, 0 to 1.
    """
    if not questions:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = passed / questions
    spread = z * math.sqrt(share * (1 - share) / questions + z * z / (4 * questions**2))
    middle, scale = share + z * z / (2 * questions), 1 + z * z / questions
    return Interval(max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def bootstrap(differences: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The interval of the mean of paired differences, one a question (percentile bootstrap).

    It draws as many questions as there are, with replacement, ten thousand times. With few
    questions it is too narrow; a sign test beside it guards against that.
    """
    given = np.asarray(differences, dtype=float)
    if not given.size:
        return Interval(-math.inf, math.inf)
    random = np.random.default_rng(_SEED)
    batch = max(1, _AT_ONCE // given.size)
    means = [
        given[random.integers(0, given.size, (min(batch, _RESAMPLES - done), given.size))].mean(1)
        for done in range(0, _RESAMPLES, batch)
    ]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return Interval(float(low), float(high))
