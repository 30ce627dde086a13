"""Numbers in one form: without separators of thousands, and Chinese numerals as digits."""

import re
from decimal import Decimal
from math import log10
from unicodedata import numeric

_ONE = "[一二三四五六七八九]"
_BELOW_TEN_THOUSAND = (
    rf"零?(?:(?:{_ONE}千)?(?:零?{_ONE}百)?(?:零?{_ONE}?十{_ONE}?|零{_ONE})?|{_ONE}|[零〇])"
)
_WHOLE = re.compile(
    rf"(?:{_BELOW_TEN_THOUSAND}亿)?(?:{_BELOW_TEN_THOUSAND}万)?{_BELOW_TEN_THOUSAND}"
)
_SERIAL = re.compile(r"0\d{2,}")
_YEAR = re.compile("[零〇一二三四五六七八九]{4}")


def plain_number(text: str) -> str:
    """Write a number such as "1,081", "07" or "2.50" as "1081", "7" or "2.5".

    What is no amount stays as it is: a version, and a serial number such as 00123.

    >>> plain_number("1,081"), plain_number("0.14.25"), plain_number("007")
    ('1081', '0.14.25', '007')
    """
    bare = "".join(character for character in text if character.isdecimal() or character in "-.")
    if bare.count(".") > 1 or _SERIAL.fullmatch(bare):
        return bare
    return times_ten(bare, 0)


def times_ten(number: str, times: int) -> str:
    """Multiply a number by ten so many times, without zeros at its ends; no digit is lost.

    >>> times_ten("1.2", 3), times_ten("-0.50", 0)
    ('1200', '-0.5')
    """
    written = format(Decimal(f"{number}e{times}"), "f")
    return written.rstrip("0").rstrip(".") if "." in written else written


def tens_of(scale: str) -> int:
    """Count how often a scale multiplies by ten: 万 four times, 千万 seven."""
    return sum(round(log10(numeric(one))) for one in scale)


def chinese_number(text: str) -> str | None:
    """Write Chinese numerals as digits; None for what is no number, such as 千万 or 一一.

    >>> chinese_number("四十八"), chinese_number("三千零五"), chinese_number("一九七六")
    ('48', '3005', '1976')
    """
    if text.isascii():
        return plain_number(text)
    whole, _, part = text.replace("两", "二").partition("点")  # 两 has no value in Unicode
    value = int(_digits(whole)) if _YEAR.fullmatch(whole) else _whole(whole)
    if value is None or any(numeric(one, 10) > 9 for one in part):
        return None
    return f"{value}.{_digits(part)}" if part else str(value)


def _digits(text: str) -> str:
    return "".join(str(int(numeric(one))) for one in text)


def _whole(text: str) -> int | None:
    if not text or _WHOLE.fullmatch(text) is None:
        return None
    total = below = digit = 0
    for value in map(int, map(numeric, text)):
        if value < 10:
            digit = value
        elif value < 10_000:
            below, digit = below + (digit or 1) * value, 0
        elif below + digit == 0:
            return None
        else:
            total, below, digit = total + (below + digit) * value, 0, 0
    return total + below + digit
