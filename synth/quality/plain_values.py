"""JSON and YAML of files that others wrote, read as values that a model of ours describes."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import TypeAdapter, ValidationError

from synth.errors import QuestionSetError, extra, short

_DEEPEST = 100  # lists in lists: on very many libyaml's loader crashes
_MOST_VALUES = 100_000  # of YAML, names included; they take some 30 microseconds each
_LONG = 50  # characters of a text that count as one more value: aliases may name a long text


def quote_json(value: object) -> str:
    """Give the beginning of a value's JSON, as messages name it."""
    if value is None:
        return "missing"
    return short(json.dumps(value, ensure_ascii=False, default=str, skipkeys=True), 60)


def make_reader(kind: Any) -> Callable[[object], Any]:
    """Make a function that reads a value as a type; its QuestionSetError names the wrong field."""
    adapter = TypeAdapter(kind)

    def read(value: object) -> Any:
        try:
            return adapter.validate_python(value)
        except ValidationError as problem:
            raise QuestionSetError(_describe(problem)) from problem

    return read


def _describe(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"{where} is not read here: rename it, or take it out"
    reason = first["msg"].removeprefix("Value error, ").removesuffix(".")
    if first["type"] != "value_error":  # those are messages of ours, which are complete
        reason += f", and not {quote_json(first['input'])}"
    return f"{where}: {reason}" if where else reason


def read_json(text: str) -> Any:
    """Read a JSON text; QuestionSetError if it can't be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise QuestionSetError(f"It is no JSON that can be read: {problem}.") from problem


def read_yaml(text: str) -> Any:
    """Read a YAML text, in which each value is its text as it is written: 12:30, yes and 010 too.

    QuestionSetError if it can't be read, or is too large once its aliases are written out.
    """
    with extra("quality"):
        import yaml  # noqa: PLC0415  most sets are tables

    class Loader(yaml.CSafeLoader):
        """PyYAML's loader, which knows of no values but texts, and of merge keys."""

    Loader.yaml_implicit_resolvers = {"<": [("tag:yaml.org,2002:merge", re.compile("<<$"))]}
    try:
        _require_modest(yaml.parse(text, Loader))
        return yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It is no YAML that can be read: {reason}.") from problem


def _require_modest(events: Iterable[Any]) -> None:
    """Refuse what is deep, or large: an alias counts as all that it stands for."""
    sizes: dict[str | None, int] = {}  # by anchor
    holders: list[tuple[str | None, int]] = []  # the anchors of what is open, and where it began
    size = 0
    for event in events:
        anchor, value = getattr(event, "anchor", None), getattr(event, "value", None)
        match type(event).__name__:
            case "AliasEvent":
                size += sizes.get(anchor, _MOST_VALUES)  # what stands in itself never ends
            case "ScalarEvent":
                sizes[anchor] = 1 + len(value or "") // _LONG
                size += sizes[anchor]
            case "SequenceStartEvent" | "MappingStartEvent":
                holders.append((anchor, size))
            case "SequenceEndEvent" | "MappingEndEvent":
                name, begin = holders.pop()
                size += 1
                sizes[name] = size - begin
        if size > _MOST_VALUES:
            raise QuestionSetError(
                f"It has more than {_MOST_VALUES:,} values, aliases written out: split it."
            )
        if len(holders) > _DEEPEST:
            raise QuestionSetError(
                f"It has lists in lists, more than {_DEEPEST} deep: make it flatter."
            )
