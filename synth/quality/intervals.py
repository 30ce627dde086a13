"""How sure a rate or a mean difference is: Wilson's interval, and a paired bootstrap.

The unit is the question. Runs of one question that are repeated are alike, so they make a
question's score surer and count as no further questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

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
