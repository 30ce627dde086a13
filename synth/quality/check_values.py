"""What checks are given as their values, validated: texts, lists, limits, patterns, schemas."""

import csv
import re
from collections.abc import Mapping
from numbers import Real
from typing import NamedTuple

from synth.errors import QuestionSetError
from synth.quality.plain_values import shown

MOST_TEXTS = 100
"""Texts in the list of one check."""


class NumberLimits(NamedTuple):
    """The least and the most that a number may be; None where there is no limit."""

    least: float | None
    most: float | None


def text(value: object) -> str:
    """A text that is not empty; a number is written as JavaScript writes it."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        return written(value)
    raise QuestionSetError(f"its value is {shown(value)}: give a text")


def written(value: object) -> str:
    """A plain value as JavaScript writes it as a text, which is what promptfoo compares."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def texts(value: object) -> tuple[str, ...]:
    """A list of texts, or one text with commas between them and quotes around other commas."""
    if isinstance(value, str):
        try:
            rows = list(csv.reader([value], skipinitialspace=True, strict=True))
        except csv.Error as problem:
            raise QuestionSetError(f"its list {shown(value)} can't be read: {problem}") from problem
        value = [cell for row in rows for each in row if (cell := each.strip())]
    if not isinstance(value, list | tuple) or not value:
        raise QuestionSetError(f"its value is {shown(value)}: give a list of texts")
    if len(value) > MOST_TEXTS:
        raise QuestionSetError(
            f"its list has {len(value):,} texts, and {MOST_TEXTS} is the limit: make two checks"
        )
    return tuple(map(text, value))


def same(value: object) -> object:
    """What an answer must equal: a text, or an object or a list that its JSON must be."""
    if value is None:
        raise QuestionSetError("it has no value: give the text that the answer must equal")
    return value if isinstance(value, Mapping | list | tuple) else written(value)


def limits(value: object) -> NumberLimits:
    """A number, which is wanted exactly, or the limits of an object with min, max or both."""
    if not isinstance(value, Mapping):
        exact = _number(value)
        return NumberLimits(exact, exact)
    given = {name: _number(limit) for name, limit in value.items()}
    if not given or not given.keys() <= {"min", "max"}:
        raise QuestionSetError(f"its value is {shown(value)}: give min, max or both")
    read = NumberLimits(given.get("min"), given.get("max"))
    if read.least is not None and read.most is not None and read.least > read.most:
        raise QuestionSetError(f"its min {read.least:g} is over its max {read.most:g}")
    return read


def at_most(value: object) -> float:
    """A threshold: a number of 0 or more."""
    if value is None:
        raise QuestionSetError("it has no threshold: give the most that is allowed")
    return _number(value)


def _number(value: object) -> float:
    try:
        number = float(value) if isinstance(value, Real | str) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < float("inf"):
        raise QuestionSetError(f"its number is {shown(value)}: give a number, 0 or more")
    return number


def chunk_numbers(value: object) -> tuple[int, ...]:
    """The numbers of chunks that must be cited; none where any sent chunk will do."""
    if value is None or value == "":
        return ()
    found = value if isinstance(value, list | tuple) else str(value).split(",")
    if not all(re.fullmatch(r"[1-9]\d{0,8}", str(each).strip()) for each in found):
        raise QuestionSetError(f"its value is {shown(value)}: give numbers of chunks, as 1, 3")
    return tuple(int(each) for each in found)
