"""Runs of words that one text has in common with others: three words, or six CJK characters."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class SplitWord(NamedTuple):
    """A word, a CJK character or a punctuation mark, at characters `start` to `end` of its text.

    A word has weight 2, a CJK character 1, and a punctuation mark 0.
    """

    text: str
    start: int
    end: int
    weight: int


LEAST = 6
"""The weight of the shortest run: three words, or six characters of a text without spaces."""

_TRIED = 50  # positions of one opening in the texts; an opening with more is too common

_Position = tuple[int, int]  # the index of a text, and the index of a word in it


class WordRun(NamedTuple):
    """Words `first` to before `end`, which are those of text `source` from word `at` on.

    All are indices, from 0.
    """

    first: int
    end: int
    source: int
    at: int


def word_runs(
    words: Sequence[SplitWord], texts: Sequence[Sequence[SplitWord]]
) -> Iterator[WordRun]:
    """The longest run at each place, from left to right; of equal ones that of the first text."""
    openings = {opening for at in range(len(words)) if (opening := _opening(words, at))}
    positions = _positions(texts, openings)
    at = 0
    while at < len(words):
        opening = _opening(words, at)
        candidates = positions.get(opening, []) if opening else []
        lengths = [
            (_same(words, at, texts[text], start), -text, -start) for text, start in candidates
        ]
        length, text, start = max(lengths, default=(0, 0, 0))
        if length:
            yield WordRun(at, at + length, -text, -start)
        at += length or 1


def _opening(words: Sequence[SplitWord], at: int) -> tuple[str, ...] | None:
    """The fewest words from index `at` on that make a run; None if there are too few."""
    weight = 0
    for end in range(at, len(words)):
        weight += words[end].weight
        if weight >= LEAST:
            return tuple(word.text for word in words[at : end + 1])
    return None


def _positions(
    texts: Sequence[Sequence[SplitWord]], openings: set[tuple[str, ...]]
) -> dict[tuple[str, ...], list[_Position]]:
    """The positions of the openings in the texts."""
    first = {opening[0] for opening in openings}
    positions: dict[tuple[str, ...], list[_Position]] = defaultdict(list)
    for index, words in enumerate(texts):
        for at, word in enumerate(words):
            opening = _opening(words, at) if word.text in first else None
            if opening in openings and len(positions[opening]) < _TRIED:
                positions[opening].append((index, at))
    return positions


def _same(words: Sequence[SplitWord], at: int, others: Sequence[SplitWord], start: int) -> int:
    """The number of words that are the same from two positions on."""
    most = min(len(words) - at, len(others) - start)
    differ = (step for step in range(most) if words[at + step].text != others[start + step].text)
    return next(differ, most)
