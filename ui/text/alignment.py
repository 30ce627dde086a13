"""What two sequences have in common, in a time that no input can blow up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

MOST = 10_000
"""Items of a changed stretch above which it is taken as wholly rewritten."""


Span = tuple[int, int]
"""Items from the first to before the last."""


class Run(NamedTuple):
    """Items of two spans: `kept` if they are the same, else the one was made of the other."""

    kept: bool
    old: Span
    new: Span


def runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Run]:
    """Kept and rewritten runs in turn, together all items of both sequences."""
    found = []
    done_old = done_new = 0
    for was, now in [*aligned(old, new), (len(old), len(new))]:
        if (was, now) != (done_old, done_new):
            found.append(Run(False, (done_old, was), (done_new, now)))
        if was < len(old):
            found.append(Run(True, (was, was + 1), (now, now + 1)))
        done_old, done_new = was + 1, now + 1
    return merged(found)


def merged(found: Iterable[Run]) -> list[Run]:
    """Neighbouring runs of one kind as one."""
    every = []
    for kept, group in groupby(found, key=lambda run: run.kept):
        same = list(group)
        old, new = (same[0].old[0], same[-1].old[1]), (same[0].new[0], same[-1].new[1])
        every.append(Run(kept, old, new))
    return every


def aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places of items that stay, in order, in as few runs as go with staying at all.

    Between the common ends it is pairs of neighbours that are matched: a longest common
    subsequence of single words scatters over every "the" and "of", one of pairs does not.
    """
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    kept = [(at, at) for at in range(head)]
    if max(len(first), len(second)) <= MOST:
        kept += [(head + one, head + two) for one, two in _paired(first, second)]
    return kept + [(len(old) - at, len(new) - at) for at in range(tail, 0, -1)]


def _common(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    same = (one == two for one, two in zip(old, new, strict=False))
    return sum(takewhile(bool, same))


def _paired(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Both places of each pair that stays; pairs that would cross leave out one of theirs."""
    last_old = last_new = -1
    for one, two in common_subsequence(list(pairwise(old)), list(pairwise(new))):
        for step in (0, 1):
            if one + step > last_old and two + step > last_new:
                last_old, last_new = one + step, two + step
                yield last_old, last_new


def common_subsequence(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence.

    Hyyrö's bit-parallel algorithm: a row of the classic table is one integer, whose bit is 0
    where the length grows. So 5,000 words against 5,000 are 5,000 additions.
    """
    places: dict[Hashable, int] = defaultdict(int)
    for at, item in enumerate(new):
        places[item] |= 1 << at
    row = every = (1 << len(new)) - 1
    rows = [row]
    for item in old:
        matches = row & places.get(item, 0)
        row = ((row + matches) | (row - matches)) & every
        rows.append(row)
    return _walked_back(rows, len(new))


def _walked_back(rows: Sequence[int], column: int) -> list[tuple[int, int]]:
    """From the end of the table to its beginning, along one longest subsequence."""
    found = []
    at = len(rows) - 1
    while at and column:
        if rows[at] >> (column - 1) & 1:
            column -= 1
        elif rows[at - 1] >> (column - 1) & 1:
            at, column = at - 1, column - 1
            found.append((at, column))
        else:
            at -= 1
    return found[::-1]
