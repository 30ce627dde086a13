"""Gemma's tokenizer.json, of characters with ▁ for a space, as an encoding of tiktoken.

The library joins the characters between two line breaks, tabs or special tokens. But no token
except `_ACROSS` goes on into a space, so words can be joined one by one, and tiktoken makes the
same tokens of them if that is proven as in byte_level.py. Runs are pieces of their own: of line
breaks, tabs and marks the library takes the longest token that it finds, and of spaces, which it
joins before all else, it makes the longest from the left.

tiktoken begins with bytes, so those of each character are joined before all else. Where a
character is no token, some of its bytes remain joined, and count as so many tokens.
"""

from __future__ import annotations

import json
import re
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import tiktoken
from numpy.typing import NDArray

from synth.text.encodings import Vocabulary, token_sizes

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Library

_MARK = "▁"
_ACROSS = "> </"
_LONGEST = 31  # of a run that is a token
_PATTERN = (
    rf"\n{{1,{_LONGEST}}}|\t{{1,{_LONGEST}}}|{_MARK}{{2,{_LONGEST}}}| {{2,{_LONGEST}}}"
    rf"| ?(?:{_ACROSS}|[^ \n\t{_MARK}])+| "
)
_MARKS = re.compile(f"{_MARK}{{2,{_LONGEST}}}|{_MARK}")
_BREAKS = {run * length for run in "\n\t" for length in range(1, _LONGEST + 1)}
_MARK_RUNS = {_MARK * length for length in range(2, _LONGEST + 1)}
# The longer the run that has begun, the sooner it grows.
_SPACES = [
    (_MARK * (first + second), first)
    for first in range(_LONGEST - 1, 0, -1)
    for second in range(_LONGEST - first, 0, -1)
]
_BYTES = {f"<0x{byte:02X}>" for byte in range(256)}

_NORMALIZER = {"type": "Replace", "pattern": {"String": " "}, "content": _MARK}
_CUTS_NOTHING = {  # as no space is left
    "type": "Split",
    "pattern": {"String": " "},
    "behavior": "MergedWithPrevious",
    "invert": False,
}


class SentencePieces(NamedTuple):
    """An encoding, and as how many tokens each of its own counts."""

    vocabulary: Vocabulary
    tokens: NDArray[np.int64]


def sentence_pieces(path: Path, library: Library) -> SentencePieces | None:
    """What the file says, if it was proven that tiktoken reads it as the library does; else None.

    The library has read the file already.
    """
    if "ByteLevel" in str(library.pre_tokenizer):
        return None
    file = json.loads(path.read_text("utf-8"))
    names = file["model"]["vocab"].keys()
    if not _is_plain(file) or not names >= _BYTES:
        return None
    pairs = (one.split(" ") if isinstance(one, str) else one for one in file["model"]["merges"])
    made = [(first + second, len(first)) for first, second in pairs]
    # What has a line break or a tab is found before anything is joined.
    made = [one for one in made if "\n" not in one[0] and "\t" not in one[0]]
    spaces, joined = made[: len(_SPACES)], [word for word, _ in made[len(_SPACES) :]]
    words = dict.fromkeys(joined)
    added = {token["content"] for token in file["added_tokens"]}
    specials = sorted(added - _BREAKS - _MARK_RUNS)
    if (
        spaces != _SPACES
        or len([*groupby(joined)]) != len(words)  # a word's pairs in several places of their order
        or not added >= _BREAKS | _MARK_RUNS
        or not _are_apart(specials)
        or not words.keys().isdisjoint(_BYTES.union(specials))
        or not all(map(_is_word, words))
    ):
        return None
    characters = [name for name in names if len(name) == 1]
    arising = [word for word in words if _is_itself(library, word)]
    return _encoding(str(path), characters, arising, specials)


def as_read(text: str) -> str:
    """A text in which a mark is a space, as it is read, but where a run of them is a token."""
    if _MARK not in text:
        return text
    return _MARKS.sub(lambda run: " " if run[0] == _MARK else run[0], text)


def _is_plain(file: Any) -> bool:
    """Whether the library replaces spaces, joins characters, and does nothing else."""
    model, options = file["model"], ("continuing_subword_prefix", "end_of_word_suffix")
    return (
        file.get("normalizer") == _NORMALIZER
        and file.get("pre_tokenizer") in (None, _CUTS_NOTHING)
        and bool(model.get("byte_fallback"))
        and not any(model.get(option) for option in (*options, "ignore_merges"))
        and not any(token["normalized"] for token in file.get("added_tokens", ()))
    )


def _are_apart(specials: list[str]) -> bool:
    """Whether at each place of a text at most one of these is found, and no run."""
    return not any({*token} & {*" \n\t", _MARK} for token in specials) and not any(
        longer.startswith(token) for token, longer in pairwise(specials)
    )


def _is_word(token: str) -> bool:
    """Whether no piece of the pattern ends within it."""
    text = token.replace(_MARK, " ")
    return " " not in token and (" " not in text[1:] or text == _ACROSS)


def _is_itself(library: Library, token: str) -> bool:
    """Whether it comes of its own text; else it comes in no other text either."""
    return [one.value for one in library.model.tokenize(token)] == [token]


def _encoding(
    name: str, characters: list[str], words: list[str], specials: list[str]
) -> SentencePieces:
    several = [character.encode() for character in characters if not character.isascii()]
    parts = {character[:end] for character in several for end in range(2, len(character))}
    runs = [*_BREAKS, *_MARK_RUNS, *(" " * len(run) for run in _MARK_RUNS)]
    joined = [run.encode() for run in runs] + [word.replace(_MARK, " ").encode() for word in words]
    order = [*(bytes([byte]) for byte in range(256)), *parts, *several, *joined]
    ranks = {token: rank for rank, token in enumerate(dict.fromkeys(order))}
    numbers = {token: len(ranks) + place for place, token in enumerate(specials)}
    encoding = tiktoken.Encoding(
        name, pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens=numbers
    )
    sizes = token_sizes(encoding, ranks, numbers)
    tokens = np.ones_like(sizes)
    tokens[256 : 256 + len(parts)] = sizes[256 : 256 + len(parts)]
    return SentencePieces(Vocabulary(encoding, sizes, True, False), tokens)
