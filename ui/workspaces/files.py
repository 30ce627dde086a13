"""The values of a workspace that are saved, each by name: as JSON in the database, and in files.

What is not listed here is not saved; links, files and saved workspaces are read by the same list.
What does not belong, or is more than the pages hold, is a ValueError that says so.

A file for others is versioned JSON. What stays out of it is refused where a file has it
(`may_share`): what is of one server, machine or person. Whoever opens the file types a key of their
own, and must not send it, or a chunk, to an address that somebody else chose. A cap is shared: it
can only lower what a run spends.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
)

from synth.errors import ImportedRunError
from synth.export.files import kind_and_fields, to_text, wrong_field
from synth.prompts.templates import MOST_VARIABLES
from synth.quality.rubric import Ruling
from synth.runs.calls import Logged
from ui.pages.compare.columns import FEWEST_COLUMNS, LETTERS, MOST_REPEATS, Column
from ui.pages.compare.thumbs_and_notes import MOST_RULINGS, Rating
from ui.session import keys
from ui.settings import expected, schema
from ui.settings.schema import DEFAULT, VARIABLE, Name, Text
from ui.store import rows
from ui.store.rows import Run

MOST_ENTRIES = 1_000
"""How many sets, facts, answers and the like a workspace may have of each kind."""

_WORKSPACE = "workspace"
_NEVER_SHARED = ("base_url", keys.CLASS, keys.RATINGS, keys.RULINGS)
_FEW = Field(max_length=MOST_ENTRIES)
_MOST_CALLS = 10_000  # of a recorded run
_Texts = Annotated[dict[Text, Text], _FEW]


def _settings(belongs: Callable[[str], bool], where: str) -> Any:
    """Make the type of settings by name, of which these belong there; others are named."""

    def read(data: Any) -> dict[str, Any]:
        _require_few_variables(data)
        for name in data:
            if not belongs(name):
                raise ValueError(f"{name[:80]} does not belong in {where}.")
        return {name: schema.read(name, value) for name, value in data.items()}

    def write(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {
            path: schema.to_json(path, value) for path, value in settings.items() if belongs(path)
        }

    return Annotated[Any, PlainValidator(read), PlainSerializer(write)]


def _require_few_variables(names: Iterable[str]) -> None:
    """Raise ValueError for more variables than the pages hold."""
    count = sum(name.startswith(VARIABLE) for name in names)
    if count > MOST_VARIABLES:
        raise ValueError(f"It has {count:,} variables, and {MOST_VARIABLES} is the limit.")


_OF_COLUMN: Any = _settings(schema.may_differ, "a column")
_OF_SET: Any = _settings(schema.is_of_template, "a set of templates")
_OF_COLUMNS: TypeAdapter[list[tuple[str, Any]]] = TypeAdapter(list[tuple[str, _OF_COLUMN]])


def _read_columns(data: Any) -> tuple[Column, ...]:
    found = _OF_COLUMNS.validate_python(data)
    names = [name for name, _ in found]
    if not FEWEST_COLUMNS <= len(names) <= len(LETTERS):
        raise ValueError(
            f"It has {len(names):,} columns; a comparison has {FEWEST_COLUMNS} to {len(LETTERS)}."
        )
    if len(set(names)) < len(names) or not set(names) <= set(LETTERS):
        raise ValueError(f"Its columns must have different names, of {', '.join(LETTERS)}.")
    return tuple(Column(name, tuple(own.items())) for name, own in found)


def _write_columns(columns: Sequence[Column]) -> Any:
    return _OF_COLUMNS.dump_python([(one.name, dict(one.overrides)) for one in columns])


def _write_pairs(values: Mapping[Any, Any]) -> list[Any]:
    return list(values.items())


_Guess = tuple[tuple[Text, int, Text], int | Text]
_KINDS: dict[str, Any] = {
    keys.TEMPLATE_SETS: Annotated[dict[Name, _OF_SET], _FEW],
    keys.COLUMNS: Annotated[Any, PlainValidator(_read_columns), PlainSerializer(_write_columns)],
    keys.QUESTIONS: Text,
    keys.REPEATS: Annotated[int, Field(ge=1, le=MOST_REPEATS)],
    keys.QUESTION_SET: Annotated[str, PlainValidator(expected.check_set)],
    keys.FACTS: _Texts,
    keys.EXPECTED: Text,
    keys.EXPECTED_OF: Text,
    keys.RULINGS: Annotated[dict[Text, Ruling], Field(max_length=MOST_RULINGS)],
    keys.RATINGS: Annotated[dict[Text, Rating], _FEW],
    keys.RECORDED: Annotated[dict[int, Logged], Field(max_length=_MOST_CALLS)],
    keys.LESSON: _Texts,
    keys.CLASS: Text,
    keys.GUESSES: Annotated[
        list[_Guess], _FEW, AfterValidator(dict), PlainSerializer(_write_pairs)
    ],
    keys.LESSONS_DONE: Annotated[frozenset[Text], _FEW, PlainSerializer(sorted)],
}
_OTHERS: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}


def select_saved(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a workspace that are saved; of settings those not at their defaults."""
    others = {name: value for name, value in values.items() if name in _OTHERS}
    return others | values.get(keys.SETTINGS, DEFAULT).changed


