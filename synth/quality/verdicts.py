"""Columns of scores compared: what is known, and what these questions can't tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pstdev

from synth.quality.intervals import CONFIDENCE, Interval, bootstrap, wilson
from synth.quality.sign_test import holm, sign_test

LEAST_QUESTIONS = 6
"""With fewer no sign test can be passed: five wins of five are chance one time in sixteen."""

Scores = Sequence[Sequence[float | None]]
"""The scores of a column: for each question those of its repeats, None where there is none."""

_EQUAL = 1e-9  # scores are means of a few repeats


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
    means = _means(scores)
    return Average(fmean(means) if means else None, len(means), wilson(sum(means), len(means)))


def average(scores: Scores) -> Average:
    """The mean of a measure, cost or time, with a bootstrap interval over the questions."""
    means = _means(scores)
    return Average(fmean(means) if means else None, len(means), bootstrap(means))


def verdicts(column: Scores, others: Sequence[Scores]) -> tuple[Verdict, ...]:
    """The column beside each of the others; ValueError if one has another number of questions.

    There is a difference only where the paired bootstrap leaves out zero and the exact sign
    test is under 5 %, both corrected for the number of others, and they point the same way;
    never with fewer than six questions.
    """
    paired = [_differences(column, other) for other in others]
    signs = [_signs(differences) for differences in paired]
    probabilities = holm([sign_test(*counts) for counts in signs])
    return tuple(
        _verdict(differences, wins, losses, probability, len(others))
        for differences, (wins, losses), probability in zip(
            paired, signs, probabilities, strict=True
        )
    )


def _verdict(
    differences: list[float], wins: int, losses: int, probability: float, comparisons: int
) -> Verdict:
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


def _mean(scores: Sequence[float | None]) -> float | None:
    given = [score for score in scores if score is not None]
    return fmean(given) if given else None


def _means(scores: Scores) -> list[float]:
    return [mean for mean in map(_mean, scores) if mean is not None]


def _differences(column: Scores, other: Scores) -> list[float]:
    pairs = zip(map(_mean, column), map(_mean, other), strict=True)
    return [one - two for one, two in pairs if one is not None and two is not None]


def _signs(differences: Sequence[float]) -> tuple[int, int]:
    """The wins and the losses."""
    return (
        sum(difference > _EQUAL for difference in differences),
        sum(difference < -_EQUAL for difference in differences),
    )


def _needed(differences: Sequence[float], wins: int, losses: int, comparisons: int) -> int | None:
    """The least of some round numbers of questions with which both tests would be passed."""
    mean = fmean(differences) if differences else 0.0
    if abs(mean) <= _EQUAL or wins == losses or (mean > 0) != (wins > losses):
        return None
    allowed = (1 - CONFIDENCE) / comparisons
    z = NormalDist().inv_cdf(1 - allowed / 2)
    count = len(differences)
    for questions in _round_numbers():
        fewest_ahead = max(wins, losses) * questions // count
        most_behind = -(-min(wins, losses) * questions // count)
        excluded = abs(mean) > z * pstdev(differences) / questions**0.5
        passed = sign_test(fewest_ahead, most_behind) < allowed
        if questions > count and excluded and passed:
            return questions
    return None


def _round_numbers() -> Iterator[int]:
    yield from range(LEAST_QUESTIONS, 20)
    yield from range(20, 50, 5)
    yield from range(50, 200, 10)
    yield from range(200, 1_001, 50)
