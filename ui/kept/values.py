"""The values of a workspace that are saved, each by name, and how they become JSON and return.

What is not listed here is not saved. Of an address only that is saved which holds no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from synth.encodings import RECIPES
from synth.errors import ImportedRunError
from synth.export.files import wrong_field
from synth.response_synthesizers.registry import MODES
from ui.compare.analysis.judgements import Kind
from ui.compare.columns import TEMPLATE_SET, Column
from ui.compare.judge.setup import MOST_REPEATS, NO_JUDGE
from ui.controls.handover import Displaced
from ui.request.request import BEHAVIOURS
from ui.session import keys
from ui.settings import question_set, state
from ui.settings.chunk_list import Chunk
from ui.settings.model import without_secrets
from ui.settings.names import VARIABLE
from ui.settings.recorded import Recorded


class _Kind(NamedTuple):
    """How a value becomes JSON, and JSON the value; ValueError for JSON of another kind."""

    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


def _plain(kind: Any) -> _Kind:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return _Kind(adapter.dump_python, adapter.validate_python)


_TEXT = _plain(str)
_CHUNKS = _plain(tuple[Chunk, ...])
_BY_DEFAULT = {kind: _plain(kind) for kind in (bool, int, float, str)} | {
    NoneType: _plain(float | int | None)
}
"""The kind of a setting by the type of its default; None is the default of a number."""
_ADDRESS = _Kind(lambda address: without_secrets(str(address)), str)
_CHOICES: Mapping[str, Any] = {
    "mode": MODES,  # a custom mode may be gone
    "behaviour": BEHAVIOURS,
    "encoding": RECIPES,
    **state.LABELS,
}


def _kind_of_setting(name: str) -> _Kind | None:
    """The kind of a setting, also of a column's; None for what is no setting or a secret."""
    if name == TEMPLATE_SET or name.startswith(VARIABLE):
        return _TEXT
    if name not in state.SETTINGS or state.SETTINGS[name].kept == "session":
        return None
    if name in _CHOICES:
        return _Kind(str, lambda code: _choice(name, code))
    special = {"base_url": _ADDRESS, "chunks": _CHUNKS}
    return special.get(name) or _BY_DEFAULT[type(state.SETTINGS[name].default)]


def _choice(name: str, code: Any) -> Any:
    if code not in _CHOICES[name]:
        raise ValueError(f"There is no {name} {code}.")
    return code


def _settings_to_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {name: _kind_of_setting(name) for name in settings}
    return {name: kind.to_json(settings[name]) for name, kind in kinds.items() if kind is not None}


def _settings_from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {name: _kind_of_setting(name) for name in data}
    return {name: kind.from_json(data[name]) for name, kind in kinds.items() if kind is not None}


_COLUMNS = _Kind(
    lambda columns: [
        [column.name, _settings_to_json(dict(column.overrides))] for column in columns
    ],
    lambda data: tuple(
        Column(str(name), tuple(_settings_from_json(overrides).items())) for name, overrides in data
    ),
)
_TOKENS = _plain(Annotated[int, Field(ge=1, le=state.MOST_TOKENS)])
_OF_JUDGE = {
    "base_url": _ADDRESS,
    "model_name": _TEXT,
    "window": _TOKENS,
    "num_output": _TOKENS,
}
_JUDGE = _Kind(
    lambda judge: {name: _OF_JUDGE[name].to_json(value) for name, value in judge.overrides},
    lambda data: Column(
        NO_JUDGE.name,
        tuple((name, _OF_JUDGE[name].from_json(value)) for name, value in data.items()),
    ),
)
_ORIGIN = _plain(Literal["lesson", "trace", "run"])
_DISPLACED = _Kind(
    lambda lesson: [
        lesson.title,
        _settings_to_json(lesson.before),
        _settings_to_json(lesson.put),
        lesson.origin,
        None if lesson.columns is None else _COLUMNS.to_json(lesson.columns),
    ],
    lambda data: Displaced(
        str(data[0]),
        _settings_from_json(data[1]),
        _settings_from_json(data[2]),
        *(_ORIGIN.from_json(origin) for origin in data[3:4]),  # older ones are all of lessons
        *(None if one is None else _COLUMNS.from_json(one) for one in data[4:5]),
    ),
)
_pairs = _plain(list[tuple[tuple[str, int, str], int | str]])
_GUESSES = _Kind(
    lambda guesses: _pairs.to_json(list(guesses.items())), lambda data: dict(_pairs.from_json(data))
)
_OTHERS = {
    keys.OWNERS: _plain(tuple[str, ...]),
    keys.INTRODUCED: _plain(bool),
    keys.SAVED_QUESTIONS: _plain(tuple[str, ...]),
    keys.TEMPLATE_SETS: _plain(dict[str, dict[str, bool | str]]),
    keys.COLUMNS: _COLUMNS,
    keys.QUESTIONS: _TEXT,
    keys.REPEATS: _plain(int),
    keys.QUESTION_SET: _Kind(str, question_set.checked),
    keys.FACTS: _plain(dict[str, str]),
    keys.REFERENCES: _plain(dict[str, str]),
    keys.EXPECTED: _TEXT,
    keys.EXPECTED_OF: _TEXT,
    keys.JUDGE: _JUDGE,
    keys.JUDGE_KINDS: _plain(list[Kind]),
    keys.JUDGE_REPEATS: _plain(Annotated[int, Field(ge=1, le=MOST_REPEATS)]),
    keys.BLIND_THUMBS: _plain(dict[str, bool]),
    keys.DISPLACED: _DISPLACED,
    keys.RECORDED: _plain(Recorded),
    keys.LESSON: _plain(dict[str, str]),
    keys.GUESSES: _GUESSES,
    keys.LESSONS_DONE: _Kind(sorted, _plain(frozenset[str]).from_json),
}


def _kind(name: str) -> _Kind | None:
    return _OTHERS.get(name) or (None if name == TEMPLATE_SET else _kind_of_setting(name))


def kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a workspace's values that are saved; a setting at its default is not."""
    return {
        name: value
        for name, value in values.items()
        if name in _OTHERS or (_is_setting(name) and value != state.setting(name).default)
    }


def _is_setting(name: str) -> bool:
    is_one = name in state.SETTINGS or name.startswith(VARIABLE)
    return is_one and state.setting(name).kept != "session"


def to_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Kept values as JSON."""
    kinds = {name: _kind(name) for name in values}
    return {name: kind.to_json(values[name]) for name, kind in kinds.items() if kind is not None}


def from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of this JSON; those that this program does not know, or can't read, are left out.

    An older program may have written them, or one with other custom modes.
    """
    values = {}
    for name, value in data.items():
        with suppress(ImportedRunError):
            values[name] = value_from_json(name, value)
    return values


def value_from_json(name: str, value: Any) -> Any:
    """The value of this name; ImportedRunError that names it where it can't be read."""
    kind = _kind(name)
    if kind is None:
        raise ImportedRunError(f"The workspace has a wrong field, {name}: there is no such value.")
    try:
        return kind.from_json(value)
    except ValidationError as error:
        raise wrong_field(error, f"value {name}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ImportedRunError(f"The workspace has a wrong field, {name}: {error}") from error
