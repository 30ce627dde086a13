"""Numbers in one form: without separators of thousands, and Chinese numerals as digits."""

import re

_VALUES = {one: value for value, one in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ONE = "[一二两三四五六七八九]"
_BELOW_TEN_THOUSAND = re.compile(
    rf"(?:({_ONE})千)?(?:零?({_ONE})百)?(?:零?({_ONE}|)十({_ONE}|)|零({_ONE}))?|({_ONE}|零|〇)"
)
_GROUPS = re.compile(r"(?:(?P<hundred_millions>.+)亿)?(?:(?P<ten_thousands>.+)万)?(?P<rest>.*)")
_TENS = {"十": 1, "百": 2, "千": 3, "万": 4, "亿": 8}
_SERIAL = re.compile(r"0\d{2,}")
_YEAR = re.compile("[零〇一二三四五六七八九]{4}")


def plain_number(text: str) -> str:
    """A number such as "1,081", "07" or "2.50" as "1081", "7" or "2.5".

    What is no amount stays as it is: a version, and a serial number such as 00123.

    >>> plain_number("1,081"), plain_number("2.50"), plain_number("0.14.25"), plain_number("007")
    ('1081', '2.5', '0.14.25', '007')
    """
    bare = "".join(one for one in text if one.isascii() and (one.isdigit() or one in "-."))
    if bare.count(".") > 1 or _SERIAL.fullmatch(bare):
        return bare
    return times_ten(bare, 0)


def times_ten(number: str, times: int) -> str:
    """A number multiplied by ten so many times, without zeros at its ends; digits are never lost.

    >>> times_ten("1.2", 3), times_ten("-0.50", 0)
    ('1200', '-0.5')
    """
    whole, _, part = number.removeprefix("-").partition(".")
    part = part.ljust(times, "0")
    whole, part = (whole + part[:times]).lstrip("0") or "0", part[times:].rstrip("0")
    return "-" * number.startswith("-") + ".".join(filter(None, (whole, part)))


def tens_of(scale: str) -> int:
    """How often Chinese characters behind a number multiply it by ten: 万 four times, 千万 seven.

    >>> tens_of("千万")
    7
    """
    return sum(_TENS[one] for one in scale)


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
