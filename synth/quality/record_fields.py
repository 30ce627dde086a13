"""The fields of a JSON object, validated; QuestionSetError for what is not of the right form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.errors import QuestionSetError
from synth.quality.check_values import written
from synth.quality.plain_values import shown

if TYPE_CHECKING:
    from synth.quality.questions import Question


class QuestionPlace(NamedTuple):
    """Where in a file questions stand, and how they are read: most often one."""

    where: str
    read: Callable[[], Iterable[Question]]


def texts(value: object) -> tuple[str, ...] | None:
    """A list of texts as chunks; None for none."""
    if value is None:
        return None
    return tuple(string(each, "A chunk") for each in items(value, "chunks"))


def strings(value: object) -> dict[str, str]:
    """Names with their texts; a number, true and false are written as texts, None is no names."""
    values = named(value)
    for name, each in values.items():
        if not isinstance(each, str | int | float):
            raise QuestionSetError(f"The variable {name} is {shown(each)}: give a text.")
    return {name: written(each) for name, each in values.items()}


def named(value: object, what: str = "The variables are") -> Mapping[str, Any]:
    """Names with their values; None is no names."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise QuestionSetError(f"{what} {shown(value)}: give names with values.")
    return value


def matrix(variables: Mapping[str, Any], most: int) -> Iterator[dict[str, str]]:
    """The variables of each test: a list of values makes a test of each, with those of all others.

    QuestionSetError for more than `most` tests.
    """
    if empty := [name for name, value in variables.items() if value == []]:
        raise QuestionSetError(f"The variable {empty[0]} is an empty list: give a text.")
    lists = [value if isinstance(value, list) else [value] for value in variables.values()]
    if (count := prod(map(len, lists))) > most:
        raise QuestionSetError(
            f"The lists among its variables make {count:,} tests of it, and {most:,} is the limit."
        )
    for values in product(*lists):
        yield strings(dict(zip(variables, values, strict=True)))


def items(value: object, name: str) -> Sequence[Any]:
    """A list; None is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise QuestionSetError(f"What stands under {name} is {shown(value)}: give a list.")
    return value


def string(value: object, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise QuestionSetError(f"{name} is {shown(value)}: give a text.")
    return value


def optional(value: object, name: str) -> str | None:
    """A text, or None."""
    return None if value is None else string(value, name)


def require_known(record: Mapping[str, Any], known: set[str], what: str) -> None:
    """Refuse an object with names that would not be read."""
    if unknown := sorted(map(str, record.keys() - known)):
        near = get_close_matches(unknown[0], known, 1)
        hint = f"rename it to {near[0]}" if near else "take it out"
        raise QuestionSetError(f"{what} has {unknown[0]}, which is not read here: {hint}.")
