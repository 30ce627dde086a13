"""JSON, and YAML as promptfoo reads it: version 1.2, in which 12:30 and yes are texts."""

import json
import re
from typing import Any

from synth.errors import QuestionSetError, extra, short

_DEEPEST = 100  # lists in lists: on very many libyaml's loader crashes, and Python gives up
_MOST_VALUES = 1_000_000
_MOST_YAML = 100_000  # values, which take some 30 microseconds each
_MOST_CHARACTERS = 5_000_000  # an alias may name a list of aliases of a long text, and so on
_PLAIN = {
    "null": (r"~|null|Null|NULL|", "~nN"),
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?\d+", "-+0123456789"),
    "float": (r"[-+]?(?:\.\d+|\d+\.\d*|\d+(?=[eE]))(?:[eE][-+]?\d+)?", "-+0123456789."),
    "merge": (r"<<", "<"),
}


def shown(value: object) -> str:
    """A value of a file as messages name it: the beginning of its JSON."""
    if value is None:
        return "missing"
    return short(json.dumps(value, ensure_ascii=False, default=str, skipkeys=True), 60)


def read_json(text: str) -> Any:
    """The value of a JSON text; QuestionSetError if it can't be read or is too large."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise QuestionSetError(f"It is no JSON that can be read: {problem}.") from problem
    _require_modest(value, _MOST_VALUES)
    return value


def read_yaml(text: str, most: int = _MOST_YAML) -> Any:
    """The value of a YAML text; QuestionSetError if it can't be read or is too large.

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
                raise _too_many(most)

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
                raise _too_deep()
            if values > 2 * most:  # the names of values count here too
                raise _too_many(most)
        value = yaml.load(text, Loader)
    except RecursionError as problem:
        raise _too_deep() from problem
    except (yaml.YAMLError, ValueError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It is no YAML that can be read: {reason}.") from problem
    _require_modest(value, most)
    return value


def _require_modest(value: object, most: int) -> None:
    waiting, seen, characters = [(value, 0)], 0, 0
    while waiting:
        each, depth = waiting.pop()
        seen += 1
        if seen + len(waiting) > most:
            raise _too_many(most)
        if depth > _DEEPEST:
            raise _too_deep()
        if isinstance(each, str):
            characters += len(each)
        if isinstance(each, dict):
            characters += sum(len(name) for name in each if isinstance(name, str))
            each = list(each.values())
        if isinstance(each, list):
            waiting += [(one, depth + 1) for one in each]
        if characters > _MOST_CHARACTERS:
            raise QuestionSetError(
                f"It has more than {_MOST_CHARACTERS:,} characters, aliases written out: split it."
            )


def _too_many(most: int) -> QuestionSetError:
    return QuestionSetError(
        f"It has more than {most:,} values, aliases and merge keys written out: split it."
    )


def _too_deep() -> QuestionSetError:
    return QuestionSetError(f"It has lists in lists, more than {_DEEPEST} deep: make it flatter.")
