"""The word diff of two answers: kept, added and dropped words; each CJK character is a word."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import Literal, NamedTuple

from synth.text.ranking import CJK

# Accents and vowel signs belong to their words, and are no word characters for `re`.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0e7f"
_LETTER = rf"(?:[^\W{CJK}]|[{_MARKS}])"
_WORD = re.compile(rf"(?P<cjk>[{CJK}])|(?P<word>{_LETTER}+(?:['’.,:-]{_LETTER}+)*)|[^\w\s]")


class SplitWord(NamedTuple):
    """A word, a CJK character or a punctuation mark, at characters `start` to `end` of its text.

    A word has weight 2, a CJK character 1, and a punctuation mark 0.
    """

    text: str
    start: int
    end: int
    weight: int


def split_words(text: str) -> list[SplitWord]:
    """The words of a text in order, without the white space between them.

    >>> [word.text for word in split_words("At 09:42, 故障.")]
    ['At', '09:42', ',', '故', '障', '.']
    """
    return [
        SplitWord(found.group(), *found.span(), {"cjk": 1, "word": 2}.get(found.lastgroup or "", 0))
        for found in _WORD.finditer(text)
    ]


def count_words(text: str) -> int:
    """The words of a text; a CJK character is a word, a punctuation mark is none."""
    return sum(word.weight > 0 for word in split_words(text))


Change = Literal["kept", "added", "dropped"]

MARKED_FROM = 0.4
"""The share of kept words from which marks help the reader; below it they only disturb."""
TOO_DIFFERENT = "Too different to mark word by word."

_ISLAND = 4  # the weight of two words; fewer kept words between two changes join them


class Piece(NamedTuple):
    """A kept, added or dropped text with the white space after it, and its number of words.

    A CJK character counts as a word.
    """

    kind: Change
    text: str
    words: int


@dataclass(frozen=True)
class Diff:
    """The pieces in order: kept and added ones are the new text, kept and dropped the old."""

    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> int:
        """Words in both texts."""
        return self._count("kept")

    @property
    def added(self) -> int:
        """Words in the new text only."""
        return self._count("added")

    @property
    def dropped(self) -> int:
        """Words in the old text only."""
        return self._count("dropped")

    @property
    def share(self) -> float:
        """The kept share of the shorter text, from 0 to 1; 1 if it has no words."""
        shorter = self.kept + min(self.added, self.dropped)
        return self.kept / shorter if shorter else 1.0

    @property
    def readable(self) -> bool:
        """True if marks word by word help the reader."""
        return self.share >= MARKED_FROM

    def _count(self, kind: Change) -> int:
        return sum(piece.words for piece in self.pieces if piece.kind == kind)


def word_diff(old: str, new: str) -> Diff:
    """The diff of two answers; a lone kept word joins the changes around it."""
    before, after = split_words(old), split_words(new)
    pieces: list[Piece] = []
    for run in _without_islands(before, after):
        if not run.kept:
            pieces += _pieces("dropped", old, before, run.old)
        pieces += _pieces("kept" if run.kept else "added", new, after, run.new)
    return Diff(tuple(pieces))


IndexRange = tuple[int, int]
"""The index of the first item, and the one after the last."""


def _pieces(
    kind: Change, text: str, words: Sequence[SplitWord], indices: IndexRange
) -> Iterable[Piece]:
    """The words as one piece with the white space after them; no piece if there are no words."""
    first, last = indices
    if first < last:
        start = words[first].start if first else 0
        end = words[last].start if last < len(words) else len(text)
        yield Piece(kind, text[start:end], sum(word.weight > 0 for word in words[first:last]))


class AlignedRun(NamedTuple):
    """A range of both sequences: `kept` if the items are the same, else rewritten."""

    kept: bool
    old: IndexRange
    new: IndexRange


def _without_islands(old: Sequence[SplitWord], new: Sequence[SplitWord]) -> list[AlignedRun]:
    """Kept and rewritten runs in turn; a few kept words between two changes become part of them."""
    aligned = runs([word.text for word in old], [word.text for word in new])
    for at in range(1, len(aligned) - 1):
        first, last = aligned[at].new
        if sum(word.weight for word in new[first:last]) < _ISLAND:
            aligned[at] = aligned[at]._replace(kept=False)
    return _shifted(merged(aligned), old, new)


def _shifted(
    aligned: list[AlignedRun], old: Sequence[SplitWord], new: Sequence[SplitWord]
) -> list[AlignedRun]:
    """The runs, with a change like ". It ended" before a full stop shifted to "It ended."."""
    for at in range(1, len(aligned) - 1):
        run, after = aligned[at], aligned[at + 1]
        words, (first, last) = (new, run.new) if run.new[0] < run.new[1] else (old, run.old)
        same = last < len(words) and words[first].text == words[last].text
        pure = run.old[0] == run.old[1] or run.new[0] == run.new[1]
        if pure and not run.kept and same and not words[first].weight:
            aligned[at - 1] = _moved(aligned[at - 1], 0, 1)
            aligned[at], aligned[at + 1] = _moved(run, 1, 1), _moved(after, 1, 0)
    return aligned


def _moved(run: AlignedRun, first: int, last: int) -> AlignedRun:
    """The run with its beginning moved by `first` words and its end by `last` words."""
    old, new = (run.old[0] + first, run.old[1] + last), (run.new[0] + first, run.new[1] + last)
    return AlignedRun(run.kept, old, new)


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
