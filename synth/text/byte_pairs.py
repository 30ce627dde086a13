"""Counts of byte pairs: a tokenizer that knows where its tokens end, and joins what it counted.

Texts that are cut into slices are counted by slice_counts.py, long ones read as in slices.py.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from unicodedata import normalize

import numpy as np
from typing_extensions import override

from synth.text import encodings
from synth.text.seams import SEAMS, Seams
from synth.text.slice_counts import is_measured, slice_counter
from synth.text.slices import SLICE, Ints, Tokens, by_sizes, token_ends, tokens_before_nfc
from synth.text.spans import Text
from synth.text.tokenizer import Tokenizer

_LONG = 2_048  # characters from which a text is worth measuring as a whole
_CUT = 100  # characters from which a slice is counted from what was measured


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
            if len(text) > _LONG or (
                # The text it is cut from was measured as a whole, to find where to cut it.
                isinstance(part, Text) and len(part) > _CUT and is_measured(self, part.document)
            ):
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


class BytePairTokenizer(SlicedTokenizer):
    """Counts with an encoding; special tokens in OpenAI's encodings count as plain text."""

    def __init__(
        self,
        name: str,
        special_tokens: bool = False,
        vocabulary: encodings.Vocabulary | None = None,
    ) -> None:
        vocabulary = vocabulary or encodings.load(name)
        self._encoding, self._token_bytes, reads_special_tokens, self._composed = vocabulary
        self._longest = int(self._token_bytes.max())
        self._special_tokens = special_tokens
        self._specials = set[str]()
        if special_tokens or reads_special_tokens:
            self._specials = self._encoding.special_tokens_set
            self.seams = Seams(self._specials)
        self._begin_specials = {token[0] for token in self._specials}
        self._special_sizes = {len(token) for token in self._specials}
        super().__init__(name, self._tokens)

    def _specials_for(self, text: str) -> set[str]:
        """The special tokens that stand in the text; tiktoken copies those it is given."""
        return {
            text[begin.start() : begin.start() + size]
            for first in self._begin_specials
            if first in text
            for begin in re.finditer(re.escape(first), text)
            for size in self._special_sizes
        } & self._specials

    def _tokens(self, text: str) -> Sequence[int]:
        text = normalize("NFC", text) if self._composed else text
        if self._specials and (specials := self._specials_for(text)):
            return self._encoding.encode(text, allowed_special=specials, disallowed_special=())
        return self._encoding.encode_ordinary(text)

    @override
    def _read(self, text: str) -> Tokens:
        read = normalize("NFC", text) if self._composed else text
        ids = self._encoding.encode_to_numpy(
            read, allowed_special=self._specials_for(read), disallowed_special=()
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
        return byte_pairs(self.name, True)

    @override
    def __reduce__(self) -> tuple[Callable[..., SlicedTokenizer], tuple[object, ...]]:
        # A process has one of each, by the arguments with which all others ask for it.
        return byte_pairs, (self.name, True) if self._special_tokens else (self.name,)


def whole_characters(text: str) -> str:
    """A text in which halves of characters are put together, or replaced as tiktoken does."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@cache
def byte_pairs(name: str, special_tokens: bool = False, /) -> BytePairTokenizer:
    """The tokenizer of an encoding: one for all who ask."""
    return BytePairTokenizer(name, special_tokens)
