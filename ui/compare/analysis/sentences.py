"""How findings are put: in order, as many as two lines hold, with numbers that read well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LETTERS = 320
"""Letters of two lines at 16.5 px and 1,300 px wide."""


def fitting(sentences: Iterable[Sequence[str]]) -> list[str]:
    """The parts of as many sentences as fit; one that is too long leaves room for the next."""
    chosen: list[str] = []
    for sentence in sentences:
        parts = [" ", *sentence] if chosen else [*sentence]
        if sentence and sum(map(len, chosen + parts)) <= LETTERS:
            chosen += parts
    return chosen


def percent(part: float, whole: float) -> str:
    """A share in whole percent; what is not nothing is 1 %, what is not all is 99 %."""
    share = round(100 * part / whole)
    return f"{share if part in (0, whole) else min(max(share, 1), 99)}\u00a0%"
