"""Counts tokens; every size of this package is counted here.

A `Tokenizer` counts with one of the two vendored encodings or with a function of the
caller's. It remembers counts; slice_counts.py does so for texts that are cut into slices.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from unicodedata import normalize

import numpy as np
import tiktoken
from typing_extensions import override

from synth.errors import SynthError
from synth.text import encodings
from synth.text.seams import SEAMS, Seams
from synth.text.slice_counts import is_measured, slice_counter
from synth.text.slices import SLICE, Ints, Tokens, by_sizes, token_ends, tokens_before_nfc
from synth.text.spans import Text

Encode = Callable[[str], Sequence[object]]

DEFAULT_ENCODING = "cl100k_base"
_LONG = 2_048  # characters from which a text is worth measuring as a whole
_WORD = 100  # characters up to which a text's count is remembered
_WORDS = 200_000  # remembered counts a tokenizer
_TEXTS_CHARACTERS = 4_000_000  # of longer texts whose counts are remembered


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens."""

    seams: Seams | None = None
    """Where counts add up, if that is known of any place."""

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
            known = self._counted(text)
            self._remember(text, known)
        return known

    def _counted(self, text: str) -> int:
        return len(self._encode(text))

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
        by_size = self.fits_by_size(parts, room)
        return self.count_joined(parts) <= room if by_size is None else by_size

    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        """The same where the size of the text alone says so; None where it must be counted."""
        return None

    def token_ends(self, text: str) -> Ints | None:
        """Where each token of `text` has ended, as offsets of characters, if that is known."""
        return None

    def with_special_tokens(self) -> Tokenizer:
        """The tokenizer that reads `<|endoftext|>` and its like as one token."""
        return self


class SlicedTokenizer(Tokenizer):
    """A tokenizer that says where its tokens end: it reads a long text slice by slice.

    One whose `seams` are None has no such places, and counts every text as a whole.
    """

    seams: Seams | None = SEAMS

    @abstractmethod
    def _read(self, text: str) -> Tokens:
        """The tokens of a text that has no halves of characters."""

    @override
    def _counted(self, text: str) -> int:
        if self.seams is None or len(text) <= SLICE:
            return super()._counted(text)
        return sum(map(len, token_ends(whole_characters(text), self._read)))

    @override
    def token_ends(self, text: str) -> Ints | None:
        return None if self.seams is None else np.concatenate([*token_ends(text, self._read)])

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
        if self.seams is None:
            return super().count_joined(parts)
        # What lies between seams is counted once, here or by a SliceCounter, however often it
        # is sent: the same template, or the same chunk beside another answer.
        total, loose = 0, ""
        for part in parts:
            text = str(part)
            if len(text) > _LONG or self._is_cut(part):
                view = part if isinstance(part, Text) else Text.of(text)
                head, inside, tail = slice_counter(self, view.document).split_at_seams(
                    view.start, view.end
                )
            else:
                head, middle, tail = self.seams.split(text)
                inside = self.count(middle) if middle else 0
            if inside:
                total += self.count(loose + head) + inside
                loose = tail
            else:
                loose += text
        return total + self.count(loose)

    def _is_cut(self, part: str | Text) -> bool:
        """Whether the text it is cut from was measured as a whole, to find where to cut it."""
        return isinstance(part, Text) and len(part) > _WORD and is_measured(self, part.document)


class BytePairTokenizer(SlicedTokenizer):
    """Counts with an encoding; special tokens in OpenAI's encodings count as plain text."""

    def __init__(self, name: str, special_tokens: bool = False) -> None:
        self._encoding, self._token_bytes, reads_special_tokens, self._composed = encodings.load(
            name
        )
        self._longest = int(self._token_bytes.max())
        self._special_tokens = special_tokens
        self._specials = set[str]()
        if special_tokens or reads_special_tokens:
            self._specials = self._encoding.special_tokens_set
            self.seams = Seams(self._specials)
        super().__init__(name, self._tokens)

    def _tokens(self, text: str) -> Sequence[int]:
        text = normalize("NFC", text) if self._composed else text
        return self._encoding.encode(text, allowed_special=self._specials, disallowed_special=())

    @override
    def _read(self, text: str) -> Tokens:
        read = normalize("NFC", text) if self._composed else text
        ids = self._encoding.encode_to_numpy(
            read, allowed_special=self._specials, disallowed_special=()
        )
        tokens = by_sizes(read, ids, self._token_bytes[ids])
        return tokens if read == text else tokens_before_nfc(tokens, text)

    @override
    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        # A token is one byte or more, and none has more than the longest: few bytes, or very
        # many, need no count.
        if self._composed:  # which may make a text shorter or longer
            return None
        characters = sum(map(len, parts))
        if characters > room * self._longest:
            return False
        if characters <= room:
            size = sum(len(str(part).encode("utf-8", "surrogatepass")) for part in parts)
            if size <= room:
                return True
        return None

    @override
    def with_special_tokens(self) -> Tokenizer:
        return _byte_pair(self.name, True)

    @override
    def __reduce__(self) -> tuple[Callable[[str, bool], BytePairTokenizer], tuple[str, bool]]:
        return _byte_pair, (self.name, self._special_tokens)  # a process has one of each


def whole_characters(text: str) -> str:
    """A text in which halves of characters are put together, or replaced as tiktoken does."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@cache
def _byte_pair(name: str, special_tokens: bool, /) -> BytePairTokenizer:
    return BytePairTokenizer(name, special_tokens)


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """The tokenizer of an encoding's name, of a function from text to tokens, or itself.

    SynthError for anything else.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    if spec not in list(encodings.RECIPES):  # a list compares by value, not by hash
        known = " or ".join(encodings.RECIPES)
        raise SynthError(f"There is no encoding {spec!r} here: give {known}, or a function.")
    return _byte_pair(spec, False)


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
