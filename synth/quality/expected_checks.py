"""What a file expects of an answer: the checks of ours, and what of promptfoo's is left out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synth.errors import QuestionSetError
from synth.quality.check_kinds import KINDS, RUBRIC, is_elsewhere
from synth.quality.checks import Check, kind_name, read_check
from synth.quality.plain_values import shown
from synth.quality.questions import require_few
from synth.quality.record_fields import items, require_known

_ASSERTION = {"type", "value", "threshold", "metric", "weight", "provider", "rubricPrompt"}
_CHANGES = ("transform", "contextTransform", "config")  # what an assertion does before it checks
FILE = re.compile(r"(?:[a-z-]+(?:\([^()]*\))?:\s*)?file://")  # also in the short form of a check
_MOST_FILLED = 100_000  # characters of a text; a variable may be named many times
_SET = "assert-set"
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Expected(NamedTuple):
    """The checks that are computed here, and the names of those that are left out."""

    checks: list[Check]
    left_out: list[str]


def expected_of(values: Sequence[Any], variables: Mapping[str, str] | None) -> Expected:
    """The checks of a list, with the `variables` in their texts; those of sets stand by themselves.

    Without variables their texts are as they are written, as in files of our own.
    """
    expected = Expected([], [])
    for value in values:
        if isinstance(value, Mapping) and value.get("type") == _SET:
            inner = _of_a_set(value, variables)
            expected.checks.extend(inner.checks)
            expected.left_out.extend(inner.left_out)
        elif name := _not_computed(value, variables):
            expected.left_out.append(name)
        else:
            expected.checks.append(
                _check(value if variables is None else _filled(value, variables))
            )
    require_few("checks", [*expected.checks, *expected.left_out])
    return expected


def _of_a_set(value: Mapping[str, Any], variables: Mapping[str, str] | None) -> Expected:
    """The checks of a set, which all have to pass; one with a threshold wants fewer."""
    if value.get("threshold") is not None:
        return Expected([], [f"{_SET} with a threshold"])
    return expected_of(few(value, "assert"), variables)


def _not_computed(value: Any, variables: Mapping[str, str] | None) -> str:
    """What of promptfoo's an assertion is that is not computed here; "" for a check of ours."""
    short_threshold = "(" in str(value).partition(":")[0]
    fields = value if isinstance(value, Mapping) else {"value": value, "threshold": short_threshold}
    if "$ref" in fields:
        return "$ref"
    kind = fields.get("type", kind_name(value) if isinstance(value, str) else "")
    if not isinstance(kind, str):
        return ""
    if is_elsewhere(kind):
        return kind.removeprefix("not-")
    by_model = KINDS.get(kind.removeprefix("not-")) is RUBRIC  # its score is not asked for
    changes = (*_CHANGES, "threshold") if by_model else _CHANGES
    if name := next((name for name in changes if fields.get(name)), ""):
        return f"{kind} with {name}"
    if fields.get("weight") == 0:
        return f"{kind} of weight 0"
    found = "" if variables is None else unread_text(fields.get("value"), variables)
    return f"{kind} with {found}" if found else ""


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


def few(record: Mapping[str, Any], name: str) -> Sequence[Any]:
    """What an object expects under this name, counted before any of it is read."""
    found = items(record.get(name), name)
    require_few("facts" if name == "facts" else "checks", found)
    return found


def _check(value: object) -> Check:
    if isinstance(value, str):
        return read_check(value)
    if not isinstance(value, Mapping):
        raise QuestionSetError(f"A check is {shown(value)}: give a text or an object.")
    require_known(value, _ASSERTION, "A check")
    kind, threshold = value.get("type"), value.get("threshold")
    if not isinstance(kind, str):
        raise QuestionSetError(f"The type of a check is {shown(kind)}: give its name.")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | None):
        raise QuestionSetError(f"The threshold of a check is {shown(threshold)}: give a number.")
    return Check(kind, value.get("value"), threshold if reads_threshold(kind) else None)


def reads_threshold(kind: str) -> bool:
    """Whether a kind has a threshold; promptfoo passes over that of any other, and so do files."""
    known = KINDS.get(kind.removeprefix("not-"))
    return known is not None and (known.by_threshold or known is RUBRIC)


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
