"""Numbers in one form: without separators of thousands, and Chinese numerals as digits."""

from __future__ import annotations

from decimal import Decimal

_DIGITS = {one: value for value, one in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1_000}
_GROUPS = {"万": 10_000, "亿": 100_000_000}


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
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return plain_number(text)
    whole, point, part = text.partition("点")
    value = _whole(whole)
    if value is None or (point and not all(one in _DIGITS for one in part)):
        return None
    return f"{value}.{''.join(str(_DIGITS[one]) for one in part)}" if part else str(value)


def _whole(text: str) -> int | None:
    """The value of whole numerals: read by their units, or digit by digit, as years are."""
    if not text:
        return None
    if all(one in _DIGITS for one in text):
        years = len(text) in (1, 4)
        return int("".join(str(_DIGITS[one]) for one in text)) if years else None
    total = group = 0
    digit: int | None = None
    for one in text:
        if one in _DIGITS:
            if digit:
                return None  # two digits in a row and a unit: 一一十
            digit = _DIGITS[one]
        elif one in _TENS:
            if digit is None and one != "十":
                return None
            group += (1 if digit is None else digit) * _TENS[one]
            digit = None
        elif one in _GROUPS:
            if not group and digit is None:
                return None
            total, group, digit = (total + group + (digit or 0)) * _GROUPS[one], 0, None
        else:
            return None
    return total + group + (digit or 0)
