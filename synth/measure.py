"""What slices of a text cost, from counting the text once.

A `Measure` encodes a long text once and keeps running sums, so that the exact count of any
slice is a subtraction and two short encodes.

That works because of *seams*: places where the encodings always begin a new piece, so
that the counts on both sides add up exactly. A space after a character that is not white
space is one (neither pattern lets anything but white space run on into a space), and so
is Chinese punctuation after a Chinese character. Short texts are cut at them too, so that
what a thousand prompts share is encoded once. tests/test_tokens.py holds this against plain
encoding on random text.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from synth.spans import Document

if TYPE_CHECKING:
    from synth.tokens import Tokenizer

Ints = NDArray[np.int64]

_KEPT_CHARACTERS = 12_000_000  # in measures, at about 12 bytes a character
_WHITE = np.array([point for point in range(0x3001) if chr(point).isspace()], np.uint32)
_STOPS = "，。！？；：、"
_STOP_POINTS = np.array([ord(stop) for stop in _STOPS], np.uint32)
_HAN = (0x4E00, 0x9FA5)
_SURROGATES = (0xD800, 0xDFFF)
_SEAM = rf"(?=(?<=\S) |(?<=[{chr(_HAN[0])}-{chr(_HAN[1])}])[{_STOPS}])"
_BETWEEN_SEAMS = re.compile(f"(.+?){_SEAM}(.*){_SEAM}", re.DOTALL)


@lru_cache(maxsize=4_096)
def divided(text: str) -> tuple[str, str, str]:
    """A text as a head, what is between two seams inside it (or nothing), and a tail."""
    found = _BETWEEN_SEAMS.match(text)
    if found is None:
        return text, "", ""
    return found[1], found[2], text[found.end() :]


class Pieces:
    """A text cut at a separator: `bounds` are offsets (one more than pieces), `counts` tokens."""

    def __init__(self, bounds: Ints, counts: Ints) -> None:
        self.bounds = bounds
        self.counts = counts

    @cached_property
    def sums(self) -> Ints:
        """Tokens before each bound, as the sum of the pieces' own counts."""
        return np.concatenate([[0], np.cumsum(self.counts)])


class Measure:
    """What the slices of one text cost, under one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self.tokenizer = tokenizer
        self.text = text
        self._points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._cuts: dict[tuple[int, int, str], Pieces] = {}

    @cached_property
    def _seams(self) -> tuple[Ints, Ints]:
        """Offsets of the seams, both ends of the text among them, and the tokens before each."""
        points = self._points
        within = (points >= _SURROGATES[0]) & (points <= _SURROGATES[1])
        ends = None if within.any() else self.tokenizer.token_ends(self.text)
        if ends is None or not len(points):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        seams = np.concatenate([[0], self._inner_seams(), [len(points)]])
        wide = np.flatnonzero(points > 0x7F)  # characters of more than one byte
        more = 1 + (points[wide] > 0x7FF).astype(np.int64) + (points[wide] > 0xFFFF)
        offsets = seams + np.concatenate([[0], np.cumsum(more)])[np.searchsorted(wide, seams)]
        return seams, np.searchsorted(ends, offsets, side="right")

    def _inner_seams(self) -> Ints:
        points = self._points
        spaces = np.flatnonzero(points[1:] == ord(" "))  # the offset before each space
        wide = np.flatnonzero(points[1:] >= _STOP_POINTS.min())
        stops = wide[np.isin(points[1:][wide], _STOP_POINTS)]
        after_word = spaces[~np.isin(points[spaces], _WHITE)]
        after_han = stops[(points[stops] >= _HAN[0]) & (points[stops] <= _HAN[1])]
        return np.sort(np.concatenate([after_word, after_han])) + 1

    def divide(self, start: int, end: int) -> tuple[str, int, str]:
        """`text[start:end]` as a head, the tokens between two seams (or 0), and a tail.

        Both seams lie inside, so head and tail may be joined to whatever stands around.
        """
        seams, tokens = self._seams
        first = int(np.searchsorted(seams, start, side="right"))
        last = int(np.searchsorted(seams, end)) - 1
        if last <= first:
            return self.text[start:end], 0, ""
        head, tail = self.text[start : seams[first]], self.text[seams[last] : end]
        return head, int(tokens[last] - tokens[first]), tail

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
        if not separator:
            distinct, where = np.unique(self._points[start:end], return_inverse=True)
            each = [self.tokenizer.count(chr(point)) for point in distinct.tolist()]
            return Pieces(np.arange(start, end + 1), np.array(each, np.int64)[where])
        found = self._find(start, end, separator)
        bounds = np.concatenate([[start], found[found > start], [end]])
        return Pieces(bounds, self._counts(bounds))

    def _find(self, start: int, end: int, separator: str) -> Ints:
        """Offsets of the separator, found one after the other as `str.split` finds them."""
        if len(separator) == 1:
            return np.flatnonzero(self._points[start:end] == ord(separator)) + start
        found, at = [], self.text.find(separator, start, end)
        while at >= 0:
            found.append(at)
            at = self.text.find(separator, at + len(separator), end)
        return np.array(found, np.int64)

    def _counts(self, bounds: Ints) -> Ints:
        """Tokens of each piece between two bounds: a subtraction where both are seams."""
        seams, tokens = self._seams
        counts = np.full(len(bounds) - 1, -1, np.int64)
        if len(seams):
            at = np.searchsorted(seams, bounds)
            exact = seams[at] == bounds
            both = exact[:-1] & exact[1:]
            counts[both] = np.diff(tokens[at])[both]
        loose = np.flatnonzero(counts < 0)
        edges = zip(bounds[loose].tolist(), bounds[loose + 1].tolist(), strict=True)
        counts[loose] = [self.tokenizer.count(self.text[start:end]) for start, end in edges]
        return counts


_kept: OrderedDict[tuple[Tokenizer, str], Measure] = OrderedDict()
_lock = threading.Lock()


def measured(tokenizer: Tokenizer, document: Document) -> Measure:
    """The measure of a document: its own, else one made earlier of the same text."""
    found: Measure | None = document.measures.get(tokenizer)
    if found is None:
        key = (tokenizer, document.text)
        with _lock:
            found = _kept.pop(key, None) or Measure(tokenizer, document.text)
            _kept[key] = found
            characters = sum(len(text) for _, text in _kept)
            while characters > _KEPT_CHARACTERS and len(_kept) > 1:
                characters -= len(_kept.popitem(last=False)[0][1])
        document.measures[tokenizer] = found
    return found
