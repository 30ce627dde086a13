"""Boxes side by side, each as near to its wished place as the others allow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def spread(
    centres: Sequence[float], widths: Sequence[float], gap: float, span: float
) -> list[float]:
    """Left edges, in the given order, `gap` apart and within 0 to `span`.

    With the room that the boxes before it need taken off, each wished edge only has to be
    no smaller than the one before. The sequence nearest to the wishes that never falls is
    a known problem with a short solution.
    """
    before = [0.0, *accumulate(width + gap for width in widths)]
    wished = [c - w / 2 - b for c, w, b in zip(centres, widths, before, strict=False)]
    last = max(0.0, span - (before[-1] - gap))
    nearest = (min(max(edge, 0.0), last) for edge in never_falling(wished))
    return [edge + room for edge, room in zip(nearest, before, strict=False)]


def never_falling(values: Sequence[float]) -> list[float]:
    """The sequence nearest to the values (by squares) in which none is below the one before.

    Values out of order are pooled, and all take their mean:

        >>> never_falling([1, 4, 2, 9])
        [1, 3.0, 3.0, 9]
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            lower, count = pools.pop()
            mean, size = (mean * size + lower * count) / (size + count), size + count
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]
