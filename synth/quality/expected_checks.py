"""What a file expects of an answer: the checks of ours, and what of promptfoo's is left out."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from synth.errors import QuestionSetError
from synth.quality.check_kinds import KINDS, RUBRIC, is_elsewhere
from synth.quality.checks import Check, split_check
from synth.quality.plain_values import reader
from synth.quality.questions import require_few

FILE = "file://"
_MOST_FILLED = 100_000  # characters of a text; a variable may be named many times
_SET = "assert-set"
_CHANGES = ("transform", "contextTransform", "config")  # what an assertion does before it checks
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Assertion(BaseModel):
    """A check as files have it; what is typed Any, but for the value, is not read."""

    model_config = ConfigDict(extra="forbid")
    type: str
    value: Any = None
    threshold: float | None = None
    metric: Any = None  # its name, in promptfoo's reports too
    weight: Any = None
    provider: Any = None
    rubricPrompt: Any = None  # noqa: N815  promptfoo's name
    transform: Any = None
    contextTransform: Any = None  # noqa: N815  promptfoo's name
    config: Any = None


_assertion, _list = reader(Assertion), reader(list[Any])


class Expected(NamedTuple):
    """The checks that are computed here, and the names of those that are left out."""

    checks: list[Check]
    left_out: list[str]


def expected_of(values: Sequence[Any], variables: Mapping[str, str] | None) -> Expected:
    """The checks of a list, with the `variables` in their texts; those of sets stand by themselves.

    Without variables their texts are as they are written, as in files of our own.
    """
    expected = Expected([], [])
    for each in _read(values, variables):
        if isinstance(each, Check):
            expected.checks.append(each)
        else:
            expected.left_out.append(each)
        require_few("checks", [*expected.checks, *expected.left_out])
    return expected


def _read(values: Sequence[Any], variables: Mapping[str, str] | None) -> Iterator[Check | str]:
    """Read each check, or the name of what is left out; a set with a threshold wants fewer."""
    for number, value in enumerate(values, 1):
        fields = value if isinstance(value, Mapping) else {}
        try:
            if fields.get("type") == _SET and fields.get("threshold") is None:
                yield from _read(_list(fields.get("assert")), variables)
            else:
                yield _read_one(value, variables)
        except QuestionSetError as problem:
            name = fields.get("metric", number)
            raise QuestionSetError(f"check {name}: {problem}") from problem


def _read_one(value: Any, variables: Mapping[str, str] | None) -> Check | str:
    if isinstance(value, str):
        value = dict(zip(("type", "value", "threshold"), split_check(value), strict=True))
    if isinstance(value, Mapping):
        kind = str(value.get("type"))
        if "$ref" in value:
            return "$ref"
        if kind == _SET:
            return f"{_SET} with a threshold"
        if is_elsewhere(kind):
            return kind.removeprefix("not-")
    given: Assertion = _assertion(value)
    known = KINDS.get(given.type.removeprefix("not-"))
    changes = (*_CHANGES, "threshold") if known is RUBRIC else _CHANGES  # no score is asked for
    change = next((name for name in changes if getattr(given, name)), "")
    if not change and variables is not None:
        change = unread_part(given.value, variables)
    if change:
        return f"{given.type} with {change}"
    if given.weight == 0:
        return f"{given.type} of weight 0"
    wanted = given.value if variables is None else _filled(given.value, variables)
    # promptfoo passes over the threshold of any other kind
    threshold = given.threshold if known is not None and known.by_threshold else None
    return Check(given.type, wanted, threshold)


def unread_part(value: Any, variables: Mapping[str, str]) -> str:
    """What of its texts is not read here: a file, also that of a variable, or an expression."""
    text = _written(value)
    if f'"{FILE}' in text or any(
        variables.get(name, "").startswith(FILE) for name in names_in(text)
    ):
        return "a file"
    return "an expression" if "{{" in _PLACEHOLDER.sub("", text) or "{%" in text else ""


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    """An assertion with the variables in its texts, as promptfoo fills them."""
    text = _written(value)
    names = names_in(text)
    if missing := [name for name in names if name not in variables]:
        raise QuestionSetError(
            f"A check names the variable {missing[0]}, which the question lacks."
        )
    if not names:
        return value
    return json.loads(fill(text, {name: _written(variables[name])[1:-1] for name in names}))


def _written(value: Any) -> str:
    """A value as JSON, in whose texts variables stand as in the value."""
    return json.dumps(value, ensure_ascii=False, default=str, skipkeys=True)


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
