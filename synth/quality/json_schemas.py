"""JSON Schema for checks: nothing is fetched, and the work of a check is counted and bounded."""

import json
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Any

import regex

from synth.errors import QuestionSetError, extra
from synth.quality.patterns import MOST_PATTERN, PATIENCE, require_modest
from synth.quality.plain_values import read_yaml, shown

MOST_SCHEMA = 50_000
"""Characters of a schema, written as JSON."""

MOST_WORK = 5_000_000
"""Characters that the keywords of a schema read of one answer, each time that they read them."""

_CALL = 100  # characters that a keyword takes as long as, without those that it reads
_LEAST_VALUES = 1_000  # that a schema in YAML may have, however short its text is

_Keyword = Callable[[Any, Any, Any, Any], Iterator[Exception] | None]


class NotCheckable(Exception):
    """The run lacks what a check reads, or the check does not end; the message says what to do."""


@dataclass
class _Left:
    """What is left for one check: characters, and seconds of its patterns."""

    characters: int = MOST_WORK
    seconds: float = PATIENCE


_left: ContextVar[_Left] = ContextVar("left")


def validator(value: object) -> Any:
    """A validator of this schema, an object or YAML text; None where any JSON will do."""
    if value is None or value == "":
        return None
    with extra("quality"):
        from jsonschema import exceptions, validators  # noqa: PLC0415  most sets have no schema
        from referencing import Registry  # noqa: PLC0415  as above
    try:
        given, size = _schema(value)
        kind: Any = validators.validator_for(given, validators.Draft7Validator)
        kind.check_schema(given)
    except (exceptions.SchemaError, TypeError, ValueError, RecursionError) as problem:
        reason = str(problem).partition("\n")[0]
        raise QuestionSetError(f"its JSON schema can't be read: {reason}") from problem
    ours: dict[str, _Keyword] = {"pattern": _pattern, "uniqueItems": _unique, "format": _format}
    counted: Any = validators.extend(  # type: ignore[no-untyped-call]
        kind,
        {name: _counted(name, each, size) for name, each in (kind.VALIDATORS | ours).items()},
    )
    return counted(given, format_checker=kind.FORMAT_CHECKER, registry=Registry())


def _schema(value: object) -> tuple[dict[str, Any], int]:
    """The schema, and how many characters it has as JSON."""
    if isinstance(value, str):
        value = read_yaml(value, max(_LEAST_VALUES, len(value)))
    text = json.dumps(value, allow_nan=False)
    if not isinstance(value, dict):
        raise QuestionSetError(f"its value is {shown(value)}: give a JSON schema")
    if len(text) > MOST_SCHEMA:
        raise QuestionSetError(
            f"its schema has {len(text):,} characters, and {MOST_SCHEMA:,} is the limit: write a"
            " smaller one"
        )
    if '"patternProperties": ' in text:
        raise QuestionSetError("its schema has patternProperties, which are not read here")
    json.loads(text, object_hook=_with_modest_pattern)
    return value, len(text)


def _with_modest_pattern(schema: dict[str, Any]) -> dict[str, Any]:
    if isinstance(schema.get("pattern"), str):
        require_modest(schema["pattern"])
    return schema


def schema_problem(checking: Any, value: object) -> str | None:
    """Where a value does not fit the schema, and how; NotCheckable if that can't be found out."""
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  as above

    before = _left.set(_Left())
    try:
        problem = next(checking.iter_errors(value), None)
    except Unresolvable as unknown:
        raise NotCheckable(f"its schema names another one: {unknown}. Write it out") from unknown
    except (RecursionError, TimeoutError) as endless:
        raise NotCheckable("its schema comes to no end: write a simpler one") from endless
    except (TypeError, ValueError, ArithmeticError, LookupError, regex.error) as odd:
        raise NotCheckable(
            f"its schema can't be followed ({type(odd).__name__}: {odd}): write a simpler one"
        ) from odd
    finally:
        _left.reset(before)
    return None if problem is None else f"at {problem.json_path}: {problem.message}"


def _counted(name: str, keyword: _Keyword, schema_size: int) -> _Keyword:
    """The keyword, which counts what it reads before it does so."""

    def read(checking: Any, value: Any, instance: Any, schema: Any) -> Iterator[Exception] | None:
        left = _left.get()
        entries = len(value) if isinstance(value, str | list | dict) else 1
        times = entries if name == "enum" else 1
        left.characters -= _CALL + entries + times * len(repr(instance))
        if "ref" in name.lower() and not str(value).startswith("#/"):
            left.characters -= schema_size  # a name is looked for in all of it
        if left.characters < 0:
            raise NotCheckable(
                f"its schema reads more than {MOST_WORK:,} characters of this answer, since it"
                " reads them again and again: write a simpler one"
            )
        return keyword(checking, value, instance, schema)

    return read


def _pattern(_: Any, pattern: str, value: object, __: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    if not isinstance(value, str):
        return
    left, began = _left.get(), monotonic()
    found = regex.search(pattern, value, timeout=max(left.seconds, 1e-3))
    left.seconds -= monotonic() - began
    if not found:
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _unique(_: Any, wanted: bool, values: object, __: Any) -> Iterator[Exception]:
    """`uniqueItems` in linear time; jsonschema compares each two."""
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    if wanted and isinstance(values, list) and len(set(map(told_apart, values))) < len(values):
        yield ValidationError(f"{values!r} has non-unique elements")


def _format(checking: Any, name: str, value: object, _: Any) -> Iterator[Exception]:
    from jsonschema.exceptions import FormatError, ValidationError  # noqa: PLC0415  as above

    if isinstance(value, str) and len(value) > MOST_PATTERN:  # "regex" would compile it
        yield ValidationError(f"it has {len(value):,} characters, and is no {name!r}")
        return
    try:
        checking.format_checker.check(value, name)
    except FormatError as problem:
        yield ValidationError(problem.message, cause=problem.cause)


def told_apart(value: object) -> str:
    """JSON as a text that is equal for equal values: 1 and 1.0 are equal, 1 and true are not."""
    return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)
