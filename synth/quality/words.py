"""Words of a text in one form: numbers, dates, times, units, case and quotes made alike.

Two texts have the same words where a reader would see no difference: "1,081" and "1081",
"９" and "9", "May 3rd" and "3 May", "2:15 pm" and "14:15", "30 min" and "30 minutes",
"四十八" and "48". Punctuation counts for nothing, apart from a minus before a number. Each
character of Chinese, Japanese, Korean and Thai is a word, since these need no spaces.

>>> words = Words("The pool had 1,081 seats.")
>>> words.text[slice(*words.find("1081 SEATS")[0])]
'1,081 seats'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from synth.quality.numerals import chinese_number, plain_number

_BETWEEN = "\x1f"  # no word has it
_NARROW = "\u202f"
_NARROW_SPACES = "\u00a0\u2009\u202f"  # they may separate thousands; NFKC makes them plain spaces

_MONTHS = "january february march april may june july august september october november december"
_MONTH_NUMBERS = {
    name: number
    for number, month in enumerate(_MONTHS.split(), 1)
    for name in (month, month[:3], month[:4])
}
_UNITS = {
    name: unit
    for unit, names in {
        "%": "percent pct",
        "s": "sec secs second seconds",
        "min": "mins minute minutes",
        "h": "hr hrs hour hours",
        "ms": "millisecond milliseconds",
        "d": "day days",
        "km": "kilometre kilometres kilometer kilometers",
        "m": "metre metres meter meters",
        "kg": "kilogram kilograms kilo kilos",
        "eur": "€ euro euros",
        "usd": "$ dollar dollars",
        "gbp": "£",
    }.items()
    for name in (unit, *names.split())
}

_NO_SPACES = (
    "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_MONTH = rf"(?P<{{}}>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_PATTERN = re.compile(
    rf"""
    (?P<iso>(?<!\d)(?P<iso_year>\d{{4}})-(?P<iso_month>0\d|1[0-2])-(?P<iso_day>[0-3]\d)(?!\d))
  | (?P<cjk_date>(?P<cjk_month>[一二三四五六七八九十\d]{{1,3}})月
      (?P<cjk_day>[一二三四五六七八九十\d]{{1,3}})[日号])
  | (?P<day_month>(?<![\d.,:])\b{_DAY.format("dm_day")}\s{_MONTH.format("dm_month")})
  | (?P<month_day>\b{_MONTH.format("md_month")}\s{_DAY.format("md_day")}(?![\d:]|[.,]\d))
  | (?P<time>(?<![\d:])(?P<hour>[01]?\d|2[0-3])
      (?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?|(?=\s?[ap]\.?m\b))(?![\d:])(?:\s?(?P<half>[ap])\.?m\b\.?)?)
  | (?P<cjk_time>(?<!\d)(?P<cjk_hour>[01]?\d|2[0-3])[时時点點](?P<cjk_minute>[0-5]?\d)分)
  | (?P<share>百分之(?P<share_of>[零〇一二两三四五六七八九十百点\d.]+))
  | (?P<money>[$€£](?=\s?\d))
  | (?P<number>(?:(?<![\w\d)%])-)?
      (?:\d{{1,3}}(?:[,'’\u202f]\d{{3}})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)*))
  | (?P<cjk_number>[零〇一二两三四五六七八九十百千万亿]+)
  | (?P<unit>per\s?cent\b|[%€$£])
  | (?P<character>[{_NO_SPACES}])
  | (?P<word>[^\W\d_{_NO_SPACES}]+)
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

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words in order."""
        plain, starts = _plain(self.text)
        placed = []
        for form, start, end in _amounts(list(_read(plain))):
            placed.append(Word(form, starts[start], starts[end]))
        return tuple(placed)

    @cached_property
    def _line(self) -> str:
        return _joined(self.words)

    @cached_property
    def _at(self) -> dict[int, int]:
        """The index of each word by the place in the line at which it begins."""
        lengths = (len(word.form) + 1 for word in self.words)
        return {at: index for index, at in enumerate(accumulate(lengths, initial=0))}

    def places(self, wording: str) -> list[tuple[Word, ...]]:
        """The stretches of words that are the same as those of `wording`, in order."""
        wanted = Words(wording)
        if not wanted.words:
            return []
        found, at = [], self._line.find(wanted._line)
        while at >= 0:
            first = self._at[at]
            found.append(self.words[first : first + len(wanted.words)])
            at = self._line.find(wanted._line, at + 1)
        return found

    def find(self, wording: str) -> list[tuple[int, int]]:
        """The places of `wording` as characters from the first to after the last."""
        return [(place[0].start, place[-1].end) for place in self.places(wording)]


def _joined(words: tuple[Word, ...]) -> str:
    """All forms in one line, each between two marks, so that only whole words are found."""
    return _BETWEEN + "".join(word.form + _BETWEEN for word in words)


def _plain(text: str) -> tuple[str, list[int] | range]:
    """The text in small plain letters, and for each of them the character that it came from.

    Full-width forms, ligatures and accents that stand alone are composed (Unicode's NFKC);
    invisible characters go.
    """
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        if unicodedata.category(text[at]) != "Cf":
            part = _NARROW if text[at] in _NARROW_SPACES else _plain_letter(text[at:end])
            parts.append(part)
            starts += [at] * len(part)
        at = end
    return "".join(parts), [*starts, len(text)]


def _plain_letter(letter: str) -> str:
    return unicodedata.normalize("NFKC", letter).casefold().replace("\u2212", "-")


def _read(plain: str) -> Iterator[Word]:
    """The words of a plain text; a date is its month and day, with the year as its own word."""
    for found in _PATTERN.finditer(plain):
        for form in _forms(found):
            yield Word(form, *found.span())


def _forms(found: re.Match[str]) -> tuple[str, ...]:
    text, part = found.group(), found.group
    match found.lastgroup:
        case "iso":
            return part("iso_year"), _date(part("iso_month"), part("iso_day"))
        case "cjk_date":
            month, day = chinese_number(part("cjk_month")), chinese_number(part("cjk_day"))
            return (_date(month or "0", day or "0"),)
        case "day_month":
            return (_date(str(_MONTH_NUMBERS[part("dm_month")]), part("dm_day")),)
        case "month_day":
            return (_date(str(_MONTH_NUMBERS[part("md_month")]), part("md_day")),)
        case "time":
            return (_time(part("hour"), part("minute") or "0", part("second"), part("half")),)
        case "cjk_time":
            return (_time(part("cjk_hour"), part("cjk_minute"), None, None),)
        case "share":
            return chinese_number(part("share_of")) or part("share_of"), "%"
        case "number":
            return (plain_number(text),)
        case "cjk_number":
            number = chinese_number(text)
            return (number,) if number else tuple(text)
        case "unit":
            return (_UNITS.get(text, "%"),)
    return (text,)


def _date(month: str, day: str) -> str:
    return f"{int(month)}-{int(day)}"


def _time(hour: str, minute: str, second: str | None, half: str | None) -> str:
    hours = int(hour) if half is None else int(hour) % 12 + 12 * (half == "p")
    return f"{hours}:{int(minute):02}" + (f":{second}" if second else "")


def _amounts(words: list[Word]) -> Iterator[Word]:
    """The words with units after numbers in one form, and the sign of a currency after its number.

    "$5", "5 $" and "5 dollars" are alike.
    """
    index = 0
    while index < len(words):
        word = words[index]
        following = words[index + 1] if index + 1 < len(words) else None
        if word.form in "$€£" and following is not None and following.form[:1].isdigit():
            yield following
            yield Word(_UNITS[word.form], word.start, word.end)
            index += 2
            continue
        after_number = index and words[index - 1].form[-1:].isdigit()
        yield word._replace(form=_UNITS.get(word.form, word.form)) if after_number else word
        index += 1
