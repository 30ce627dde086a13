"""Words of a text in one form: numbers, dates, times, units, case and quotes made alike.

Two texts have the same words where a reader would see no difference: "1,081" and "1081",
"９" and "9", "May 3rd" and "3 May", "2:15 pm" and "14:15", "30 min" and "30 minutes",
"四十八" and "48", "20万" and "200,000". Words that say the same in another way are others
("twenty"; "5 km" and "5,000 m"), and case never tells two words apart. Punctuation counts for
nothing, apart from a minus before a number. Each character of Chinese, Japanese, Korean and Thai
is a word, since these need no spaces.

>>> Words("The pool had 1,081 seats.").ranges("1081 SEATS")
[(3, 5)]
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from synth.lazy import defer
from synth.quality.word_forms import NARROW_SPACE, Word, read_words

_BETWEEN = "\x1f"  # no word has it
_POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"  # NFKC makes 10² a 102
_NARROW_SPACES = "\u00a0\u2009\u202f"  # in NFKC they are like any other


class Words:
    """A text with its words, in which phrases are found."""

    def __init__(self, text: str) -> None:
        self.text = text

    @defer
    def words(self) -> tuple[Word, ...]:
        """List the words in order."""
        plain, starts, ends = _plain(self.text)
        return tuple(
            word._replace(start=starts[word.start], end=ends[word.end - 1])
            for word in read_words(plain)
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
        found, at = [], self._line.find(wanted._line)
        while at >= 0:
            first = self._index[at]
            end = first + len(wanted.words)
            if all(map(Word.means, self.words[first:end], wanted.words)):
                found.append((first, end))
            at = self._line.find(wanted._line, at + 1)
        return found


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
    if letter in _NARROW_SPACES:
        return NARROW_SPACE
    if letter in _POWERS:
        return f"^{unicodedata.digit(letter)}"
    plain = unicodedata.normalize("NFKC", letter).casefold().replace("\u2212", "-")
    return str(unicodedata.decimal(plain)) if plain.isdecimal() and len(plain) == 1 else plain
