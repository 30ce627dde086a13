"""The values of a workspace that are saved, each by name, and how they become JSON and return.

What is not listed here is not saved; links, files and saved workspaces are read by the same list.
What does not belong, or is more than the pages hold, is a ValueError that says so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
)

from synth.errors import ImportedRunError
from synth.export.files import wrong_field
from synth.prompts.templates import MOST_VARIABLES
from synth.quality.rubric import Ruling
from ui.controls.handover import LESSON, RUN, TRACE, Displaced
from ui.pages.compare.columns import FEWEST_COLUMNS, LETTERS, MOST_REPEATS, Column
from ui.pages.compare.ratings import MOST_RULINGS, Rating
from ui.session import keys
from ui.settings import by_name, expected
from ui.settings.chunk_list import Text
from ui.settings.model import Recorded
from ui.settings.model_kinds import RECORDED
from ui.settings.schema import DEFAULT, VARIABLE, Name

MOST_ENTRIES = 1_000
"""How many sets, facts, answers and the like a workspace may have of each kind."""

_MOST_CALLS = 10_000  # of a recorded run
_FEW = Field(max_length=MOST_ENTRIES)
_Texts = Annotated[dict[Text, Text], _FEW]


def _settings(belongs: Callable[[str], bool], where: str) -> Any:
    """Make the type of settings by name, of which these belong there; others are named."""

    def read(data: Any) -> dict[str, Any]:
        require_few_variables(data)
        found = {}
        for name, value in data.items():
            if name in GONE:
                continue
            if not belongs(path := by_name.rename(name)):
                raise ValueError(f"{name[:80]} does not belong in {where}.")
            found[path] = by_name.read(path, value)
        return found

    def write(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {
            path: by_name.to_json(path, value) for path, value in settings.items() if belongs(path)
        }

    return Annotated[Any, PlainValidator(read), PlainSerializer(write)]


def require_few_variables(names: Iterable[str]) -> None:
    """Raise ValueError for more variables than the pages hold."""
    count = sum(by_name.rename(name).startswith(VARIABLE) for name in names)
    if count > MOST_VARIABLES:
        raise ValueError(f"It has {count:,} variables, and {MOST_VARIABLES} is the limit.")


_INPUT: TypeAdapter[Any] = TypeAdapter(_settings(by_name.is_setting, "an input"))
_OF_COLUMN: Any = _settings(by_name.may_differ, "a column")
_OF_SET: Any = _settings(by_name.is_of_template, "a set of templates")
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


def _read_displaced(data: Any) -> Displaced:
    title, before, put, origin, columns = data
    if origin not in (LESSON, TRACE, RUN):
        raise ValueError(f"there is no {str(origin)[:80]}")
    if columns is not None:
        columns = _read_columns(columns) if columns else ()
    inputs = _INPUT.validate_python(before), _INPUT.validate_python(put)
    return Displaced(str(title), *inputs, origin, columns)


def _write_displaced(input: Displaced) -> list[Any]:
    before, put = _INPUT.dump_python(input.before), _INPUT.dump_python(input.put)
    columns = _write_columns(input.columns) if input.columns else input.columns
    return [input.title, before, put, input.origin, columns]


def _require_few_answers(found: Recorded) -> Recorded:
    if len(found.log) > _MOST_CALLS:
        raise ValueError(f"It has {len(found.log):,} answers, and {_MOST_CALLS:,} is the limit.")
    return found


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
    keys.DISPLACED: Annotated[
        Any, PlainValidator(_read_displaced), PlainSerializer(_write_displaced)
    ],
    keys.RECORDED: Annotated[Recorded, AfterValidator(_require_few_answers)],
    keys.LESSON: _Texts,
    keys.CLASS: Text,
    keys.GUESSES: Annotated[
        list[_Guess], _FEW, AfterValidator(dict), PlainSerializer(_write_pairs)
    ],
    keys.LESSONS_DONE: Annotated[frozenset[Text], _FEW, PlainSerializer(sorted)],
}
_OTHERS: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}
GONE = {
    **dict.fromkeys(("judge", "judge_kinds", "judge_repeats"), "the judge of Compare"),
    "questions": "the saved questions",
    "references": "reference answers",
    "tokenizer_files": "the tokenizer.json files of models",
    "template_set": "the sets of templates of columns",
}
"""What older programs saved that no page has any more: by its name, in words."""


def select_saved(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a workspace that are saved; of settings those not at their defaults."""
    others = {name: value for name, value in values.items() if name in _OTHERS}
    return others | values.get(keys.SETTINGS, DEFAULT).changed


def to_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Kept values as JSON."""
    return {
        name: _OTHERS[name].dump_python(value) if name in _OTHERS else by_name.to_json(name, value)
        for name, value in values.items()
    }


def from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read values from this JSON, but for those that this program does not know, or can't read."""
    found = {}
    for name, value in data.items():
        with suppress(ImportedRunError):
            found[name] = value_from_json(name, value)
    return in_workspace(found)


def in_workspace(found: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name as a workspace has them, with its settings as one value."""
    others = {name: value for name, value in found.items() if name in _OTHERS}
    changes = {path: value for path, value in found.items() if path not in _OTHERS}
    if not changes:
        return others
    if changes.get("model") == RECORDED.value and keys.RECORDED in others:
        changes["recorded_model"] = others[keys.RECORDED].model  # older programs did not write it
    return others | {keys.SETTINGS: DEFAULT.with_(changes)}


def value_from_json(name: str, value: Any) -> Any:
    """Return the value of this name; ImportedRunError that names it where it can't be read."""
    path = by_name.rename(name)
    if name not in _OTHERS and not by_name.is_setting(path):
        raise ImportedRunError(f"The workspace has a wrong field, {name}: there is no such value.")
    try:
        if name in _OTHERS:
            return _OTHERS[name].validate_python(value)
        return by_name.read(path, value)
    except ValidationError as error:
        raise wrong_field(error, f"value {name}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ImportedRunError(f"The workspace has a wrong field, {name}: {error}") from error
