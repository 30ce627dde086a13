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
