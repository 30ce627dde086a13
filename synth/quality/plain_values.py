"""JSON, and YAML as promptfoo reads it: version 1.2, in which 12:30 and yes are texts."""

from __future__ import annotations

import json
import re
from typing import Any

from synth.errors import QuestionSetError
from synth.extras import extra

_DEEPEST = 100  # lists in lists: on very many libyaml's loader crashes, and Python gives up
_MOST_VALUES = 1_000_000  # an alias may name a list of aliases, and so on
_PLAIN = {
    "null": (r"~|null|Null|NULL|", "~nN"),
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?\d+", "-+0123456789"),
    "float": (r"[-+]?(?:\.\d+|\d+\.\d*|\d+(?=[eE]))(?:[eE][-+]?\d+)?", "-+0123456789."),
    "merge": (r"<<", "<"),
}


def read_json(text: str) -> Any:
    """The value of a JSON text; QuestionSetError if it can't be read or is too large."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise QuestionSetError(f"It is no JSON that can be read: {problem}.") from problem
    _require_modest(value)
    return value


def read_yaml(text: str) -> Any:
    """The value of a YAML text; QuestionSetError if it can't be read or is too large."""
    with extra("quality"):
        import yaml  # noqa: PLC0415  most sets are tables

    class Loader(yaml.CSafeLoader):
        """PyYAML's loader, which is one of YAML 1.1, with the plain values of YAML 1.2."""

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
        depth = 0
        for event in yaml.parse(text, Loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise _too_deep()
        value = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It is no YAML that can be read: {reason}.") from problem
    _require_modest(value)
    return value


def _require_modest(value: object) -> None:
    waiting, seen = [(value, 0)], 0
    while waiting:
        each, depth = waiting.pop()
        seen += 1
        if seen + len(waiting) > _MOST_VALUES:
            raise QuestionSetError(
                f"It has more than {_MOST_VALUES:,} values, aliases written out: split it."
            )
        if depth > _DEEPEST:
            raise _too_deep()
        if isinstance(each, dict):
            each = list(each.values())
        if isinstance(each, list):
            waiting += [(one, depth + 1) for one in each]


def _too_deep() -> QuestionSetError:
    return QuestionSetError(f"It has lists in lists, more than {_DEEPEST} deep: make it flatter.")
