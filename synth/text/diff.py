"""The word diff of two answers: kept, added and dropped words; a CJK character is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from typing import Literal, NamedTuple

from synth.text.wording import counted
from synth.text.words_and_sentences import SplitWord, split_words

Change = Literal["kept", "added", "dropped"]
"""What became of some words."""

MARKED_FROM = 0.4
"""The share of kept words from which marks help the reader; below it they only disturb."""
TOO_DIFFERENT = "Too different to mark word by word."
MOST = 10_000  # words; a changed stretch that is longer counts as entirely rewritten
_ISLAND = 4  # the weight of two words; fewer kept words between two changes join them


class DiffPiece(NamedTuple):
    """Words of one fate, the white space after them, and their number, CJK characters included."""

    kind: Change
    text: str
    words: int


@dataclass(frozen=True)
class Diff:
    """Pieces in order: the new text has those kept and added, the old one all but those added."""

    pieces: tuple[DiffPiece, ...]

    @property
    def same_words(self) -> int:
        """Return the words in both texts."""
        return self._count("kept")

    @property
    def added(self) -> int:
        """Return the words in the new text only."""
        return self._count("added")

    @property
    def dropped(self) -> int:
        """Return the words in the old text only."""
        return self._count("dropped")

    @property
    def share(self) -> float:
        """Return the kept share of the shorter text, from 0 to 1; 1 if it has no words."""
        shorter = self.same_words + min(self.added, self.dropped)
        return self.same_words / shorter if shorter else 1.0

    @property
    def in_words(self) -> str:
        """Return all counts as a phrase: "12 words kept, 3 added, 2 dropped"."""
        same = counted(self.same_words, "word")
        return f"{same} kept, {self.added:,} added, {self.dropped:,} dropped"

    @property
    def changes(self) -> str:
        """Return what changed as a phrase: "3 words added, 2 dropped"."""
        return f"{counted(self.added, 'word')} added, {self.dropped:,} dropped"

    @property
    def readable(self) -> bool:
        """Return whether marks word by word help the reader."""
        return self.share >= MARKED_FROM

    def _count(self, kind: Change) -> int:
        return sum(piece.words for piece in self.pieces if piece.kind == kind)


def word_diff(old: str, new: str) -> Diff:
    """Compare two answers; a lone kept word joins the changes around it."""
    before, after = split_words(old), split_words(new)
    pieces: list[DiffPiece] = []
    old_end = new_end = 0
    for at_old, at_new, size in _find_kept(before, after):
        pieces += _piece("dropped", old, before, old_end, at_old)
        pieces += _piece("added", new, after, new_end, at_new)
        pieces += _piece("kept", new, after, at_new, at_new + size)
        old_end, new_end = at_old + size, at_new + size
    return Diff(tuple(pieces))


def _find_kept(old: Sequence[SplitWord], new: Sequence[SplitWord]) -> list[Match]:
    """Return the blocks of words that stay; the first and the last may be empty."""
    first, second = ([word.text for word in side] for side in (old, new))
    head = count_common(first, second)
    tail = count_common(first[head:][::-1], second[head:][::-1])
    first, second = first[head : len(first) - tail], second[head : len(second) - tail]
    blocks = [Match(0, 0, head)]
    if max(len(first), len(second)) <= MOST:
        # Of long texts it takes no word that comes again and again as the beginning of a block:
        # "the" and "of" would be kept everywhere, and to look for all of them would take long.
        for at_old, at_new, size in SequenceMatcher(None, first, second).get_matching_blocks():
            block = Match(head + at_old, head + at_new, size)
            if sum(word.weight for word in new[block.b : block.b + size]) >= _ISLAND:
                blocks.append(block)
    return [*blocks, Match(len(old) - tail, len(new) - tail, tail)]


def count_common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many of their first words, or tokens, two texts have in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _piece(
    kind: Change, text: str, words: Sequence[SplitWord], first: int, end: int
) -> Iterator[DiffPiece]:
    """Give these words with the white space after them, if there are any."""
    if first < end:
        start = words[first].start if first else 0
        stop = words[end].start if end < len(words) else len(text)
        count = sum(word.weight > 0 for word in words[first:end])
        yield DiffPiece(kind, text[start:stop], count)
