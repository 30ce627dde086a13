"""JSON Schema for checks: nothing is fetched, and a pattern that takes long is given up."""

import json
from collections.abc import Iterator
from typing import Any

import regex

from synth.errors import QuestionSetError, extra
from synth.quality.patterns import PATIENCE, require_modest
from synth.quality.plain_values import read_yaml, shown

MOST_SCHEMA = 50_000
"""Characters of a schema, written as JSON."""

_LEAST_VALUES = 1_000  # that a schema in YAML may have, however short its text is

_SLOW_FORMATS = {"regex", "idn-hostname"}  # to find out may take any time on a long text


class NotCheckable(Exception):
    """The run lacks what a check reads, or the check does not end; the message says what to do."""


def validator(value: object) -> Any:
    """Make a validator of a schema, an object or YAML text; None where any JSON will do."""
    if value is None or value == "":
        return None
    with extra("quality"):
        from jsonschema import (  # noqa: PLC0415  most sets have no schema
            FormatChecker,
            exceptions,
            validators,
        )
        from referencing import Registry  # noqa: PLC0415  as above
    try:
        schema = _read_schema(value)
        kind: Any = validators.validator_for(schema, validators.Draft7Validator)
        kind.check_schema(schema)
    except (exceptions.SchemaError, TypeError, ValueError, RecursionError) as problem:
        reason = str(problem).partition("\n")[0]
        raise QuestionSetError(f"its JSON schema can't be read: {reason}") from problem
    formats = FormatChecker(FormatChecker.checkers.keys() - _SLOW_FORMATS)
    extend: Any = validators.extend
    ours = extend(kind, {"pattern": _pattern})
    return ours(schema, format_checker=formats, registry=Registry())


def _read_schema(value: object) -> dict[str, Any]:
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
    json.loads(text, object_hook=_require_modest_pattern)
    return value


def _require_modest_pattern(schema: dict[str, Any]) -> None:
    if isinstance(schema.get("pattern"), str):
        require_modest(schema["pattern"])


def schema_problem(checking: Any, value: object) -> str | None:
    """Say where a value does not fit the schema; NotCheckable if that can't be found out."""
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  as above

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
    return None if problem is None else f"at {problem.json_path}: {problem.message}"


def _pattern(_: Any, pattern: str, value: object, __: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    if isinstance(value, str) and not regex.search(pattern, value, timeout=PATIENCE):
        yield ValidationError(f"{value!r} does not match {pattern!r}")
