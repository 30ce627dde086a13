"""Numbers in one form: without separators of thousands, and Chinese numerals as digits."""

import re
from decimal import Decimal

_VALUES = {one: value for value, one in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ONE = "[一二两三四五六七八九]"
_BELOW_TEN_THOUSAND = re.compile(
    rf"(?:({_ONE})千)?(?:零?({_ONE})百)?(?:零?({_ONE}|)十({_ONE}|)|零({_ONE}))?|({_ONE}|零|〇)"
)
_GROUPS = re.compile(r"(?:(?P<hundred_millions>.+)亿)?(?:(?P<ten_thousands>.+)万)?(?P<rest>.*)")
_YEAR = re.compile("[零〇一二三四五六七八九]{4}")


def plain_number(text: str) -> str:
    """A number such as "1,081", "007" or "2.50" as "1081", "7" or "2.5"; a version as it is.

    >>> plain_number("1,081"), plain_number("2.50"), plain_number("0.14.25")
    ('1081', '2.5', '0.14.25')
    """
    bare = "".join(one for one in text if one.isascii() and (one.isdigit() or one in "-."))
    if bare.count(".") > 1:
        return bare
    return f"{Decimal(bare).normalize():f}"


def chinese_number(text: str) -> str | None:
    """Chinese numerals as digits, or None for what is no number, such as 千万 or 一一.

    >>> chinese_number("四十八"), chinese_number("三千零五"), chinese_number("一九七六")
    ('48', '3005', '1976')
    """
    if text.isascii():
        return plain_number(text)
    whole, _, part = text.partition("点")
    if _YEAR.fullmatch(whole):
        value: int | None = int(_digits(whole))
    else:
        value = _whole(whole)
    if value is None or not all(one in _VALUES for one in part):
        return None
    return f"{value}.{_digits(part)}" if part else str(value)


def _digits(text: str) -> str:
    return "".join(str(_VALUES[one]) for one in text)


def _whole(text: str) -> int | None:
    groups = _GROUPS.fullmatch(text)
    if not text or groups is None:
        return None
    total = 0
    for name, size in (("hundred_millions", 10**8), ("ten_thousands", 10**4), ("rest", 1)):
        part = groups.group(name)
        if part:
            value = _below_ten_thousand(part)
            if value is None:
                return None
            total += value * size
    return total


def _below_ten_thousand(text: str) -> int | None:
    found = _BELOW_TEN_THOUSAND.fullmatch(text.removeprefix("零") or text)
    if found is None:
        return None
    thousands, hundreds, tens, ones, after_zero, only = found.groups()
    value = 1000 * _VALUES.get(thousands, 0) + 100 * _VALUES.get(hundreds, 0)
    if tens is not None:
        value += 10 * _VALUES.get(tens, 1) + _VALUES.get(ones, 0)
    return value + _VALUES.get(after_zero, 0) + _VALUES.get(only, 0)
