"""YAML as promptfoo reads it: version 1.2, in which 12:30 and yes are texts."""

from __future__ import annotations

import re
from typing import Any

from synth.errors import QuestionSetError
from synth.extras import extra

_DEEPEST = 100  # lists in lists: libyaml's loader crashes on very many
_MOST_VALUES = 1_000_000  # an alias may name a list of aliases, and so on
_PLAIN = {
    "null": (r"~|null|Null|NULL|", "~nN"),
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?\d+", "-+0123456789"),
    "float": (r"[-+]?(?:\.\d+|\d+\.\d*|\d+(?=[eE]))(?:[eE][-+]?\d+)?", "-+0123456789."),
    "merge": (r"<<", "<"),
}


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
                raise QuestionSetError(f"It has lists in lists, more than {_DEEPEST} deep.")
        value = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It is no YAML that can be read: {reason}.") from problem
    _require_small(value)
    return value


def _require_small(value: object) -> None:
    waiting, seen = [value], 0
    while waiting:
        each = waiting.pop()
        seen += 1
        if seen + len(waiting) > _MOST_VALUES:
            raise QuestionSetError(
                f"It has more than {_MOST_VALUES:,} values, aliases written out: split it."
            )
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
