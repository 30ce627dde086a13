"""The words of a text in small plain letters, each in the form that its kind has."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from synth.quality.numerals import chinese_number, plain_number, tens_of, times_ten
from synth.text.words import CJK

NARROW_SPACE = "\u202f"
"""The one white space that may separate thousands."""

_MONTHS = "january february march april may june july august september october november december"
_MONTH_NUMBERS = {
    name: number
    for number, month in enumerate(_MONTHS.split(), 1)
    for name in (month, month[:3], month[:4])
}
_FILE = Path(__file__).with_name("units.toml").read_text("utf-8")
_UNITS = {
    name: unit for unit, names in tomllib.loads(_FILE).items() for name in (unit, *names.split())
}
_CURRENCIES = "$€£¥"
_TENS = {"thousand": 3, "million": 6, "billion": 9}
_OF_A_VERSION = {"version", "versions", "ver", "v", "release", "版", "本"}

_NO_SPACES = f"\u0e00-\u0e7f{CJK}"  # with Thai
_NUMERALS = "零〇一二两三四五六七八九十百"
_MONTH = rf"(?P<{{}}>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_PATTERN = re.compile(
    rf"""
    (?P<iso>(?<![\d.])(?P<iso_year>\d{{4}})(?P<iso_mark>[-/.])(?P<iso_month>0?[1-9]|1[0-2])
      (?P=iso_mark)(?P<iso_day>0?[1-9]|[12]\d|3[01])(?![\d]))
  | (?P<cjk_date>(?:(?<!\d)(?P<cjk_year>\d{{4}})年)?(?P<cjk_month>\d{{1,2}}|[{_NUMERALS}]{{1,2}})月
      (?P<cjk_day>\d{{1,2}}|[{_NUMERALS}]{{1,3}})[日号])
  | (?P<day_month>(?<![\d.,:])\b{_DAY.format("dm_day")}\s(?:of\s)?{_MONTH.format("dm_month")})
  | (?P<month_day>\b{_MONTH.format("md_month")}\s(?:the\s)?{_DAY.format("md_day")}(?![\d:]|[.,]\d))
  | (?P<time>(?<![\d:])(?P<hour>[01]?\d|2[0-3])
      (?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?|(?=\s?[ap]\.?m\b))(?![\d:])
      (?:\s?(?P<half>[ap])\.?m\b\.?)?)
  | (?P<cjk_time>(?<!\d)(?P<cjk_hour>[01]?\d|2[0-3])[时時点點](?P<cjk_minute>[0-5]?\d)分)
  | (?P<noon>\b(?:12\s)?noon\b) | (?P<midnight>\bmidnight\b)
  | (?P<scaled>(?P<scaled_of>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)
      (?:\s?(?P<cjk_scale>[十百千]?[万亿]|[百千](?![米克瓦])) | \s(?P<scale>{"|".join(_TENS)})\b))
  | (?P<share>百分之(?P<share_of>\.?\d[\d.]*|[{_NUMERALS}点]+))
  | (?P<number>(?:(?<![\w)%])-)?
      (?:\d{{1,3}}(?:[,'’{NARROW_SPACE}]\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*))
  | (?P<power>(?<=\d)\^\d+)
  | (?P<cjk_number>(?!一[些般样定起直切致旦律])[{_NUMERALS}千万亿]+)
  | (?P<per_cent>per\s?cent\b)
  | (?P<sign>[%{_CURRENCIES}])
  | (?P<character>[{_NO_SPACES}])
  | (?P<negated>(?P<verb>[a-z]+)n['’]t\b|(?P<can>can)not\b)
  | (?P<word>[^\W\d_{_NO_SPACES}]+)
    """,
    re.VERBOSE,
)


class Word(NamedTuple):
    """A word in its common form, and the characters `start` to `end` that it stands for.

    A number has its digits as `written`; that of a `version` is no decimal: 1.10 is not 1.1.
    """

    form: str
    start: int
    end: int
    written: str = ""
    version: bool = False

    def means(self, other: "Word") -> bool:
        """Return whether two words of the same form mean the same."""
        return self.written == other.written or not (self.version or other.version)


def read_words(plain: str) -> Iterator[Word]:
    """Read the words of a text in small plain letters, with the units of amounts in one form.

    A date is its month and day, followed by its year as another word if it has one.
    """
    words = [
        Word(form, *found.span(), found["number"] or "")
        for found in _PATTERN.finditer(plain)
        for form in _forms(found)
    ]
    return _amounts([*_versions(words)])


def _versions(words: Sequence[Word]) -> Iterator[Word]:
    """Mark the numbers that stand beside a word such as "version"."""
    forms = ["", *(word.form for word in words), ""]
    for before, word, after in zip(forms, words, forms[2:], strict=False):
        version = before in _OF_A_VERSION or after == "版"
        yield word._replace(version=True) if word.written and version else word


def _amounts(words: Sequence[Word]) -> Iterator[Word]:
    """Write units after numbers in one form: "$5", "5 $" and "5 dollars" are alike."""
    sign: Word | None = None  # of a currency, before its number
    number = False
    for word, following in zip(words, [*words[1:], None], strict=False):
        before_number = following is not None and following.form[:1].isdigit()
        if word.form in _CURRENCIES and not number and before_number:
            sign = word
            continue
        yield word._replace(form=_UNITS[word.form]) if number and word.form in _UNITS else word
        number = word.form[-1:].isdigit()
        if sign is not None:
            yield sign._replace(form=_UNITS[sign.form])
            sign, number = None, False


def _forms(found: re.Match[str]) -> Sequence[str]:
    kind = found.lastgroup or ""
    return _FORMS[kind](found) if kind in _FORMS else (found.group(),)


def _date(month: str | int, day: str) -> str:
    return f"{int(month)}-{int(day)}"


def _cjk_date(found: re.Match[str]) -> Sequence[str]:
    month, day = chinese_number(found["cjk_month"]), chinese_number(found["cjk_day"])
    if not (month and day):
        return tuple(found.group())
    return _date(month, day), *filter(None, [found["cjk_year"]])


def _time(found: re.Match[str]) -> Sequence[str]:
    hours = int(found["hour"])
    if found["half"]:
        hours = hours % 12 + (12 if found["half"] == "p" else 0)
    seconds = f":{found['second']}" if found["second"] else ""
    return (f"{hours}:{found['minute'] or '00'}{seconds}",)


def _scale(found: re.Match[str]) -> Sequence[str]:
    scale, chinese = found["scale"], found["cjk_scale"]
    tens = _TENS[scale] if scale else tens_of(chinese)
    return (times_ten(found["scaled_of"].replace(",", ""), tens),)


def _cjk_number(found: re.Match[str]) -> Sequence[str]:
    number = chinese_number(found.group())
    return (number,) if number else tuple(found.group())


def _negate(found: re.Match[str]) -> Sequence[str]:
    verb = found["verb"] or found["can"]
    return {"ca": "can", "wo": "will", "sha": "shall"}.get(verb, verb), "not"


_FORMS: Mapping[str, Callable[[re.Match[str]], Sequence[str]]] = {
    "iso": lambda found: (_date(found["iso_month"], found["iso_day"]), found["iso_year"]),
    "cjk_date": _cjk_date,
    "day_month": lambda found: (_date(_MONTH_NUMBERS[found["dm_month"]], found["dm_day"]),),
    "month_day": lambda found: (_date(_MONTH_NUMBERS[found["md_month"]], found["md_day"]),),
    "time": _time,
    "cjk_time": lambda found: (f"{int(found['cjk_hour'])}:{int(found['cjk_minute']):02}",),
    "noon": lambda _: ("12:00",),
    "midnight": lambda _: ("0:00",),
    "scaled": _scale,
    "share": lambda found: (chinese_number(found["share_of"]) or found["share_of"], "%"),
    "number": lambda found: (plain_number(found.group()),),
    "cjk_number": _cjk_number,
    "negated": _negate,
    "per_cent": lambda _: ("%",),
}
