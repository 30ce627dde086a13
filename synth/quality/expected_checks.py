"""What a file expects of an answer: the checks of ours, and what of promptfoo's is left out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from synth.errors import QuestionSetError
from synth.quality.check_kinds import KINDS, RUBRIC, is_elsewhere
from synth.quality.checks import Check, split_check
from synth.quality.plain_values import reader, shown
from synth.quality.questions import require_few

FILE = re.compile("file://")
_MOST_FILLED = 100_000  # characters of a text; a variable may be named many times
_SET = "assert-set"
_CHANGES = ("transform", "contextTransform", "config")  # what an assertion does before it checks
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Assertion(BaseModel):
    """A check as files have it; what has no annotation of a type is not read, or is left out."""

    model_config = ConfigDict(extra="forbid")
    type: str
    value: Any = None
    threshold: float | None = None
    weight: Any = None
    metric: Any = None  # its name, in promptfoo's reports too
    provider: Any = None
    rubricPrompt: Any = None  # noqa: N815  promptfoo's name
    transform: Any = None
    contextTransform: Any = None  # noqa: N815  promptfoo's name
    config: Any = None


_assertion = reader(Assertion)


class Expected(NamedTuple):
    """The checks that are computed here, and the names of those that are left out."""

    checks: list[Check]
    left_out: list[str]


def expected_of(values: Sequence[Any], variables: Mapping[str, str] | None) -> Expected:
    """The checks of a list, with the `variables` in their texts; those of sets stand by themselves.

    Without variables their texts are as they are written, as in files of our own.
    """
    expected = Expected([], [])
    _read(values, variables, expected)
    return expected


def _read(values: Sequence[Any], variables: Mapping[str, str] | None, expected: Expected) -> None:
    """Read checks, those of sets among them, and add them to what is expected."""
    for number, value in enumerate(values, 1):
        name = value.get("metric", number) if isinstance(value, Mapping) else number
        try:
            if isinstance(value, Mapping) and value.get("type") == _SET:
                _read_set(value, variables, expected)
            else:
                _read_one(value, variables, expected)
        except QuestionSetError as problem:
            raise QuestionSetError(f"check {name}: {problem}") from problem
        require_few("checks", [*expected.checks, *expected.left_out])


def _read_set(
    value: Mapping[str, Any], variables: Mapping[str, str] | None, expected: Expected
) -> None:
    """Read a set of checks, which all have to pass; one with a threshold wants fewer."""
    inner = value.get("assert")
    if value.get("threshold") is not None:
        expected.left_out.append(f"{_SET} with a threshold")
    elif isinstance(inner, list):
        _read(inner, variables, expected)
    else:
        raise QuestionSetError(f"its assert is {shown(inner)}: give a list.")


def _read_one(value: Any, variables: Mapping[str, str] | None, expected: Expected) -> None:
    if isinstance(value, str):
        value = dict(zip(("type", "value", "threshold"), split_check(value), strict=True))
    kind = value.get("type") if isinstance(value, Mapping) else None
    if isinstance(value, Mapping) and "$ref" in value:
        expected.left_out.append("$ref")
    elif isinstance(kind, str) and is_elsewhere(kind):
        expected.left_out.append(kind.removeprefix("not-"))
    else:
        _read_assertion(_assertion(value), variables, expected)


def _read_assertion(
    given: Assertion, variables: Mapping[str, str] | None, expected: Expected
) -> None:
    known = KINDS.get(given.type.removeprefix("not-"))
    changes = (*_CHANGES, "threshold") if known is RUBRIC else _CHANGES  # no score is asked for
    change = next((name for name in changes if getattr(given, name)), "")
    unread = "" if variables is None else unread_text(given.value, variables)
    if change or unread:
        expected.left_out.append(f"{given.type} with {change or unread}")
    elif given.weight == 0:
        expected.left_out.append(f"{given.type} of weight 0")
    else:
        value = given.value if variables is None else _filled(given.value, variables)
        threshold = given.threshold if known is not None and known.by_threshold else None
        expected.checks.append(Check(given.type, value, threshold))  # promptfoo passes over others


def unread_text(value: Any, variables: Mapping[str, str]) -> str:
    """What of its texts is not read here: a file, also that of a variable, or an expression."""
    texts = [*_texts_in(value)]
    named = {name for text in texts for name in names_in(text)}
    if any(map(FILE.match, (*texts, *(variables.get(name, "") for name in named)))):
        return "a file"
    expressions = ("{{" in _PLACEHOLDER.sub("", text) or "{%" in text for text in texts)
    return "an expression" if any(expressions) else ""


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(each)


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    """An assertion with the variables in its texts, as promptfoo fills them."""
    if isinstance(value, str):
        if missing := [name for name in names_in(value) if name not in variables]:
            raise QuestionSetError(
                f"A check names the variable {missing[0]}, which the question lacks."
            )
        return fill(value, variables)
    if isinstance(value, Mapping):
        return {name: _filled(each, variables) for name, each in value.items()}
    return [_filled(each, variables) for each in value] if isinstance(value, list) else value


def names_in(text: str) -> list[str]:
    """The variables that a text names."""
    return _PLACEHOLDER.findall(text)


def fill(text: str, variables: Mapping[str, str]) -> str:
    """A text with its variables written out; a name that is none of them stays as it is.

    QuestionSetError for a text that would be too long.
    """
    names = names_in(text)
    size = len(text) + sum(len(variables.get(name, "")) for name in names)
    if names and size > _MOST_FILLED:
        raise QuestionSetError(
            f"A text comes to {size:,} characters with its variables written out, and"
            f" {_MOST_FILLED:,} is the limit: name fewer of them in it."
        )
    return _PLACEHOLDER.sub(lambda found: variables.get(found[1], found[0]), text)
