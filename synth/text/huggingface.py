"""Counts with a tokenizer.json, the form in which makers of open models publish theirs.

The package `tokenizers` reads it, which llama.cpp, vLLM and the rest hold themselves to. In a chat
they read a special token that stands in a text, such as <|im_end|>, as that one token, so it is
counted so. No token is added here: what a model sees before a text is its chat template's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from synth.errors import SynthError
from synth.text.byte_level import vocabulary
from synth.text.byte_pairs import BytePairTokenizer, SlicedTokenizer, whole_characters
from synth.text.encodings import Vocabulary
from synth.text.seams import Seams, hard_texts
from synth.text.sentence_pieces import SentencePieces, as_read, sentence_pieces
from synth.text.slices import Tokens
from synth.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Library

MOST_BYTES = 64_000_000
"""The longest file that is read; Gemma's, the longest that many people use, has 33 million."""


class HuggingFaceTokenizer(SlicedTokenizer):
    """Counts with the tokenizer.json at `path`, as the library does that has read it."""

    def __init__(self, path: Path, library: Library) -> None:
        self._path = path
        self._library = library
        super().__init__(str(path), self._ids)
        self.seams = self._found_seams()

    def _found_seams(self) -> Seams | None:
        specials = [*self._library.get_added_tokens_decoder().values()]
        # A token that takes the white space beside it along, as Phi's do, leaves no seam there,
        # and only of byte pairs is it proven that slices can be joined.
        takes_more = any(token.lstrip or token.rstrip or token.single_word for token in specials)
        if takes_more or type(self._library.model).__name__ != "BPE":
            return None
        tokens = [token.content for token in specials]
        if "ByteLevel" not in str(self._library.pre_tokenizer):  # no pattern cuts the text: Gemma
            tokens += [token.replace("▁", " ") for token in self._library.get_vocab()]
        seams = Seams(tokens)
        among = [token.content for token in specials[:40]]
        return seams if seams.add_up(self._counted, hard_texts(among)) else None

    def _ids(self, text: str) -> Sequence[int]:
        return self._library.encode(whole_characters(text), add_special_tokens=False).ids

    @override
    def _read(self, text: str) -> Tokens:
        encoding = self._library.encode(text, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        starts, ends = offsets[:, 0], offsets[:, 1]
        whole = np.append(starts[1:] >= ends[:-1], True)[: len(ends)]
        # A mark that NFC joins to the letter before it is in no offsets.
        ends = np.maximum(ends, np.append(starts[1:], len(text))[: len(ends)])
        return Tokens(np.array(encoding.ids, np.uint32), ends, whole)

    @override
    def __reduce__(self) -> tuple[Callable[[Path], SlicedTokenizer], tuple[Path]]:
        return huggingface_tokenizer, (self._path,)  # a process has one of each


class _BytePairFile(BytePairTokenizer):
    """Counts with the tokenizer.json at `path`, which is of byte pairs."""

    def __init__(self, path: Path, vocabulary: Vocabulary) -> None:
        self._path = path
        super().__init__(str(path), vocabulary=vocabulary)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return self

    @override
    def __reduce__(self) -> tuple[Callable[[Path], SlicedTokenizer], tuple[Path]]:
        return huggingface_tokenizer, (self._path,)


class _SentencePieceFile(_BytePairFile):
    """Counts with the tokenizer.json at `path`, which is of characters."""

    def __init__(self, path: Path, pieces: SentencePieces, seams: Seams) -> None:
        super().__init__(path, pieces.vocabulary)
        self._counts = pieces.tokens
        self.seams = seams

    @override
    def _tokens(self, text: str) -> Sequence[int]:
        if text.isascii():
            return super()._tokens(text)
        ids: list[int] = self._read(whole_characters(text)).ids.tolist()
        return ids

    @override
    def _read(self, text: str) -> Tokens:
        ids, ends, whole = super()._read(as_read(text))
        counts = self._counts[ids]
        return Tokens(np.repeat(ids, counts), np.repeat(ends, counts), np.repeat(whole, counts))


@lru_cache(maxsize=8)
def huggingface_tokenizer(path: Path) -> SlicedTokenizer:
    """The tokenizer of that file, which a process reads once; SynthError if it can't be used."""
    library = _library(path)
    whole = HuggingFaceTokenizer(path, library)
    if whole.seams is None:
        return whole
    if pairs := vocabulary(path, library):
        return _BytePairFile(path, pairs)
    pieces = sentence_pieces(path, library)
    return _SentencePieceFile(path, pieces, whole.seams) if pieces else whole


def _library(path: Path) -> Library:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415
    except ImportError as problem:
        raise SynthError(
            f"{path.name} is read by the package tokenizers, which is not installed:"
            ' pip install "synthesis-playground[tokenizers]".'
        ) from problem
    try:
        if not path.is_file():  # a device has no end
            raise SynthError(f"{path} can't be read as a tokenizer.json: it is no file.")
        if (size := path.stat().st_size) > MOST_BYTES:
            raise SynthError(f"{path} has {size:,} bytes: give a file of at most {MOST_BYTES:,}.")
        library = Tokenizer.from_file(str(path))
    except (KeyboardInterrupt, SystemExit, SynthError):
        raise
    except BaseException as problem:  # the library panics on some files, which is no Exception
        raise SynthError(f"{path} can't be read as a tokenizer.json: {problem}") from problem
    if getattr(library.model, "dropout", None):
        raise SynthError(f"{path} is for training: with dropout, no two counts are alike.")
    library.no_truncation()
    library.no_padding()
    library.post_processor = None  # else offsets leave white space out, as the library trims them
    return library
