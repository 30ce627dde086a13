"""Facts: what an answer should hold, each in the wordings that count, and how these are found.

Two texts have the same words where they are written alike but for case, widths of letters, quotes
and separators: "1,081" and "1081", "９" and "9", "09:42" and "9:42", "café" in one or two
characters. What says the same in other words is another text ("twenty", "73 min"), which a fact
names as a further wording; and case never tells two words apart. Punctuation counts for nothing,
apart from a minus before a number. Each character of Chinese, Japanese, Korean and Thai is a word,
since these need no spaces.

>>> Words("The pool had 1,081 seats.").ranges("1081 SEATS")
[(3, 5)]
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar, NamedTuple

from pydantic import ConfigDict

from synth.errors import short
from synth.lazy import defer
from synth.text.words_and_sentences import CJK

MUST_MARKS = ("*", "◆")
BETWEEN_WORDINGS = "|"
MOST_FACTS = 100  # of one question
MOST_WORDINGS = 50  # of one fact
MOST_CHARACTERS = 1_000  # of one wording


@dataclass(frozen=True)
class Fact:
    """A short statement or phrase that an answer should hold.

    A text holds the fact if `text` or one of the other `wordings` stands in it. With `must`
    an answer without it counts as a bad one, however many other facts it holds. ValueError
    if a wording has no letter and no digit, since it would be found everywhere or nowhere, if it
    is longer than `MOST_CHARACTERS`, and for more than `MOST_WORDINGS`.
    """

    text: str
    wordings: tuple[str, ...] = ()
    must: bool = False
    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}  # where a file has it

    def __post_init__(self) -> None:
        fact, count = f"The fact {short(self.line, 100)!r} has", len(self.accepted)
        if count > MOST_WORDINGS:
            raise ValueError(
                f"{fact} {count:,} wordings, and {MOST_WORDINGS} is the limit: make several facts."
            )
        for wording in self.accepted:
            if len(wording) > MOST_CHARACTERS:
                raise ValueError(
                    f"{fact} a wording of {len(wording):,} characters, and {MOST_CHARACTERS:,} is"
                    " the limit: write a shorter one."
                )
            if not any(map(str.isalnum, wording)):
                raise ValueError(
                    f"{fact} a wording without a letter or digit, {wording!r}. Write a word or a"
                    " number there, or take the wording out."
                )

    @property
    def accepted(self) -> tuple[str, ...]:
        """List all wordings that count, `text` first."""
        return (self.text, *self.wordings)

    @property
    def line(self) -> str:
        """Write the fact as one line, which `read_facts` reads."""
        return ("* " if self.must else "") + f" {BETWEEN_WORDINGS} ".join(self.accepted)


def read_facts(text: str) -> tuple[Fact, ...]:
    """Read a text with one fact a line, as "* wording | other wording".

    A star or ◆ at the start marks a fact that must arrive. ValueError for a line with an empty
    wording, and for more than `MOST_FACTS` lines.

    >>> read_facts("* 8 instead of 80 | 8, not 80")
    (Fact(text='8 instead of 80', wordings=('8, not 80',), must=True),)
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_FACTS:
        raise ValueError(f"There are {len(lines):,} facts, and {MOST_FACTS} is the limit.")
    return tuple(map(_read_line, lines))


def _read_line(line: str) -> Fact:
    must = line.startswith(MUST_MARKS)
    first, *others = (part.strip() for part in line[must:].split(BETWEEN_WORDINGS))
    return Fact(first, tuple(others), must)


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
        """Find the stretches of the words of `wording`: their first word, and the one behind."""
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
    """Write a text in small letters of NFKC, and say where in it each starts and ends."""
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
            letter = unicodedata.normalize("NFKC", text[at:end]).casefold()
            letters.append(letter.replace("\u2212", "-"))
            starts += [at] * len(letter)
            ends += [end] * len(letter)
        at = end
    return "".join(letters), starts, ends
