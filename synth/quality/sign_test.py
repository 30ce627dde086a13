"""Whether wins and losses could be chance: the exact sign test, and several of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


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
