"""How a value becomes JSON and returns: what belongs in it, and how much of it there may be.

Links, files and the saved workspaces are all read here. What does not belong, or is more than the
pages hold, is a ValueError that says so. A column has settings that a column may override, a
judge those of a judge, a set the settings of templates, and nothing else. None names a key, a cap
or a workspace. What belongs in a setting says `ui/settings/schema.py`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from synth.prompts.templates import MOST_VARIABLES
from ui.pages.compare.columns import FEWEST_COLUMNS, LETTERS, TEMPLATE_SET, Column, may_override
from ui.pages.compare.judge.setup import NO_JUDGE
from ui.settings import paths, schema, template_texts
from ui.settings.chunk_list import Text
from ui.settings.schema import MOST_COLUMNS, Name

MOST_ENTRIES = 1_000
"""How many sets, facts, answers and the like a workspace may have of each kind."""


class Kind(NamedTuple):
    """How a value becomes JSON, and JSON the value; ValueError for JSON of another kind."""

    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


def plain(kind: Any) -> Kind:
    """The kind of what JSON holds as it is."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return Kind(adapter.dump_python, adapter.validate_python)


Texts = Annotated[dict[Text, Text], Field(max_length=MOST_ENTRIES)]

TEXT = plain(Text)
_NAME = plain(Name)


def settings_to_json(settings: Mapping[str, Any], belongs: Callable[[str], bool]) -> dict[str, Any]:
    """The settings that belong, by their paths, as JSON."""
    return {path: _to_json(path, value) for path, value in settings.items() if belongs(path)}


def settings_from_json(data: Any, belongs: Callable[[str], bool], where: str) -> dict[str, Any]:
    """The settings of this JSON by path; ValueError that names what does not belong there."""
    require_few_variables(data)
    found = {}
    for name, value in data.items():
        if not belongs(path := paths.renamed(name)):
            raise ValueError(f"{name[:80]} does not belong in {where}.")
        found[path] = _NAME.from_json(value) if path == TEMPLATE_SET else paths.read(path, value)
    return found


def _to_json(path: str, value: Any) -> Any:
    return value if path == TEMPLATE_SET else paths.to_json(path, value)


def require_few_variables(names: Iterable[str]) -> None:
    """ValueError for more variables than the pages hold."""
    count = sum(paths.renamed(name).startswith("variables.") for name in names)
    if count > MOST_VARIABLES:
        raise ValueError(f"It has {count:,} variables, and {MOST_VARIABLES} is the limit.")


def _columns(data: Any) -> tuple[Column, ...]:
    names = [name for name, _ in data]
    if not FEWEST_COLUMNS <= len(names) <= MOST_COLUMNS:
        raise ValueError(
            f"It has {len(names):,} columns; a comparison has {FEWEST_COLUMNS} to {MOST_COLUMNS}."
        )
    if len(set(names)) < len(names) or not set(names) <= set(LETTERS):
        raise ValueError(f"Its columns must have different names, of {', '.join(LETTERS)}.")
    return tuple(
        Column(name, tuple(settings_from_json(own, may_override, "a column").items()))
        for name, own in data
    )


COLUMNS = Kind(
    lambda columns: [
        [column.name, settings_to_json(dict(column.overrides), may_override)] for column in columns
    ],
    _columns,
)

_OF_JUDGE = frozenset(path for path, shown in schema.SHOWN.items() if shown.judge)
JUDGE = Kind(
    lambda judge: settings_to_json(dict(judge.overrides), _OF_JUDGE.__contains__),
    lambda data: Column(
        NO_JUDGE.name,
        tuple(settings_from_json(data, _OF_JUDGE.__contains__, "a judge").items()),
    ),
)


def _template_sets(data: Any) -> dict[str, dict[str, Any]]:
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"It has {len(data):,} sets, and {MOST_ENTRIES:,} is the limit.")
    belongs = template_texts.unedited().__contains__
    return {
        _NAME.from_json(name): settings_from_json(texts, belongs, "a set of templates")
        for name, texts in data.items()
    }


TEMPLATE_SETS = Kind(
    lambda sets: {
        name: settings_to_json(texts, template_texts.unedited().__contains__)
        for name, texts in sets.items()
    },
    _template_sets,
)