def to_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Kept values as JSON."""
    return {
        name: _OTHERS[name].dump_python(value) if name in _OTHERS else schema.to_json(name, value)
        for name, value in values.items()
    }


def from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read values from this JSON, but for those that this program does not know, or can't read."""
    found = {}
    for name, value in data.items():
        with suppress(ImportedRunError):
            found[name] = _value_from_json(name, value)
    return _in_workspace(found)


def _in_workspace(found: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name as a workspace has them, with its settings as one value."""
    others = {name: value for name, value in found.items() if name in _OTHERS}
    changes = {path: value for path, value in found.items() if path not in _OTHERS}
    return others | {keys.SETTINGS: DEFAULT.with_(changes)} if changes else others


def _value_from_json(name: str, value: Any) -> Any:
    """The value of this name; ImportedRunError that names it where it can't be read."""
    if name not in _OTHERS and not schema.is_setting(name):
        raise ImportedRunError(f"The workspace has a wrong field, {name}: there is no such value.")
    try:
        if name in _OTHERS:
            return _OTHERS[name].validate_python(value)
        return schema.read(name, value)
    except ValidationError as error:
        raise wrong_field(error, f"value {name}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ImportedRunError(f"The workspace has a wrong field, {name}: {error}") from error


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    values: dict[str, Any]


def may_share(name: str) -> bool:
    """Return whether others may have this value of a workspace, and may give one."""
    return name not in _NEVER_SHARED


def select_shared(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what others may have of the values of a workspace, as JSON."""
    saved = to_json(select_saved(values))
    shared = {name: value for name, value in saved.items() if may_share(name)}
    if keys.COLUMNS in shared:
        shared[keys.COLUMNS] = [
            (letter, {name: value for name, value in own.items() if may_share(name)})
            for letter, own in shared[keys.COLUMNS]
        ]
    return shared


def write(values: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the text of a file with the values of a workspace."""
    return to_text(_WORKSPACE, {"values": select_shared(values)}, indent)


def read(text: str) -> dict[str, Any] | Run:
    """Return the run or the values of a workspace in the text of a file; else ImportedRunError."""
    kind, data = kind_and_fields(text)
    if kind == rows.KIND:
        return rows.from_fields(data)
    if kind != _WORKSPACE:
        raise ImportedRunError(f"The file holds a {kind[:40]}; a run or a workspace can be opened.")
    try:
        fields = _Fields.model_validate(data)
        _require_few_variables(fields.values)
    except ValidationError as error:
        raise wrong_field(error, "file") from error
    except ValueError as error:
        raise ImportedRunError(f"The workspace can't be opened. {error}") from error
    _require_shared(fields.values)
    values = {name: _value_from_json(name, value) for name, value in fields.values.items()}
    for column in values.get(keys.COLUMNS, ()):
        _require_shared(dict(column.overrides))
    return _in_workspace(values)


def _require_shared(names: Iterable[str]) -> None:
    for name in names:
        if not may_share(name):
            raise ImportedRunError(f"The workspace has a wrong field, {name}: it is never shared.")
