"""What two sequences share: the items that stay in their order."""

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
