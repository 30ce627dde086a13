"""The word diff of two answers: kept, added and dropped words; each CJK character is a word."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from synth.alignment import AlignedRun, IndexRange, merged, runs
from synth.ranking import CJK

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


def _pieces(
    kind: Change, text: str, words: Sequence[SplitWord], indices: IndexRange
) -> Iterable[Piece]:
    """The words as one piece with the white space after them; no piece if there are no words."""
    first, last = indices
    if first < last:
        start = words[first].start if first else 0
        end = words[last].start if last < len(words) else len(text)
        yield Piece(kind, text[start:end], sum(word.weight > 0 for word in words[first:last]))


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
