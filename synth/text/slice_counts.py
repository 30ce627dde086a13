"""Counts the tokens of any slice of a text after encoding the text once.

A `SliceCounter` encodes a long text once and keeps how many tokens have ended at each offset, so
that the exact count of any slice is a subtraction and two short encodes: between two seams
(seams.py) counts add up, and where a slice has none, its first and last tokens are encoded
until they are those of the whole text.
"""

import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from synth.text.seams import Bools, Seams, points_of
from synth.text.slices import AGREED, Ints, calm
from synth.text.spans import Document

# Of texts whose counters are kept, at about 25 bytes each: a page plans one text as it is joined by
# its mode, by another mode of its cards and by LlamaIndex, and 2 MB of it are to stay in all three.
_KEPT_CHARACTERS = 6_000_000
_WINDOW = 512  # characters at the end of a slice that are encoded
_SURROGATES = (0xD800, 0xDFFF)


class TokenCounts(Protocol):
    """What is asked of a tokenizer here."""

    seams: Seams | None

    def prepare(self, texts: Sequence[str], /) -> None:
        """Be told of texts that will be counted."""

    def count(self, text: str, /) -> int:
        """How many tokens `text` has."""

    def token_ends(self, text: str, /) -> Ints | None:
        """Where each token of `text` has ended, as offsets of characters, if that is known."""


