"""JSON Schema for checks: nothing is fetched, and a check that takes long is given up."""

import json
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from time import monotonic
from typing import Any

import regex

from synth.errors import QuestionSetError, extra
from synth.quality.patterns import PATIENCE, require_modest
from synth.quality.plain_values import quote_json, read_yaml, sort_json

MOST_SCHEMA = 50_000
"""Characters of a schema, written as JSON."""

_LEAST_VALUES = 1_000  # that a schema in YAML may have, however short its text is

_SLOW_FORMATS = {"regex", "idn-hostname"}  # to find out may take any time on a long text

_Keyword = Callable[[Any, Any, Any, Any], Iterator[Exception] | None]


class NotCheckable(Exception):
    """The run lacks what a check reads, or the check does not end; the message says what to do."""


_deadline: ContextVar[float] = ContextVar("deadline")  # of the check that is under way


def validator(value: object) -> Any:
    """Make a validator of a schema, an object or YAML text; None where any JSON will do."""
    if value is None or value == "":
        return None
    with extra("quality"):
        from jsonschema import FormatChecker, exceptions, validators  # noqa: PLC0415  most sets have no schema
        from referencing import Registry  # noqa: PLC0415  as above
    try:
        schema = _read_schema(value)
        kind: Any = validators.validator_for(schema, validators.Draft7Validator)
        kind.check_schema(schema)
    except (exceptions.SchemaError, TypeError, ValueError, RecursionError) as problem:
        reason = str(problem).partition("\n")[0]
        raise QuestionSetError(f"its JSON schema can't be read: {reason}") from problem
    ours: dict[str, _Keyword] = {"pattern": _pattern, "uniqueItems": _unique}
    timed: Any = validators.extend(  # type: ignore[no-untyped-call]
        kind, {name: _limit_time(each) for name, each in (kind.VALIDATORS | ours).items()}
    )
    formats = FormatChecker(FormatChecker.checkers.keys() - _SLOW_FORMATS)
    return timed(schema, format_checker=formats, registry=Registry())


def _read_schema(value: object) -> dict[str, Any]:
    if isinstance(value, str):
        value = read_yaml(value, max(_LEAST_VALUES, len(value)))
    text = json.dumps(value, allow_nan=False)
    if not isinstance(value, dict):
        raise QuestionSetError(f"its value is {quote_json(value)}: give a JSON schema")
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

    before = _deadline.set(monotonic() + PATIENCE)
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
        _deadline.reset(before)
    return None if problem is None else f"at {problem.json_path}: {problem.message}"


def _limit_time(keyword: _Keyword) -> _Keyword:
    """Make a keyword raise TimeoutError once the time of its check is up."""

    def read(checking: Any, value: Any, instance: Any, schema: Any) -> Iterator[Exception] | None:
        if monotonic() > _deadline.get():
            raise TimeoutError
        return keyword(checking, value, instance, schema)

    return read


def _pattern(_: Any, pattern: str, value: object, __: Any) -> Iterator[Exception]:
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    left = max(_deadline.get() - monotonic(), 1e-3)
    if isinstance(value, str) and not regex.search(pattern, value, timeout=left):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _unique(_: Any, wanted: bool, values: object, __: Any) -> Iterator[Exception]:
    """Find equal items in linear time; jsonschema compares each two."""
    from jsonschema import ValidationError  # noqa: PLC0415  as above

    if wanted and isinstance(values, list) and len(set(map(sort_json, values))) < len(values):
        yield ValidationError(f"{values!r} has non-unique elements")
