"""The words of a picture: how wide they are, which of several fit, and which numbers are written.

A picture is made without a browser, so widths are those of the letters of Source Sans, and a
little more, for other fonts that may stand in for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, log10

from synth.text.wording import short

_NARROW, _USUAL, _CAPITAL, _BROAD, _FULL = 0.3, 0.52, 0.64, 0.84, 1.05
"""The width of a letter, as a part of the size of its font."""
_NARROW_LETTERS = frozenset(" .,:;'’|!·ijlIft()[]/-")
_BROAD_LETTERS = frozenset("mwMW—…%@✓✕↺▲◆●")
_FIRST_FULL = "\u1100"  # from here on letters are as wide as high: Hangul, Chinese, emoji
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@lru_cache(4096)
def wide(text: str, size: float = 12) -> float:
    """The width of a text in pixels; of several lines, that of the longest."""
    return size * max((sum(map(_letter, line)) for line in text.split("\n")), default=0.0)


def _letter(letter: str) -> float:
    if letter in _BROAD_LETTERS:
        return _BROAD
    if letter >= _FIRST_FULL and not "\u2000" <= letter <= "\u2fff":
        return _FULL
    return _NARROW if letter in _NARROW_LETTERS else _CAPITAL if "A" <= letter <= "Z" else _USUAL


def fitting(choices: Iterable[str], room: float, size: float = 12) -> str:
    """The first of these wordings that fits into `room` pixels; "" where none does."""
    return next((words for words in choices if wide(words, size) <= room), "")


def shortened(text: str, room: float, size: float = 12) -> str:
    """The text, or as much of its beginning as fits with "…" into `room` pixels."""
    return fitting((short(text, letters) for letters in range(len(text), 0, -1)), room, size)


def thinned(places: Mapping[int, float], room: float) -> Iterator[int]:
    """The numbers that are written: all, or the first and every second, fifth, tenth …

    `places` are the pixels at which the numbers stand, in ascending order, and `room` those that
    one of them needs.
    """
    first, *_ = [*places, 0]
    for step in _STEPS:
        shown = [number for number in places if number == first or number % step == 0]
        if all(places[right] - places[left] >= room for left, right in pairwise(shown)):
            break
    return iter(shown)


def round_numbers(ends: tuple[float, float], most: int) -> Iterator[tuple[float, str]]:
    """Round values between two, and each as it is written."""
    low, high = ends
    power = floor(log10((high - low) / most))
    steps = [times * 10.0**power for times in (1, 2, 5, 10)]
    within = [step for step in steps if step <= high - low]  # so that there are two numbers
    step = next((step for step in within if step >= (high - low) / most), within[-1])
    decimals = max(0, -floor(log10(step)))
    for at in range(ceil(low / step), floor(high / step) + 1):
        yield at * step, f"{at * step:,.{decimals}f}"
