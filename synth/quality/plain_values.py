"""JSON, and YAML as promptfoo reads it: version 1.2, in which 12:30 and yes are texts."""

import json
import re
from collections.abc import Callable
from itertools import chain
from typing import Any

from pydantic import TypeAdapter, ValidationError

from synth.errors import QuestionSetError, extra, short

_DEEPEST = 100  # lists in lists: on very many libyaml's loader crashes, and Python gives up
_MOST_VALUES = 1_000_000
_MOST_YAML = 100_000  # values, which take some 30 microseconds each
_LONG = 50  # characters of a text that count as one more value: aliases may name a long text
_PLAIN = {
    "null": (r"~|null|Null|NULL|", "~nN"),
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?\d+", "-+0123456789"),
    "float": (r"[-+]?(?:\.\d+|\d+\.\d*|\d+(?=[eE]))(?:[eE][-+]?\d+)?", "-+0123456789."),
    "merge": (r"<<", "<"),
}


def quote_json(value: object) -> str:
    """Give the beginning of a value's JSON, as messages name it."""
    if value is None:
        return "missing"
    return short(json.dumps(value, ensure_ascii=False, default=str, skipkeys=True), 60)


def sort_json(value: object) -> str:
    """Write JSON as a text that is equal for equal values: 1 and 1.0 are, 1 and true are not."""
    return json.dumps(json.loads(json.dumps(value), parse_int=float), sort_keys=True)


def reader(kind: Any) -> Callable[[object], Any]:
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
    """Read a JSON text; QuestionSetError if it can't be read or is too large."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise QuestionSetError(f"It is no JSON that can be read: {problem}.") from problem
    _require_modest(value, _MOST_VALUES)
    return value


def read_yaml(text: str, most: int = _MOST_YAML) -> Any:
    """Read a YAML text; QuestionSetError if it can't be read or is too large.

    `most` is how many values it may have, those that aliases and merge keys repeat included.
    """
    with extra("quality"):
        import yaml  # noqa: PLC0415  most sets are tables

    class Loader(yaml.CSafeLoader):
        """PyYAML's loader, which is one of YAML 1.1, with the plain values of YAML 1.2."""

        merged = 0

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            super().flatten_mapping(node)
            self.merged += len(node.value)
            if self.merged > most:
                raise _explain_size(most)

    Loader.yaml_implicit_resolvers = {}
    for name, (pattern, first) in _PLAIN.items():
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{name}", re.compile(rf"(?:{pattern})\Z"), [*first, ""]
        )
    Loader.add_constructor(
        "tag:yaml.org,2002:int",
        lambda _, node: int(node.value),  # 010 is ten
    )
    try:
        depth = values = 0
        for event in yaml.parse(text, Loader):
            values += isinstance(event, yaml.NodeEvent)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise _explain_depth()
            if values > 2 * most:  # the names of values count here too
                raise _explain_size(most)
        value = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It is no YAML that can be read: {reason}.") from problem
    _require_modest(value, most)
    return value


def _require_modest(value: object, most: int) -> None:
    """Refuse a value that is large or deep; what aliases name counts each time."""
    level, values = [value], 0
    for _ in range(_DEEPEST):
        holders = [each for each in level if isinstance(each, dict | list)]
        texts = [each for each in level if isinstance(each, str)]
        values += sum(map(len, holders)) + sum(len(text) // _LONG for text in texts)
        if values > most:
            raise _explain_size(most)
        level = [inner for holder in holders for inner in _inside(holder)]
        if not level:
            return
    raise _explain_depth()


def _inside(holder: dict[Any, Any] | list[Any]) -> Any:
    return chain(holder, holder.values()) if isinstance(holder, dict) else holder


def _explain_size(most: int) -> QuestionSetError:
    return QuestionSetError(
        f"It has more than {most:,} values, aliases and merge keys written out: split it."
    )


def _explain_depth() -> QuestionSetError:
    return QuestionSetError(f"It has lists in lists, more than {_DEEPEST} deep: make it flatter.")
