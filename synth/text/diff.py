"""The word diff of two answers: kept, moved, added and dropped words; a CJK character is one."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from synth.text.ranking import CJK
from synth.text.sequences import MOST, AlignedRun, IndexRange, SplitWord, merged, runs, word_runs
from synth.text.wording import counted

# Accents and vowel signs belong to their words, and are no word characters for `re`.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0e7f"
_LETTER = rf"(?:[^\W{CJK}]|[{_MARKS}])"
_WORD = re.compile(rf"(?P<cjk>[{CJK}])|(?P<word>{_LETTER}+(?:['’.,:-]{_LETTER}+)*)|[^\w\s]")


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


Change = Literal["kept", "moved", "left", "added", "dropped"]
"""What became of some words; those that moved are "left" at their old place."""

MARKED_FROM = 0.4
"""The share of kept words from which marks help the reader; below it they only disturb."""
TOO_DIFFERENT = "Too different to mark word by word."

_STOPS = frozenset(".!?。！？")  # end a sentence
_SHORT = 3  # words and marks; a sentence that has no more can stand anywhere
_ISLAND = 4  # the weight of two words; fewer kept words between two changes join them


class Piece(NamedTuple):
    """Words of one fate, the white space after them, and their number, CJK characters included."""

    kind: Change
    text: str
    words: int


@dataclass(frozen=True)
class Diff:
    """The pieces in order: the new text has those kept, moved and added, the old one the others
    and those kept.
    """

    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> int:
        """Words in both texts, those that moved among them."""
        return self._count("kept") + self.moved

    @property
    def moved(self) -> int:
        """Words in both texts that stand at another place in the new one."""
        return self._count("moved")

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
    def in_words(self) -> str:
        """All counts as a phrase: "12 words kept (9 moved), 3 added, 2 dropped"."""
        moved = f" ({self.moved:,} moved)" if self.moved else ""
        kept = counted(self.kept, "word")
        return f"{kept} kept{moved}, {self.added:,} added, {self.dropped:,} dropped"

    @property
    def changes(self) -> str:
        """What changed as a phrase: "3 words added, 2 dropped, 9 moved"."""
        moved = f", {self.moved:,} moved" if self.moved else ""
        return f"{counted(self.added, 'word')} added, {self.dropped:,} dropped{moved}"

    @property
    def readable(self) -> bool:
        """True if marks word by word help the reader."""
        return self.share >= MARKED_FROM

    def _count(self, kind: Change) -> int:
        return sum(piece.words for piece in self.pieces if piece.kind == kind)


def word_diff(old: str, new: str) -> Diff:
    """The diff of two answers; a lone kept word joins the changes around it."""
    before, after = split_words(old), split_words(new)
    aligned = _without_islands(before, after)
    moved = list(_moves(before, after, [run for run in aligned if not run.kept]))
    pieces: list[Piece] = []
    for run in aligned:
        if run.kept:
            pieces += _pieces("kept", new, after, run.new)
        else:
            pieces += _parted(("dropped", "left"), old, before, run.old, [old for old, _ in moved])
            pieces += _parted(("added", "moved"), new, after, run.new, [new for _, new in moved])
    return Diff(tuple(pieces))


def _moves(
    old: Sequence[SplitWord], new: Sequence[SplitWord], changed: Sequence[AlignedRun]
) -> Iterator[tuple[IndexRange, IndexRange]]:
    """The ranges, in the old and in the new text, of what moved from one change to another.

    No two of them overlap in either text. Very long changes have none.
    """
    gone = [run.old for run in changed if run.old[1] - run.old[0] <= MOST]
    texts = [old[first:end] for first, end in gone]
    taken: set[int] = set()
    for run in changed:
        for first, end, source, at in word_runs(new[slice(*run.new)], texts):
            start = gone[source][0] + at
            places = range(start, start + end - first)
            if taken.isdisjoint(places):
                taken.update(places)
                yield (start, places.stop), (run.new[0] + first, run.new[0] + end)


def _parted(
    kinds: tuple[Change, Change],
    text: str,
    words: Sequence[SplitWord],
    indices: IndexRange,
    moved: Iterable[IndexRange],
) -> Iterator[Piece]:
    """The words of a change: those in no `moved` range are of the first kind, others the second."""
    at, last = indices
    for start, end in sorted(moved):
        if at <= start and end <= last:
            yield from _pieces(kinds[0], text, words, (at, start))
            yield from _pieces(kinds[1], text, words, (start, end))
            at = end
    yield from _pieces(kinds[0], text, words, (at, last))


def _pieces(
    kind: Change, text: str, words: Sequence[SplitWord], indices: IndexRange
) -> Iterable[Piece]:
    """The words as one piece with the white space after them; no piece if there are no words."""
    first, last = indices
    if first < last:
        start = words[first].start if first else 0
        end = words[last].start if last < len(words) else len(text)
        yield Piece(kind, text[start:end], sum(word.weight > 0 for word in words[first:last]))


def _sentences(words: Sequence[SplitWord]) -> Iterator[tuple[str, ...]]:
    start = 0
    for at, word in enumerate(words, 1):
        if word.text in _STOPS or at == len(words):
            yield tuple(one.text for one in words[start:at])
            start = at


def _labelled(
    sentences: Iterable[tuple[str, ...]], both: Mapping[tuple[str, ...], int]
) -> list[Hashable]:
    """The words, each with its sentence if both texts have that."""
    labels: list[Hashable] = []
    seen: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        seen[sentence] += 1
        shared = len(sentence) > _SHORT and seen[sentence] <= both.get(sentence, 0)
        labels += [(word, sentence, seen[sentence]) if shared else word for word in sentence]
    return labels


def _without_islands(old: Sequence[SplitWord], new: Sequence[SplitWord]) -> list[AlignedRun]:
    """Kept and rewritten runs in turn; a few kept words between two changes become part of them."""
    sides = [list(_sentences(words)) for words in (old, new)]
    both = Counter(sides[0]) & Counter(sides[1])
    # With its sentence beside it, no word of one that moved is kept for another's sake.
    aligned = runs(_labelled(sides[0], both), _labelled(sides[1], both))
    for at in range(1, len(aligned) - 1):
        first, last = aligned[at].new
        if sum(word.weight for word in new[first:last]) < _ISLAND:
            aligned[at] = aligned[at]._replace(kept=False)
    return merged(aligned)
