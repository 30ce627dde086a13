"""Encoding a text of any length slice by slice, with the tokens of one pass.

For an unbroken run tiktoken takes more than twice the time at twice the length, and about
50 bytes of memory for each byte. A slice has neither problem, if two of them can be joined
exactly. They can: whether a sequence of tokens is what byte-pair encoding gives depends on
each two neighbours alone (https://github.com/github/rust-gems/tree/main/crates/bpe). So the
next slice begins where a token of this one ends, and where both have the same tokens from
there on, the two are joined. That is asked of several tokens, since the end of a slice may
have changed the last of them. Where they differ, the slice is made twice as long.

A slice can't show how a run of line breaks longer than itself began. If symbols
stand before such a run, and a space or a slash after it, the count may be off by a token.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Tokens(NamedTuple):
    """The tokens of a text: their ids, the offsets at which they have ended, and which are whole.

    A token that ends within a character has ended where the character does, and is not whole.
    """

    ids: NDArray[np.uint32]
    ends: Ints
    whole: NDArray[np.bool_]


Read = Callable[[str], Tokens]

SLICE = 16_384  # characters
AGREED = 16  # tokens
_JOINING_NOTHING = re.compile("(?<=.)(?=[\x00-\x7f，。！？；：、])", re.DOTALL)
_WHITE = re.compile(r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


class _Beyond:
    """What the patterns must see of the text behind a slice that ends in white space.

    They read white space up to its last line break as one piece, and leave its last
    character to the word that follows, however far away both are.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = 0  # the white space looked at last
        self._break = -1  # its last line break

    def __call__(self, at: int) -> str:
        if at >= len(self._text):
            return ""
        if not self._start < at <= self._end:
            white = _WHITE.match(self._text, at - 1)
            if white is None:
                return ""
            self._start, self._end = white.span()
            self._break = max(self._text.rfind(mark, *white.span()) for mark in "\r\n")
        word = "." if self._end < len(self._text) else ""
        return "\n" + word if self._break >= at else word


def token_ends(text: str, read: Read, size: int = SLICE) -> Iterator[Ints]:
    """Where the tokens of `text` have ended, as offsets of characters, about a slice at once."""
    beyond = _Beyond(text)

    def tokens_of(start: int, end: int) -> Tokens:
        return read(text[start:end] + beyond(end))

    start, end = 0, size
    tokens = tokens_of(start, end)
    while end < len(text):
        kept = _kept(text[start:end], tokens)
        if kept:
            cut = start + int(tokens.ends[kept - 1])
            following = tokens_of(cut, cut + size)
            if np.array_equal(tokens.ids[kept : kept + AGREED], following.ids[:AGREED]):
                yield start + tokens.ends[:kept]
                start, end, tokens = cut, cut + size, following
                continue
        end += end - start
        tokens = tokens_of(start, end)
    yield start + tokens.ends


def by_sizes(text: str, ids: NDArray[np.uint32], sizes: Ints) -> Tokens:
    """Tokens that have these sizes, in bytes of UTF-8, and stand for all of the text."""
    ends = np.cumsum(sizes)
    if text.isascii():
        return Tokens(ids, ends, np.ones(len(ends), np.bool_))
    begins = np.append(np.frombuffer(text.encode(), np.uint8) & 0xC0 != 0x80, True)
    return Tokens(ids, np.cumsum(begins)[ends - 1], begins[ends])


def tokens_before_nfc(tokens: Tokens, text: str) -> Tokens:
    """Tokens of a text in the form NFC as those of the text before it had that form.

    A token that ends in what the form changed has ended where that does, as far as the next
    character that joins nothing before it: one of ASCII, or a Chinese stop.
    """
    parts = _JOINING_NOTHING.split(text)
    composed = [normalize("NFC", part) for part in parts]
    before = np.cumsum([0, *map(len, parts)])
    after = np.cumsum([0, *map(len, composed)])
    part_of = np.searchsorted(after, tokens.ends) - 1
    changed = np.array([new != old for new, old in zip(composed, parts, strict=True)])[part_of]
    moved = before[part_of] + tokens.ends - after[part_of]
    whole = tokens.whole & (~changed | (tokens.ends == after[part_of + 1]))
    return Tokens(tokens.ids, np.where(changed, before[part_of + 1], moved), whole)


def _kept(part: str, tokens: Tokens) -> int:
    """After how many tokens a slice may be cut; 0 where it must be longer."""
    ends, inside_breaks = tokens.ends, 0
    last = int(np.searchsorted(ends, len(part))) - 2 * AGREED
    for kept in range(last, 0, -1):
        if not tokens.whole[kept - 1]:
            continue
        around = part[ends[kept - 1] - 1 : ends[kept - 1] + 1]
        if all(map(calm, around)):
            return kept
        if not inside_breaks and not around.strip("\r\n"):
            inside_breaks = kept
    return inside_breaks


def calm(character: str) -> bool:
    """Whether a cut beside it changes nothing.

    Line breaks belong to symbols before them, and so do slashes behind those; numbers are
    read three characters at a time, and only ASCII ones have tokens that show where.
    """
    if character.isascii():
        return character not in "\r\n/"
    return not category(character).startswith("N")
