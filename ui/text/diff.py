"""What an answer kept, added and dropped of the one before it, word by word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ui.look.escape import answer_html, escape
from ui.text.alignment import Run, Span, merged, runs
from ui.text.split_words import Word, split_words

Kind = Literal["kept", "added", "dropped"]

MARKED_FROM = 0.4
"""The share of kept words from which marks help to read; below, they only disturb."""
TOO_DIFFERENT = "Too different to mark word by word."

_ISLAND = 4  # the weight of two words: less that stays between two changes joins them
_TAGS: dict[Kind, str] = {"added": "ins", "dropped": "del"}


class Piece(NamedTuple):
    """A stretch that was kept, added or dropped, the white space after it, and its words.

    A CJK character counts as a word.
    """

    kind: Kind
    text: str
    words: int


@dataclass(frozen=True)
class Diff:
    """The pieces in reading order: kept and added are the new text, kept and dropped the old."""

    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> int:
        """Words that stand in both."""
        return self._count("kept")

    @property
    def added(self) -> int:
        """Words of the new text alone."""
        return self._count("added")

    @property
    def dropped(self) -> int:
        """Words of the old text alone."""
        return self._count("dropped")

    @property
    def share(self) -> float:
        """Which part of the shorter text was kept, from 0 to 1; 1 where it has no words."""
        shorter = self.kept + min(self.added, self.dropped)
        return self.kept / shorter if shorter else 1.0

    @property
    def readable(self) -> bool:
        """Whether marks word by word help to read it."""
        return self.share >= MARKED_FROM

    def _count(self, kind: Kind) -> int:
        return sum(piece.words for piece in self.pieces if piece.kind == kind)


def word_diff(old: str, new: str) -> Diff:
    """The difference between two answers; lone kept words join the changes around them."""
    before, after = split_words(old), split_words(new)
    pieces: list[Piece] = []
    for run in _calm(before, after):
        if not run.kept:
            pieces += _pieces("dropped", old, before, run.old)
        pieces += _pieces("kept" if run.kept else "added", new, after, run.new)
    return Diff(tuple(pieces))


def _pieces(kind: Kind, text: str, words: Sequence[Word], span: Span) -> Iterable[Piece]:
    """The words of a span as one piece, with the white space up to the next; none of no words."""
    first, last = span
    if first < last:
        start = words[first].start if first else 0
        end = words[last].start if last < len(words) else len(text)
        yield Piece(kind, text[start:end], sum(word.weight > 0 for word in words[first:last]))


def _calm(old: Sequence[Word], new: Sequence[Word]) -> list[Run]:
    """Kept and rewritten runs in turn; what is kept between two changes is no small island."""
    found = runs([word.text for word in old], [word.text for word in new])
    for at in range(1, len(found) - 1):
        first, last = found[at].new
        if sum(word.weight for word in new[first:last]) < _ISLAND:
            found[at] = found[at]._replace(kept=False)
    return _slid(merged(found), old, new)


def _slid(found: list[Run], old: Sequence[Word], new: Sequence[Word]) -> list[Run]:
    """The runs, with ". It ended" before a full stop as "It ended." after one."""
    for at in range(1, len(found) - 1):
        run, after = found[at], found[at + 1]
        words, (first, last) = (new, run.new) if run.new[0] < run.new[1] else (old, run.old)
        same = last < len(words) and words[first].text == words[last].text
        pure = run.old[0] == run.old[1] or run.new[0] == run.new[1]
        if pure and not run.kept and same and not words[first].weight:
            found[at - 1] = _moved(found[at - 1], 0, 1)
            found[at], found[at + 1] = _moved(run, 1, 1), _moved(after, 1, 0)
    return found


def _moved(run: Run, first: int, last: int) -> Run:
    """The run with its ends moved by as many words."""
    old, new = (run.old[0] + first, run.old[1] + last), (run.new[0] + first, run.new[1] + last)
    return Run(run.kept, old, new)


def diff_html(diff: Diff) -> str:
    """The new answer with its changes marked, or where they are too many, as it is."""
    if not diff.readable:
        new = "".join(piece.text for piece in diff.pieces if piece.kind != "dropped")
        return f'<div class="small muted">{TOO_DIFFERENT}</div>{answer_html(new)}'
    shown, before = "", ""
    for kind, text, _ in diff.pieces:
        shown += " " * _collide(before[-1:] + text[:1]) + _marked(kind, text)
        before = text
    return f'<div class="answer" dir="auto">{shown}</div>'


def _collide(edge: str) -> bool:
    """Whether two pieces that stand side by side in neither text would run into one another."""
    words = split_words(edge)
    one_word = len(words) == 1 and len(words[0].text) == 2
    return one_word or (len(edge) == 2 and edge[0] in ".!?,;:" and edge[1].isalnum())


def _marked(kind: Kind, text: str) -> str:
    """A piece in its tag; white space stays outside, and that of a dropped piece is one space."""
    bare = text.strip()
    head, tail = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    if kind == "dropped":
        head, tail = " " * bool(head), " " * bool(tail)
    tag = _TAGS.get(kind)
    marked = f"<{tag}>{escape(bare)}</{tag}>" if tag else escape(bare)
    return f"{escape(head)}{marked}{escape(tail)}"
