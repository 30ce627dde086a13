"""How a sentence is read: what explains the numbers of a pattern, and how that is registered.

A reading is a pattern for a piece of a sentence: "#" stands for a number, MODE for a mode. It
names a quantity of `Source` for each number. A number that no reading explains is a defect:
nobody could say whether it is true.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from synth.modes.registry import MODES
from tests.ui.sentences.entered import Quantity
from tests.ui.sentences.said import Said
from tests.ui.sentences.source import Source

Quantities = Sequence[Quantity | None]


class Found(NamedTuple):
    """What a reading found: its words and numbers, and the mode that is named last in them."""

    source: Source
    said: Said
    mode: str
    match: str
    numbers: Sequence[int | None]


Explain = Callable[[Found], Quantities]


class Reading(NamedTuple):
    """A pattern, on these pages or on all, and what its numbers are the numbers of."""

    pages: tuple[str, ...]
    within: str
    pattern: re.Pattern[str]
    explain: Explain


READINGS: list[Reading] = []
_MODE = rf"\b(?:{'|'.join(sorted(MODES, key=len, reverse=True))})\b"


def reading(pattern: str, *pages: str, within: str = "") -> Callable[[Explain], Explain]:
    """Register what explains the numbers of a pattern, on these pages, else on all.

    `within` is what the sentence begins with.
    """
    spelled = pattern.replace("MODE", _MODE).replace("#", r"(\d[\d,]*)")
    compiled = re.compile(rf"(?<![\w.]){spelled}(?!\d|[,.]\d)")

    def register(explain: Explain) -> Explain:
        READINGS.append(Reading(pages, within, compiled, explain))
        return explain

    return register


def are(*quantities: Quantity) -> Explain:
    """The numbers of a pattern are those of these quantities, whatever the settings."""
    return lambda found: quantities


def of_mode(*names: str) -> Explain:
    """The numbers of a pattern are of these quantities of the mode that it names."""
    return lambda found: [(name, found.mode) for name in names]


def spread(name: str) -> Explain:
    """Two numbers, or one if they are equal: with short answers and with long ones."""

    def explain(found: Found) -> Quantities:
        both = [(name, found.mode, how) for how in ("short", "long")]
        least, most = sorted(both, key=found.source.value)
        one = found.source.value(least) == found.source.value(most)
        return (most, None) if one else (least, most)

    return explain


def bounded(found: Found) -> Quantities:
    """The least and the most calls, whatever the answers; one number if they are equal."""
    least, most = ("least_calls", found.mode), ("most_calls", found.mode)
    one = found.source.value(least) == found.source.value(most)
    return (most, None) if one else (least, most)


def modes_in(text: str) -> list[str]:
    """The modes that are named, in order."""
    return re.findall(_MODE, text)


def trusted(found: Found) -> Quantities:
    """Places along the axis, which are held to brute force where they are found."""
    return [None if one is None else ("constant", one) for one in found.numbers]