class Pieces:
    """A text cut into pieces.

    `bounds` are offsets (one more than pieces), `counts` the tokens of each piece alone,
    `before` about how many tokens lie before each bound, exact in the differences between
    bounds that are `seams`.
    """

    def __init__(self, bounds: Ints, counts: Ints, before: Ints | None, seams: Bools) -> None:
        self.bounds = bounds
        self.counts = counts
        self.seams = seams
        self._before = before

    @cached_property
    def sums(self) -> Ints:
        """Tokens before each bound, as the sum of the pieces' own counts."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    @property
    def before(self) -> Ints:
        """About how many tokens lie before each bound."""
        return self.sums if self._before is None else self._before


class _Step(NamedTuple):
    """Where a slice, read alone, begins to have the tokens of the whole text.

    `before` are its tokens before that place, `tokens` all of them.
    """

    at: int
    before: int
    tokens: int


class SliceCounter:
    """Counts the tokens of slices of one text, under one tokenizer."""

    def __init__(self, tokenizer: TokenCounts, text: str) -> None:
        self.tokenizer = tokenizer
        self.text = text
        self._points = points_of(text)
        self._cuts: dict[tuple[int, int, str], Pieces] = {}

    @cached_property
    def _ended(self) -> NDArray[np.int32] | None:
        """How many tokens of the whole text have ended at each offset, where that is known."""
        points = self._points
        halves = (points >= _SURROGATES[0]) & (points <= _SURROGATES[1])
        ends = None if halves.any() else self.tokenizer.token_ends(self.text)
        if ends is None:
            return None
        between = np.diff(ends, prepend=0, append=len(points) + 1)
        return np.repeat(np.arange(len(ends) + 1, dtype=np.int32), between)

    @cached_property
    def _at_seams(self) -> Bools:
        seams = self.tokenizer.seams
        if seams is None or self._ended is None or not len(self._points):
            return np.zeros(len(self._points) + 1, np.bool_)
        found = seams.at(self._points)
        # None within a special token of a server's.
        found[1:] &= self._ended[1:] > self._ended[:-1]
        return found

    @cached_property
    def _seams(self) -> Ints:
        return np.flatnonzero(self._at_seams)

    def count(self, start: int, end: int) -> int:
        """The exact tokens of `text[start:end]`, read alone."""
        if self._ended is not None and end - start == len(self.text):
            return int(self._ended[-1])
        first, inside, last = self._between_seams(start, end)
        return self._loose(start, first) + inside + self._loose(last, end)

    def split_at_seams(self, start: int, end: int) -> tuple[str, int, str]:
        """`text[start:end]` as a head, the tokens between two seams (or 0), and a tail.

        Both seams lie inside, so head and tail may be joined to whatever stands around.
        """
        first, inside, last = self._between_seams(start, end)
        return self.text[start:first], inside, self.text[last:end]

    def _between_seams(self, start: int, end: int) -> tuple[int, int, int]:
        """The outermost seams inside a slice and the tokens between; its end twice if none."""
        ended, seams = self._ended, self._seams
        # Not np.searchsorted: it lets other threads run, and then waits for its turn again.
        first = bisect_right(seams.data, start)
        last = bisect_left(seams.data, end) - 1
        if ended is None or last <= first:
            return end, 0, end
        return int(seams[first]), int(ended[seams[last]] - ended[seams[first]]), int(seams[last])

    def _loose(self, start: int, end: int) -> int:
        """The tokens of a slice that may have no seams.

        Of a long one only the ends are encoded, until their tokens are those of the whole
        text, as slices are joined in slices.py.
        """
        ended = self._ended
        if ended is not None and end - start > 3 * _WINDOW:
            tail = bisect_left(ended.data, ended[end - _WINDOW])  # where a token has ended
            first, last = self._in_step(start, start + _WINDOW), self._in_step(tail, end)
            if first is not None and last is not None and last.at == tail:
                return first.before + int(ended[tail] - ended[first.at]) + last.tokens
        return self.tokenizer.count(self.text[start:end])

    def _in_step(self, start: int, end: int) -> _Step | None:
        """From where on a short slice, read alone, has the tokens of the whole text."""
        part, ended = self.text[start:end], self._ended
        ends = self.tokenizer.token_ends(part)
        if ended is None or ends is None or len(ends) <= 2 * AGREED:
            return None
        alone = np.searchsorted(ends, np.arange(len(part) + 1), side="right")
        ahead = ended[start : end + 1] - ended[start] - alone
        changes = np.flatnonzero(np.diff(ahead))  # offsets at which they fall out of step
        for index, at in enumerate([0, *ends[: -2 * AGREED].tolist()]):
            agreed = int(ends[index + AGREED - 1])
            if np.searchsorted(changes, at) < np.searchsorted(changes, agreed):
                continue
            around = self.text[start + at - 1 : start + at + 1]
            if part[at:agreed].strip() and all(map(calm, around)):
                return _Step(start + at, int(alone[at]), len(ends))
        return None

    def pieces(self, start: int, end: int, separator: str) -> Pieces:
        """`text[start:end]` cut before every separator; the empty separator cuts characters."""
        key = (start, end, separator)
        if key in self._cuts:
            return self._cuts[key]
        pieces = self._cut(start, end, separator)
        if 2 * (end - start) > len(self.text):  # what every other chunk size needs again
            self._cuts[key] = pieces
        return pieces

    def _cut(self, start: int, end: int, separator: str) -> Pieces:
        if separator:
            found = self._find(start, end, separator)
            bounds = np.concatenate([[start], found[found > start], [end]])
        else:
            bounds = np.arange(start, end + 1)
        return self.weighed(bounds)

    def weighed(self, bounds: Ints) -> Pieces:
        """The pieces between these bounds."""
        before = None if self._ended is None else self._ended[bounds].astype(np.int64)
        seams = self._at_seams[bounds]
        return Pieces(bounds, self._counts(bounds, before, seams), before, seams)

    def _find(self, start: int, end: int, separator: str) -> Ints:
        """Offsets of the separator, found one after the other as `str.split` finds them."""
        if len(separator) == 1:
            return np.flatnonzero(self._points[start:end] == ord(separator)) + start
        offsets, at = [], self.text.find(separator, start, end)
        while at >= 0:
            offsets.append(at)
            at = self.text.find(separator, at + len(separator), end)
        return np.array(offsets, np.int64)

    def _counts(self, bounds: Ints, before: Ints | None, seams: Bools) -> Ints:
        """Tokens of each piece between two bounds: a subtraction where both are seams."""
        counts = np.full(len(bounds) - 1, -1, np.int64)
        if before is not None:
            both = seams[:-1] & seams[1:]
            counts[both] = np.diff(before)[both]
        single = np.flatnonzero((counts < 0) & (np.diff(bounds) == 1))
        characters = self._points[bounds[single]]
        distinct = np.flatnonzero(np.bincount(characters))
        alone = np.array(self._counted(map(chr, distinct.tolist())), np.int64)
        counts[single] = alone[np.searchsorted(distinct, characters)]
        loose = np.flatnonzero(counts < 0)
        edges = zip(bounds[loose].tolist(), bounds[loose + 1].tolist(), strict=True)
        counts[loose] = self._counted(self.text[start:end] for start, end in edges)
        return counts

    def _counted(self, texts: Iterable[str]) -> list[int]:
        """The tokens of each text, read alone; equal ones are counted once."""
        each = list(texts)
        distinct = dict.fromkeys(each, 0)
        self.tokenizer.prepare(list(distinct))
        for text in distinct:
            distinct[text] = self.tokenizer.count(text)
        return [distinct[text] for text in each]


class _Counters:
    """The counters that are at hand: those of documents in use, and the latest by their text.

    A document that is in use keeps its counter, however long its text is. The same text often
    comes again in another document, when an edit makes a new plan: so those used last are
    kept too, as many as have `_KEPT_CHARACTERS` together.
    """

    def __init__(self) -> None:
        self._in_use: WeakKeyDictionary[Document, dict[TokenCounts, SliceCounter]]
        self._in_use = WeakKeyDictionary()
        self._latest: OrderedDict[tuple[TokenCounts, str], SliceCounter] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def has(self, tokenizer: TokenCounts, document: Document) -> bool:
        """Whether this document has a counter, so that its slices cost little."""
        return tokenizer in self._in_use.get(document, ())

    def of(self, tokenizer: TokenCounts, document: Document) -> SliceCounter:
        """The counter of this document, else that of the same text, else a new one."""
        counters = self._in_use.get(document)
        if counters is not None and tokenizer in counters:
            return counters[tokenizer]
        with self._lock:
            counter = self._of_text(tokenizer, document.text)
            self._in_use.setdefault(document, {})[tokenizer] = counter
        return counter

    def _of_text(self, tokenizer: TokenCounts, text: str) -> SliceCounter:
        key = (tokenizer, text)
        if key in self._latest:
            self._latest.move_to_end(key)
            return self._latest[key]
        counter = self._latest[key] = SliceCounter(tokenizer, text)
        self._characters += len(text)
        while self._characters > _KEPT_CHARACTERS:
            self._characters -= len(self._latest.popitem(last=False)[0][1])
        return counter


_counters = _Counters()
slice_counter, is_measured = _counters.of, _counters.has
