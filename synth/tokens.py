"""Counting tokens: the one tokenizer decision of the project.

A `Tokenizer` counts with one of the two vendored encodings or with a function of the
caller's. A `Measure` holds what one long text costs: it encodes the text once and keeps
running sums, so that the exact count of any slice is a subtraction and two short encodes.

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
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache

import numpy as np
import tiktoken
from numpy.typing import NDArray
from typing_extensions import override

from synth import encodings
from synth.errors import SynthError
from synth.spans import Document, Text

Ints = NDArray[np.int64]
Encode = Callable[[str], Sequence[object]]

DEFAULT_ENCODING = "cl100k_base"
_LONG = 2_048  # characters from which a text is worth measuring as a whole
_WORD = 100  # characters up to which a text's count is remembered
_WORDS = 200_000  # remembered counts a tokenizer
_TEXTS_CHARACTERS = 4_000_000  # of longer texts whose counts are remembered
_MEASURED_CHARACTERS = 12_000_000  # kept in measures, at about 12 bytes a character
_WHITE = np.array([point for point in range(0x3001) if chr(point).isspace()], np.uint32)
_CJK_STOPS = np.array([ord(char) for char in "，。！？；：、"], np.uint32)
_HAN = (0x4E00, 0x9FA5)
_SURROGATES = (0xD800, 0xDFFF)
_SEAM = r"(?=(?<=\S) |(?<=[\u4e00-\u9fa5])[，。！？；：、])"
_BETWEEN_SEAMS = re.compile(f"(.+?){_SEAM}(.*){_SEAM}", re.DOTALL)


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens."""

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self._encode = encode
        self._words: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._texts_characters = 0

    def count(self, text: str) -> int:
        """How many tokens `text` has."""
        known = (self._words if len(text) <= _WORD else self._texts).get(text)
        if known is None:
            known = len(self._encode(text))
            self._remember(text, known)
        return known

    def _remember(self, text: str, count: int) -> None:
        if len(text) <= _WORD:
            if len(self._words) >= _WORDS:
                self._words.clear()
            self._words[text] = count
        elif len(text) <= _TEXTS_CHARACTERS:
            self._texts_characters += len(text)
            if self._texts_characters > _TEXTS_CHARACTERS:
                self._texts.clear()
                self._texts_characters = len(text)
            self._texts[text] = count

    def count_joined(self, parts: Iterable[str | Text]) -> int:
        """How many tokens the parts have when read as one string."""
        return self.count("".join(map(str, parts)))

    def fits(self, parts: Sequence[str | Text], room: int) -> bool:
        """Whether the parts, read as one string, have at most `room` tokens."""
        return self.count_joined(parts) <= room

    def token_ends(self, text: str) -> Ints | None:
        """The byte offset (UTF-8) at which each token of `text` ends, where that is known."""
        return None

    def with_special_tokens(self) -> Tokenizer:
        """The tokenizer that reads `<|endoftext|>` and its like as one token."""
        return self


class BytePairTokenizer(Tokenizer):
    """Counts with a vendored encoding; special tokens in a text count as plain text."""

    def __init__(self, name: str, special_tokens: bool = False) -> None:
        self._encoding, self._token_bytes = encodings.load(name)
        self._specials = self._encoding.special_tokens_set if special_tokens else set()
        super().__init__(name, self._tokens)

    def _tokens(self, text: str) -> Sequence[int]:
        return self._encoding.encode(text, allowed_special=self._specials, disallowed_special=())

    @override
    def token_ends(self, text: str) -> Ints:
        tokens = self._encoding.encode_to_numpy(
            text, allowed_special=self._specials, disallowed_special=()
        )
        ends: Ints = np.cumsum(self._token_bytes[tokens])
        return ends

    @override
    def fits(self, parts: Sequence[str | Text], room: int) -> bool:
        # A token is one byte or more, so few bytes need no count.
        if sum(map(len, parts)) <= room:
            size = sum(len(str(part).encode("utf-8", "surrogatepass")) for part in parts)
            if size <= room:
                return True
        return self.count_joined(parts) <= room

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
        # What lies between seams is counted once, here or in a measure, however often it
        # is sent: the same template, or the same chunk beside another answer.
        total, loose = 0, ""
        for part in parts:
            if isinstance(part, Text) and len(part) > _LONG:
                head, inside, tail = measured(self, part.document).divide(part.start, part.end)
            else:
                head, middle, tail = _divided(str(part))
                inside = self.count(middle) if middle else 0
            if inside:
                total += self.count(loose + head) + inside
                loose = tail
            else:
                loose += str(part)
        return total + self.count(loose)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return _byte_pair(self.name, special_tokens=True)


@lru_cache(maxsize=4_096)
def _divided(text: str) -> tuple[str, str, str]:
    """A text as a head, what is between two seams inside it (or nothing), and a tail."""
    found = _BETWEEN_SEAMS.match(text)
    if found is None:
        return text, "", ""
    return found[1], found[2], text[found.end() :]


@cache
def _byte_pair(name: str, special_tokens: bool = False) -> BytePairTokenizer:
    return BytePairTokenizer(name, special_tokens)


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """The tokenizer of an encoding's name, of a function from text to tokens, or itself.

    SynthError if the name is of no vendored encoding.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if not isinstance(spec, str):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    if spec not in encodings.RECIPES:
        known = " and ".join(encodings.RECIPES)
        raise SynthError(f"There is no encoding {spec!r} here: {known} are; or pass a function.")
    return _byte_pair(spec)


def encoding_of(model: str) -> tuple[str, str]:
    """The encoding to count with for a model, and a note where that is a guess, or ""."""
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        fallback = "o200k_base"
        return fallback, f"The tokenizer of {model} is not known here: counted with {fallback}."
    name = "o200k_base" if name == "o200k_harmony" else name  # the same ranks, more specials
    if name in encodings.RECIPES:
        return name, ""
    note = f"{model} counts with {name}, which is not shipped: counted with {DEFAULT_ENCODING}."
    return DEFAULT_ENCODING, note


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
        wide = np.flatnonzero(points[1:] >= _CJK_STOPS.min())
        stops = wide[np.isin(points[1:][wide], _CJK_STOPS)]
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
            while characters > _MEASURED_CHARACTERS and len(_kept) > 1:
                characters -= len(_kept.popitem(last=False)[0][1])
        document.measures[tokenizer] = found
    return found
