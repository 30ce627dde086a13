"""JSON Schema for checks: nothing is fetched, and no pattern is tried for ever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import regex

from synth.errors import QuestionSetError, shown
from synth.extras import extra
from synth.quality.plain_values import read_yaml

PATIENCE = 1.0
"""Seconds for a regular expression: there are some that would take years on one line of text."""


class NotCheckable(Exception):
    """The run lacks what a check reads, or the check does not end; the message says what to do."""


def validator(value: object) -> Any:
    """A validator of this schema, an object or YAML text; None where any JSON will do."""
    if value is None or value == "":
        return None
    with extra("quality"):
        from jsonschema import exceptions, validators  # noqa: PLC0415  most sets have no schema
        from referencing import Registry  # noqa: PLC0415  as above
    try:
        given = read_yaml(value) if isinstance(value, str) else value
        text = json.dumps(given, allow_nan=False)
        if not isinstance(given, dict):
            raise QuestionSetError(f"its value is {shown(value)}: give a JSON schema")
        if '"patternProperties": ' in text:
            raise QuestionSetError("its schema has patternProperties, which are not read here")
        kind: Any = validators.validator_for(given, validators.Draft7Validator)
        kind.check_schema(given)
    except (exceptions.SchemaError, TypeError, ValueError) as problem:
        reason = str(problem).partition("\n")[0]
        raise QuestionSetError(f"its JSON schema can't be read: {reason}") from problem
    patient: Any = validators.extend(kind, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    return patient(given, format_checker=kind.FORMAT_CHECKER, registry=Registry())


def schema_problem(checking: Any, value: object) -> str | None:
    """Where a value does not fit the schema, and how; NotCheckable if that can't be found out."""
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  as above

    try:
        problem = next(checking.iter_errors(value), None)
    except Unresolvable as unknown:
        raise NotCheckable(f"its schema names another one: {unknown}. Write it out") from unknown
    except (RecursionError, TimeoutError) as endless:
        raise NotCheckable("its schema comes to no end: write a simpler one") from endless
    return None if problem is None else f"at {problem.json_path}: {problem.message}"


def _pattern(_: Any, pattern: str, value: object, __: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    if isinstance(value, str) and not regex.search(pattern, value, timeout=PATIENCE):
        yield ValidationError(f"{value!r} does not match {pattern!r}")
