"""Counts tokens; every size of this package is counted here.

A `Tokenizer` counts with one of the two vendored encodings or with a function of the
caller's. It remembers counts; slice_counts.py does so for texts that are cut into slices.
A `ModelTokenizer` says of which model a tokenizer is, how sure that is, and what the model's chat
template adds to each prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
import tiktoken
from typing_extensions import override

from synth.errors import SynthError
from synth.text import encodings
from synth.text.frames import ChatTemplate, Frame, openai_frame
from synth.text.seams import split_at_seams
from synth.text.slice_counts import is_measured, slice_counter
from synth.text.slices import SLICE, Ints, Tokens, by_sizes, token_ends
from synth.text.spans import Text

Encode = Callable[[str], Sequence[object]]

DEFAULT_ENCODING = "cl100k_base"
_LONG = 2_048  # characters from which a text is worth measuring as a whole
_WORD = 100  # characters up to which a text's count is remembered
_WORDS = 200_000  # remembered counts a tokenizer
_TEXTS_CHARACTERS = 4_000_000  # of longer texts whose counts are remembered


class Tokenizer:
    """Counts tokens with `encode`, a function from a string to its tokens.

    `name` is the spec from which `get_tokenizer` makes it, unless it is the caller's function.
    `counting` says in words how sure its counts are, `sure` whether they are those of the model.
    """

    sure: bool = True

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self._encode = encode
        self._words: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._texts_characters = 0

    @property
    def counting(self) -> str:
        """How sure its counts are, in words."""
        return f"counted with {self.name}"

    @property
    def text_only(self) -> Tokenizer:
        """The tokenizer that counts texts alike and knows no chat template."""
        return self

    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        """What a chat template puts around messages of these roles; None if only texts count."""
        return None

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


class BytePairTokenizer(Tokenizer):
    """Counts with a vendored encoding; special tokens in a text count as plain text."""

    def __init__(self, name: str, special_tokens: bool = False) -> None:
        self._encoding, self._token_bytes = encodings.load(name)
        self._longest = int(self._token_bytes.max())
        self._specials = self._encoding.special_tokens_set if special_tokens else set()
        super().__init__(name, self._tokens)

    def _tokens(self, text: str) -> Sequence[int]:
        return self._encoding.encode(text, allowed_special=self._specials, disallowed_special=())

    def _read(self, text: str) -> Tokens:
        ids = self._encoding.encode_to_numpy(
            text, allowed_special=self._specials, disallowed_special=()
        )
        return by_sizes(text, ids, self._token_bytes[ids])

    @override
    def _counted(self, text: str) -> int:
        if len(text) <= SLICE:
            return len(self._tokens(text))
        if not text.isascii():  # halves of characters, put together or replaced as tiktoken does
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return sum(map(len, token_ends(text, self._read)))

    @override
    def token_ends(self, text: str) -> Ints:
        return np.concatenate([*token_ends(text, self._read)])

    @override
    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        # A token is one byte or more, and none has more than the longest: few bytes, or very
        # many, need no count.
        characters = sum(map(len, parts))
        if characters > room * self._longest:
            return False
        if characters <= room:
            size = sum(len(str(part).encode("utf-8", "surrogatepass")) for part in parts)
            if size <= room:
                return True
        return None

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
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
                head, middle, tail = split_at_seams(text)
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

    @override
    def with_special_tokens(self) -> Tokenizer:
        return _byte_pair(self.name, True)

    @override
    def __reduce__(self) -> tuple[Callable[[str, bool], BytePairTokenizer], tuple[str, bool]]:
        return _byte_pair, (self.name, bool(self._specials))  # a process has one of each


@cache
def _byte_pair(name: str, special_tokens: bool, /) -> BytePairTokenizer:
    return BytePairTokenizer(name, special_tokens)


class ModelTokenizer(Tokenizer):
    """The tokenizer of a model: one that counts texts, and the model's chat template if known."""

    def __init__(
        self,
        name: str,
        texts: Tokenizer,
        counting: str,
        sure: bool,
        chat_template: ChatTemplate | None = None,
    ) -> None:
        self.name = name
        self.sure = sure
        self._texts_alone = texts
        self._counting = counting
        self._chat_template = chat_template

    @property
    @override
    def counting(self) -> str:
        return self._counting

    @property
    @override
    def text_only(self) -> Tokenizer:
        return self._texts_alone

    @override
    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        return None if self._chat_template is None else self._chat_template(roles)

    @override
    def count(self, text: str) -> int:
        return self._texts_alone.count(text)

    @override
    def count_joined(self, parts: Iterable[str | Text]) -> int:
        return self._texts_alone.count_joined(parts)

    @override
    def fits_by_size(self, parts: Sequence[str | Text], room: int) -> bool | None:
        return self._texts_alone.fits_by_size(parts, room)

    @override
    def token_ends(self, text: str) -> Ints | None:
        return self._texts_alone.token_ends(text)

    @override
    def with_special_tokens(self) -> Tokenizer:
        texts = self._texts_alone.with_special_tokens()
        return ModelTokenizer(self.name, texts, self._counting, self.sure, self._chat_template)


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """The tokenizer of this spec, of a function from text to tokens, or itself.

    A spec is the name of an encoding; `estimate NAME`, where the encoding of that name stands in
    for a tokenizer that is not known; or `model NAME` for that of a model (`tokenizer_for`).
    SynthError for anything else.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    kind, _, name = spec.partition(" ") if isinstance(spec, str) else ("", "", "")
    if kind == MODEL and name:
        return tokenizer_for(name)
    if kind == ESTIMATE and name in encodings.RECIPES:
        return estimate(name)
    if spec not in list(encodings.RECIPES):  # a list compares by value, not by hash
        known = " or ".join(encodings.RECIPES)
        raise SynthError(f"There is no encoding {spec!r} here: give {known}, or a function.")
    return _byte_pair(spec, False)


MODEL, ESTIMATE = "model", "estimate"
"""How a spec begins that names a model, or an encoding that stands in for its tokenizer."""

GUESS = "o200k_base"
"""The encoding that stands in for the tokenizer of a model of which nothing is known."""


@cache
def estimate(encoding: str) -> Tokenizer:
    """An encoding in place of a tokenizer that is not known."""
    texts = _byte_pair(encoding, False)
    return ModelTokenizer(f"{ESTIMATE} {encoding}", texts, f"estimated with {encoding}", False)


@lru_cache(maxsize=256)
def tokenizer_for(model: str) -> Tokenizer:
    """The tokenizer of the model of that name, and an estimate where it is not known or shipped.

    A proxy may have the name of OpenAI before that of a model: openai/gpt-4.1-mini.
    """
    try:
        name = tiktoken.encoding_name_for_model(model.removeprefix("openai/"))
    except KeyError:
        return estimate(GUESS)
    name = "o200k_base" if name == "o200k_harmony" else name  # the same ranks, more specials
    if name not in encodings.RECIPES:
        return estimate(DEFAULT_ENCODING)
    texts = _byte_pair(name, False)
    return ModelTokenizer(f"{MODEL} {model}", texts, f"exact for {model}", True, openai_frame)
