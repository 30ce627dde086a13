"""What sequences share: the items that stay in their order, and runs of words."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

IndexRange = tuple[int, int]
"""The index of the first item, and the one after the last."""


class AlignedRun(NamedTuple):
    """A range of both sequences: `kept` if the items are the same, else rewritten."""

    kept: bool
    old: IndexRange
    new: IndexRange


MOST = 10_000
"""Items; a changed stretch that is longer counts as entirely rewritten."""


def runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[AlignedRun]:
    """Kept and rewritten runs in turn; together they cover both sequences."""
    result = []
    next_old = next_new = 0
    for at_old, at_new in [*aligned(old, new), (len(old), len(new))]:
        if (at_old, at_new) != (next_old, next_new):
            result.append(AlignedRun(False, (next_old, at_old), (next_new, at_new)))
        if at_old < len(old):
            result.append(AlignedRun(True, (at_old, at_old + 1), (at_new, at_new + 1)))
        next_old, next_new = at_old + 1, at_new + 1
    return merged(result)


def merged(runs: Iterable[AlignedRun]) -> list[AlignedRun]:
    """The runs, with neighbours of one kind joined."""
    result = []
    for kept, group in groupby(runs, key=lambda run: run.kept):
        same = list(group)
        old, new = (same[0].old[0], same[-1].old[1]), (same[0].new[0], same[-1].new[1])
        result.append(AlignedRun(kept, old, new))
    return result


def aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Both indices of each kept item, in order.

    Between the common beginning and end, pairs of neighbours are matched: a longest common
    subsequence of single words is scattered over every "the" and "of", one of pairs is not.
    """
    head = _common_beginning(old, new)
    tail = _common_beginning(old[head:][::-1], new[head:][::-1])
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    kept = [(index, index) for index in range(head)]
    if max(len(first), len(second)) <= MOST:
        kept += [(head + at_old, head + at_new) for at_old, at_new in _paired(first, second)]
    return kept + [(len(old) - back, len(new) - back) for back in range(tail, 0, -1)]


def _common_beginning(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    same = (item == other for item, other in zip(old, new, strict=False))
    return sum(takewhile(bool, same))


def _paired(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Both indices of each item in a kept pair, except items that would cross earlier ones."""
    last_old = last_new = -1
    for at_old, at_new in common_subsequence(list(pairwise(old)), list(pairwise(new))):
        for step in (0, 1):
            if at_old + step > last_old and at_new + step > last_new:
                last_old, last_new = at_old + step, at_new + step
                yield last_old, last_new


def common_subsequence(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Both indices of each item in a longest common subsequence.

    Hyyrö's bit-parallel algorithm: a row of the classic table is one integer, in which a bit is 0
    where the length grows. So comparing 5,000 words with 5,000 takes 5,000 additions.
    """
    positions: dict[Hashable, int] = defaultdict(int)
    for index, item in enumerate(new):
        positions[item] |= 1 << index
    row = every = (1 << len(new)) - 1
    rows = [row]
    for item in old:
        matches = row & positions.get(item, 0)
        row = ((row + matches) | (row - matches)) & every
        rows.append(row)
    return _walked_back(rows, len(new))


def _walked_back(rows: Sequence[int], column: int) -> list[tuple[int, int]]:
    """One longest subsequence, read from the end of the table to its beginning."""
    backwards = []
    row = len(rows) - 1
    while row and column:
        if rows[row] >> (column - 1) & 1:
            column -= 1
        elif rows[row - 1] >> (column - 1) & 1:
            row, column = row - 1, column - 1
            backwards.append((row, column))
        else:
            row -= 1
    return backwards[::-1]


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
