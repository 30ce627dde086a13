"""Columns of scores compared: what is known, and what these questions can't tell.

The unit is the question. Runs of one question that are repeated are alike, so a question has the
mean of their scores, and they count as no further questions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import NormalDist

LEAST_QUESTIONS = 6
"""With fewer no sign test can be passed: five wins of five are chance one time in sixteen."""

CONFIDENCE = 0.95

Scores = Sequence[float | None]
"""The scores of a column, one for each question; None where there is none."""

_EQUAL = 1e-9  # the difference of two means of a few repeats that are the same


@dataclass(frozen=True)
class Verdict:
    """A column beside another one, over the questions that both have a score for.

    `probability` is that of such a lead by chance, corrected for the number of comparisons.
    """

    questions: int
    wins: int
    losses: int
    probability: float

    @property
    def differs(self) -> bool:
        """Return whether the sign test tells them apart."""
        return self.probability < 1 - CONFIDENCE


def verdicts(column: Scores, others: Sequence[Scores]) -> tuple[Verdict, ...]:
    """Compare a column with each of the others by the exact sign test over its questions.

    ValueError if one has another number of questions.
    """
    counts = []
    for other in others:
        pairs = zip(column, other, strict=True)
        differences = [mine - its for mine, its in pairs if mine is not None and its is not None]
        wins = sum(difference > _EQUAL for difference in differences)
        losses = sum(difference < -_EQUAL for difference in differences)
        counts.append((len(differences), wins, losses))
    probabilities = holm([sign_test(wins, losses) for _, wins, losses in counts])
    return tuple(
        Verdict(questions, wins, losses, probability)
        for (questions, wins, losses), probability in zip(counts, probabilities, strict=True)
    )


def sign_test(wins: int, losses: int) -> float:
    """Return the probability of such a lead, either way, if both were equally good.

    Ties say nothing and are not given.

    >>> sign_test(5, 0)
    0.0625
    """
    decided = wins + losses
    tail = sum(comb(decided, count) for count in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << decided))


def holm(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Correct the probabilities of several tests for their number (S. Holm, 1979).

    >>> holm([0.01, 0.04])
    (0.02, 0.04)
    """
    adjusted = [0.0] * len(probabilities)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        least = max(least, min(1.0, (len(probabilities) - rank) * probabilities[index]))
        adjusted[index] = least
    return tuple(adjusted)


def wilson(passed: float, questions: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the ends of the interval of a rate, `passed` of `questions` (E. B. Wilson, 1927).

    `passed` may be a fraction, where a question passed in some of its repeats. Without
    questions the rate can be anything, 0 to 1.
    """
    if not questions:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = passed / questions
    spread = z * math.sqrt(share * (1 - share) / questions + z * z / (4 * questions**2))
    middle, scale = share + z * z / (2 * questions), 1 + z * z / questions
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
