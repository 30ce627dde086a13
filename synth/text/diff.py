"""The word diff of two answers: kept, moved, added and dropped words; a CJK character is one."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import groupby, takewhile
from operator import eq
from typing import Literal, NamedTuple

from synth.text.wording import counted
from synth.text.words import SplitWord, split_words, word_runs

Change = Literal["kept", "moved", "left", "added", "dropped"]
"""What became of some words; those that moved are "left" at their old place."""

MARKED_FROM = 0.4
"""The share of kept words from which marks help the reader; below it they only disturb."""
TOO_DIFFERENT = "Too different to mark word by word."
MOST = 10_000  # words; a changed stretch that is longer counts as entirely rewritten
_STOPS = frozenset(".!?。！？")  # end a sentence
_SHORT = 3  # words and marks; a sentence that has no more can stand anywhere
_ISLAND = 4  # the weight of two words; fewer kept words between two changes join them


class DiffPiece(NamedTuple):
    """Words of one fate, the white space after them, and their number, CJK characters included."""

    kind: Change
    text: str
    words: int


@dataclass(frozen=True)
class Diff:
    """Pieces in order: the new text has those kept, moved, added, the old one all others."""

    pieces: tuple[DiffPiece, ...]

    @property
    def kept(self) -> int:
        """Return the words in both texts, those that moved among them."""
        return self._count("kept") + self.moved

    @property
    def moved(self) -> int:
        """Return the words in both texts that stand at another place in the new one."""
        return self._count("moved")

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
        shorter = self.kept + min(self.added, self.dropped)
        return self.kept / shorter if shorter else 1.0

    @property
    def in_words(self) -> str:
        """Return all counts as a phrase: "12 words kept (9 moved), 3 added, 2 dropped"."""
        moved = f" ({self.moved:,} moved)" if self.moved else ""
        kept = counted(self.kept, "word")
        return f"{kept} kept{moved}, {self.added:,} added, {self.dropped:,} dropped"

    @property
    def changes(self) -> str:
        """Return what changed as a phrase: "3 words added, 2 dropped, 9 moved"."""
        moved = f", {self.moved:,} moved" if self.moved else ""
        return f"{counted(self.added, 'word')} added, {self.dropped:,} dropped{moved}"

    @property
    def readable(self) -> bool:
        """Return whether if marks word by word help the reader."""
        return self.share >= MARKED_FROM

    def _count(self, kind: Change) -> int:
        return sum(piece.words for piece in self.pieces if piece.kind == kind)


def word_diff(old: str, new: str) -> Diff:
    """Compare two answers; a lone kept word joins the changes around it."""
    before, after = split_words(old), split_words(new)
    changes, blocks = [], _find_kept(before, after)
    old_end = new_end = 0
    for at_old, at_new, size in blocks:
        changes.append((range(old_end, at_old), range(new_end, at_new)))
        old_end, new_end = at_old + size, at_new + size
    left, moved = _moves(before, after, changes)
    pieces: list[DiffPiece] = []
    for (gone, come), (_, at_new, size) in zip(changes, blocks, strict=True):
        pieces += _pieces(("dropped", "left"), old, before, gone, left)
        pieces += _pieces(("added", "moved"), new, after, come, moved)
        pieces += _pieces(("kept", "kept"), new, after, range(at_new, at_new + size), set())
    return Diff(tuple(pieces))


def _find_kept(old: Sequence[SplitWord], new: Sequence[SplitWord]) -> list[Match]:
    """Return the blocks of words that stay; the first and the last may be empty."""
    sentences = [list(_sentences(words)) for words in (old, new)]
    shared = Counter(sentences[0]) & Counter(sentences[1])
    first, second = (list(_label(side, shared)) for side in sentences)
    head = _common_length(first, second)
    tail = _common_length(first[head:][::-1], second[head:][::-1])
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


def _common_length(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    return sum(takewhile(bool, map(eq, old, new)))


def _sentences(words: Sequence[SplitWord]) -> Iterator[tuple[str, ...]]:
    start = 0
    for at, word in enumerate(words, 1):
        if word.text in _STOPS or at == len(words):
            yield tuple(one.text for one in words[start:at])
            start = at


def _label(
    sentences: Iterable[tuple[str, ...]], shared: Counter[tuple[str, ...]]
) -> Iterator[Hashable]:
    """Give the words, each with its sentence if both texts have it: such words move together."""
    seen: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        seen[sentence] += 1
        alone = len(sentence) <= _SHORT or seen[sentence] > shared[sentence]
        for word in sentence:
            yield word if alone else (word, sentence, seen[sentence])


def _moves(
    old: Sequence[SplitWord], new: Sequence[SplitWord], changes: Iterable[tuple[range, range]]
) -> tuple[set[int], set[int]]:
    """Return the words, in the old and in the new text, that moved; very long changes have none."""
    left: set[int] = set()
    moved: set[int] = set()
    changes = [change for change in changes if max(map(len, change)) <= MOST]
    texts = [old[gone.start : gone.stop] for gone, _ in changes]
    for _, come in changes:
        for run in word_runs(new[come.start : come.stop], texts):
            start = changes[run.source][0].start + run.at
            places = range(start, start + run.end - run.first)
            if left.isdisjoint(places):
                left.update(places)
                moved.update(come[run.first : run.end])
    return left, moved


def _pieces(
    kinds: tuple[Change, Change],
    text: str,
    words: Sequence[SplitWord],
    places: range,
    moved: Set[int],
) -> Iterator[DiffPiece]:
    """Give these words with the white space after them; those that moved are of the second kind."""
    for is_moved, group in groupby(places, key=moved.__contains__):
        indices = list(group)
        first, end = indices[0], indices[-1] + 1
        start = words[first].start if first else 0
        stop = words[end].start if end < len(words) else len(text)
        count = sum(word.weight > 0 for word in words[first:end])
        yield DiffPiece(kinds[is_moved], text[start:stop], count)
