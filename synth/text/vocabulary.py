"""Tokenizers that count with a vocabulary: an encoding, or a tokenizer.json."""

import re
from collections.abc import Collection, Iterable
from functools import cache, cached_property, lru_cache
from pathlib import Path
from unicodedata import normalize

from typing_extensions import override

from synth.text import encodings
from synth.text.readers import Read, read_encoding, read_tokenizer_json
from synth.text.tokenizer import Tokenizer


class VocabularyTokenizer(Tokenizer):
    """Counts with `read`, the reader of an encoding or of a tokenizer.json.

    Each of `special_tokens` in a text is one token where it `reads_special_tokens`, and the texts
    around it are read apart. A text is read in Unicode's form NFC where it is `composed`.
    """

    def __init__(
        self,
        name: str,
        read: Read,
        special_tokens: Collection[str] = (),
        reads_special_tokens: bool = False,
        composed: bool = False,
    ) -> None:
        super().__init__(name, list)
        self._read = read
        self._special_tokens = special_tokens
        self._composed = composed
        own = special_tokens if reads_special_tokens else ()
        self._begins = {token[0] for token in own}
        self._special = re.compile("|".join(map(re.escape, own)))

    @override
    def count(self, text: str) -> int:
        # Not remembered: gigatoken reads a long text again about as fast as a dictionary finds it.
        if self._composed:
            text = normalize("NFC", text)
        if not any(begin in text for begin in self._begins):
            return self._read(text)
        parts = self._special.split(text)
        return len(parts) - 1 + sum(map(self._read, parts))

    @override
    def counts(self, texts: Iterable[str]) -> list[int]:
        return [self._recall(text, self.count) for text in texts]  # words, which come again

    @override
    def with_special_tokens(self) -> Tokenizer:
        return self._with_special_tokens

    @cached_property
    def _with_special_tokens(self) -> Tokenizer:
        if not self._special_tokens:  # or a tokenizer.json, whose reader takes them so
            return self
        return VocabularyTokenizer(
            self.name, self._read, self._special_tokens, True, self._composed
        )


@cache
def of_encoding(name: str) -> VocabularyTokenizer:
    """Return the tokenizer of an encoding; OSError if its file is not here, or was changed."""
    recipe = encodings.KNOWN[name]
    return VocabularyTokenizer(
        name,
        read_encoding(name),
        recipe.special_tokens,
        recipe.reads_special_tokens,
        recipe.composed,
    )


@lru_cache(maxsize=8)
def of_file(path: Path) -> VocabularyTokenizer:
    """Return the tokenizer of a tokenizer.json; SynthError if it can't be read."""
    return VocabularyTokenizer(str(path), read_tokenizer_json(path))
