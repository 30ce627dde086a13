"""The fields of a JSON object, validated; QuestionSetError for what is not of the right form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.errors import QuestionSetError, shown
from synth.quality.check_values import written

if TYPE_CHECKING:
    from synth.quality.questions import Question


class Place(NamedTuple):
    """Where in a file a question stands, and how it is read."""

    where: str
    read: Callable[[], Question]


def texts(value: object) -> tuple[str, ...] | None:
    """A list of texts as chunks; None for none."""
    if value is None:
        return None
    return tuple(string(each, "A chunk") for each in items(value, "chunks"))


def strings(value: object) -> dict[str, str]:
    """Names with their texts; a number is written as a text, None is no names."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise QuestionSetError(f"The variables are {shown(value)}: give names with texts.")
    for name, each in value.items():
        plain = isinstance(each, str | int | float) and not isinstance(each, bool)
        if not isinstance(name, str) or not plain:
            raise QuestionSetError(f"The variable {name} is {shown(each)}: give a text.")
    return {name: written(each) for name, each in value.items()}


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
        raise QuestionSetError(
            f"{what} has {', '.join(unknown)}, which is not read here: take it out, or rename"
            f" it to one of {', '.join(sorted(known))}."
        )
