"""How a value becomes JSON and returns: what belongs in it, and how much of it there may be.

Links, files and the saved workspaces are all read here. What does not belong, or is more than the
pages hold, is a ValueError that says so. A column has settings that a column may override, a
judge those of a judge, a set the settings of templates, and nothing else. None names a key, a cap
or a workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from synth.encodings import RECIPES
from synth.prompts import MOST_VARIABLES
from synth.response_synthesizers.registry import MODES
from ui.compare.columns import (
    FEWEST_COLUMNS,
    LETTERS,
    MOST_COLUMNS,
    TEMPLATE_SET,
    Column,
    may_override,
)
from ui.compare.judge.setup import NO_JUDGE
from ui.controls.uploads.loaded import MOST_BYTES
from ui.request.request import BEHAVIOURS
from ui.settings import state, template_texts
from ui.settings.chunk_list import MOST_CHUNKS, Chunk, Chunks
from ui.settings.model import without_secrets
from ui.settings.names import VARIABLE

MOST_ENTRIES = 1_000
"""How many sets, facts, answers and the like a workspace may have of each kind."""
_LONGEST_NAME = 2_000  # characters


class Kind(NamedTuple):
    """How a value becomes JSON, and JSON the value; ValueError for JSON of another kind."""

    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


def plain(kind: Any) -> Kind:
    """The kind of what JSON holds as it is."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return Kind(adapter.dump_python, adapter.validate_python)


Text = Annotated[str, Field(max_length=MOST_BYTES)]
_Name = Annotated[str, Field(max_length=_LONGEST_NAME)]
Texts = Annotated[dict[Text, Text], Field(max_length=MOST_ENTRIES)]

TEXT = plain(Text)
_NAME = plain(_Name)
_TRUTH = plain(bool)
_WHOLE, _DECIMAL = plain(int | None), plain(float | None)
_LISTED = plain(Annotated[tuple[Chunk, ...], Field(max_length=MOST_CHUNKS)])


def _chunks(data: Any) -> Chunks:
    chunks: Chunks = _LISTED.from_json(data)
    longest = max((len(chunk.text) for chunk in chunks), default=0)
    if longest > MOST_BYTES:
        raise ValueError(f"A chunk has {longest:,} characters, and {MOST_BYTES:,} is the limit.")
    return chunks


_SPECIAL = {
    "base_url": Kind(lambda address: without_secrets(str(address)), _NAME.from_json),
    "model_name": _NAME,
    "chunks": Kind(_LISTED.to_json, _chunks),
}
_CHOICES: Mapping[str, Container[Any]] = {
    "mode": MODES,  # a custom mode may be gone
    "behaviour": BEHAVIOURS,
    "encoding": RECIPES,
    **state.LABELS,
}


def of_setting(name: str) -> Kind | None:
    """The kind of a setting, also of a column's; None for what is no setting."""
    if name == TEMPLATE_SET:
        return _NAME
    if name.startswith(VARIABLE):
        return TEXT
    if name not in state.SETTINGS:
        return None
    if name in _CHOICES:
        return Kind(str, lambda code: _choice(name, code))
    return _SPECIAL.get(name) or _of_default(state.SETTINGS[name])


def _choice(name: str, code: Any) -> Any:
    if code not in _CHOICES[name]:
        raise ValueError(f"There is no {name} {code}.")
    return code


def _of_default(setting: state.Setting) -> Kind:
    """The kind of a number in its span, a text, or a switch."""
    if setting.span is None:
        return _TRUTH if isinstance(setting.default, bool) else TEXT
    least, most = setting.span
    whole_or_not = _WHOLE if isinstance(least, int) else _DECIMAL

    def read(data: Any) -> float | None:
        number: float | None = whole_or_not.from_json(data)
        if number is None and setting.default is None:
            return None
        if number is None or not least <= number <= most:
            raise ValueError(f"{number} is not between {least:,} and {most:,}.")
        return number

    return Kind(whole_or_not.to_json, read)


def settings_to_json(settings: Mapping[str, Any], belongs: Callable[[str], bool]) -> dict[str, Any]:
    """The settings that belong, as JSON."""
    kinds = {name: of_setting(name) for name in settings if belongs(name)}
    return {name: kind.to_json(settings[name]) for name, kind in kinds.items() if kind is not None}


def settings_from_json(data: Any, belongs: Callable[[str], bool], where: str) -> dict[str, Any]:
    """The settings of this JSON; ValueError that names what does not belong there."""
    require_few_variables(data)
    found = {}
    for name, value in data.items():
        kind = of_setting(name) if belongs(name) else None
        if kind is None:
            raise ValueError(f"{name[:80]} does not belong in {where}.")
        found[name] = kind.from_json(value)
    return found


def require_few_variables(names: Iterable[str]) -> None:
    """ValueError for more variables than the pages hold."""
    count = sum(name.startswith(VARIABLE) for name in names)
    if count > MOST_VARIABLES:
        raise ValueError(f"It has {count:,} variables, and {MOST_VARIABLES} is the limit.")


def is_setting(name: str) -> bool:
    """Whether this is a setting of the pages, or the value of a variable."""
    return name in state.SETTINGS or name.startswith(VARIABLE)


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

_OF_JUDGE = frozenset({"base_url", "model_name", "window", "num_output"})
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
