"""Words of a text in one form: case, widths of letters, quotes and separators made alike.

Two texts have the same words where they are written alike but for that: "1,081" and "1081", "９"
and "9", "09:42" and "9:42", "café" in one or two characters. What says the same in other words is
another text ("twenty", "73 min"), which a fact names as a further wording; and case never tells two
words apart. Punctuation counts for nothing, apart from a minus before a number. Each character of
Chinese, Japanese, Korean and Thai is a word, since these need no spaces.

>>> Words("The pool had 1,081 seats.").ranges("1081 SEATS")
[(3, 5)]
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from synth.lazy import defer
from synth.text.words import CJK

_BETWEEN = "\x1f"  # no word has it
_NO_SPACES = f"\u0e00-\u0e7f{CJK}"  # with Thai
_NOT_COUNTED = re.compile(r"[,'’]|^0(?=\d:)")  # of a number
_WORD = re.compile(
    rf"""
    (?P<number>(?:(?<![\w)%])-)? (?:\d{{1,3}}(?:[,'’]\d{{3}})+(?!\d)(?:\.\d+)? | \d+(?:[.:]\d+)*))
  | [%$€£¥] | [{_NO_SPACES}] | [^\W\d_{_NO_SPACES}]+
    """,
    re.VERBOSE,
)


class Word(NamedTuple):
    """A word in its common form, and the characters `start` to `end` that it stands for."""

    form: str
    start: int
    end: int


class Words:
    """A text with its words, in which phrases are found."""

    def __init__(self, text: str) -> None:
        self.text = text

    @defer
    def words(self) -> tuple[Word, ...]:
        """List the words in order."""
        plain, starts, ends = _plain(self.text)
        return tuple(
            Word(
                _NOT_COUNTED.sub("", match[0]) if match["number"] else match[0],
                starts[match.start()],
                ends[match.end() - 1],
            )
            for match in _WORD.finditer(plain)
        )

    @defer
    def _line(self) -> str:
        """Join all forms, each between two marks, so that only whole words are found."""
        return _BETWEEN + "".join(word.form + _BETWEEN for word in self.words)

    @defer
    def _index(self) -> dict[int, int]:
        lengths = (len(word.form) + 1 for word in self.words)
        return {at: index for index, at in enumerate(accumulate(lengths, initial=0))}

    def ranges(self, wording: str) -> list[tuple[int, int]]:
        """Find the stretches of words that are the same as those of `wording`, in order.

        Each by the index of its first word and the one after its last.
        """
        wanted = _read_wording(wording)
        if not wanted.words:
            return []
        ranges, at = [], self._line.find(wanted._line)
        while at >= 0:
            first = self._index[at]
            ranges.append((first, first + len(wanted.words)))
            at = self._line.find(wanted._line, at + 1)
        return ranges


@lru_cache(maxsize=1_024)
def _read_wording(wording: str) -> Words:
    """Read the words of a wording, which is looked for in many texts."""
    return Words(wording)


def _plain(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Write a text in small plain letters, and say where in it each of them starts and ends.

    Full-width forms, ligatures and accents that stand alone are composed (Unicode's NFKC);
    invisible characters go.
    """
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        if unicodedata.category(text[at]) != "Cf":
            letter = _plain_letter(text[at:end])
            letters.append(letter)
            starts += [at] * len(letter)
            ends += [end] * len(letter)
        at = end
    return "".join(letters), starts, ends


def _plain_letter(letter: str) -> str:
    return unicodedata.normalize("NFKC", letter).casefold().replace("\u2212", "-")
