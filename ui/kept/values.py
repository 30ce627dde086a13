"""The values of a workspace that are saved, each by name, and how they become JSON and return.

What is not listed here is not saved. Of an address only that is saved which holds no secret.

Links, files and the saved workspaces are all read here. What does not belong, or is more than the
pages hold, is a ValueError that says so. A column has settings that a column may override, a set
the settings of templates, and nothing else. None names a key, a cap or a workspace. What belongs
in a setting says `ui/settings/schema.py`.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from synth.errors import ImportedRunError
from synth.export.files import wrong_field
from synth.prompts.templates import MOST_VARIABLES
from synth.quality.rubric import Ruling
from ui.controls.handover import Displaced
from ui.controls.questions import MOST_SAVED
from ui.pages.compare.columns import FEWEST_COLUMNS, LETTERS, TEMPLATE_SET, Column, may_override
from ui.pages.compare.comparison import MOST_REPEATS
from ui.pages.compare.ratings import MOST_RULINGS, Rating
from ui.session import keys
from ui.settings import expected, paths
from ui.settings.chunk_list import Text
from ui.settings.model import Recorded
from ui.settings.model_kinds import RECORDED
from ui.settings.records import Name
from ui.settings.schema import DEFAULT, MOST_COLUMNS, VARIABLE

MOST_ENTRIES = 1_000
"""How many sets, facts, answers and the like a workspace may have of each kind."""


class Codec(NamedTuple):
    """How a value becomes JSON, and JSON the value; ValueError for JSON of another kind."""

    to_json: Callable[[Any], Any]
    from_json: Callable[[Any], Any]


def plain(kind: Any) -> Codec:
    """The kind of what JSON holds as it is."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return Codec(adapter.dump_python, adapter.validate_python)


Texts = Annotated[dict[Text, Text], Field(max_length=MOST_ENTRIES)]

TEXT = plain(Text)
_NAME = plain(Name)


def _settings(belongs: Callable[[str], bool], where: str) -> Codec:
    """Settings by name, of which these belong there; ValueError that names one that does not."""

    def to_json(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {
            path: value if path == TEMPLATE_SET else paths.to_json(path, value)
            for path, value in settings.items()
            if belongs(path)
        }

    def from_json(data: Any) -> dict[str, Any]:
        require_few_variables(data)
        found = {}
        for name, value in data.items():
            if not belongs(path := paths.renamed(name)):
                raise ValueError(f"{name[:80]} does not belong in {where}.")
            is_set = path == TEMPLATE_SET
            found[path] = _NAME.from_json(value) if is_set else paths.read(path, value)
        return found

    return Codec(to_json, from_json)


def require_few_variables(names: Iterable[str]) -> None:
    """ValueError for more variables than the pages hold."""
    count = sum(paths.renamed(name).startswith(VARIABLE) for name in names)
    if count > MOST_VARIABLES:
        raise ValueError(f"It has {count:,} variables, and {MOST_VARIABLES} is the limit.")


_OF_COLUMN = _settings(may_override, "a column")
_OF_SET = _settings(paths.is_of_template, "a set of templates")
_INPUT = _settings(paths.is_setting, "an input")


def _columns(data: Any) -> tuple[Column, ...]:
    names = [name for name, _ in data]
    if not FEWEST_COLUMNS <= len(names) <= MOST_COLUMNS:
        raise ValueError(
            f"It has {len(names):,} columns; a comparison has {FEWEST_COLUMNS} to {MOST_COLUMNS}."
        )
    if len(set(names)) < len(names) or not set(names) <= set(LETTERS):
        raise ValueError(f"Its columns must have different names, of {', '.join(LETTERS)}.")
    return tuple(Column(name, tuple(_OF_COLUMN.from_json(own).items())) for name, own in data)


COLUMNS = Codec(
    lambda columns: [
        [column.name, _OF_COLUMN.to_json(dict(column.overrides))] for column in columns
    ],
    _columns,
)


def _template_sets(data: Any) -> dict[str, dict[str, Any]]:
    if len(data) > MOST_ENTRIES:
        raise ValueError(f"It has {len(data):,} sets, and {MOST_ENTRIES:,} is the limit.")
    return {_NAME.from_json(name): _OF_SET.from_json(texts) for name, texts in data.items()}


TEMPLATE_SETS = Codec(
    lambda sets: {name: _OF_SET.to_json(texts) for name, texts in sets.items()},
    _template_sets,
)


_MOST_CALLS = 10_000  # of a recorded run

_ORIGIN = plain(Literal["lesson", "trace", "run"])


def _origin(data: Any) -> Any:
    """What an input comes from; older programs told a trace that was received from a file."""
    return _ORIGIN.from_json("trace" if data == "live" else data)


_DISPLACED = Codec(
    lambda lesson: [
        lesson.title,
        _INPUT.to_json(lesson.before),
        _INPUT.to_json(lesson.put),
        lesson.origin,
        COLUMNS.to_json(lesson.columns) if lesson.columns else lesson.columns,
    ],
    lambda data: Displaced(
        str(data[0]),
        _INPUT.from_json(data[1]),
        _INPUT.from_json(data[2]),
        *(_origin(origin) for origin in data[3:4]),  # older ones are all of lessons
        *(one if one is None else _some_or_no_columns(one) for one in data[4:5]),
    ),
)


def _some_or_no_columns(data: Any) -> tuple[Column, ...]:
    columns: tuple[Column, ...] = COLUMNS.from_json(data) if data else ()
    return columns


_pairs = plain(
    Annotated[list[tuple[tuple[Text, int, Text], int | Text]], Field(max_length=MOST_ENTRIES)]
)
_GUESSES = Codec(
    lambda guesses: _pairs.to_json(list(guesses.items())), lambda data: dict(_pairs.from_json(data))
)


def _recorded(data: Any) -> Recorded:
    found: Recorded = _any_recorded.from_json(data)
    if len(found.log) > _MOST_CALLS:
        raise ValueError(f"It has {len(found.log):,} answers, and {_MOST_CALLS:,} is the limit.")
    return found


def _rating(data: Any) -> Any:
    """A rating that an older program wrote was its thumb alone."""
    return Rating(data) if isinstance(data, bool) else data


_AnyRating = Annotated[Rating, BeforeValidator(_rating)]
_any_recorded = plain(Recorded)
_RECORDED = Codec(_any_recorded.to_json, _recorded)
_OTHERS = {
    keys.INTRODUCED: plain(bool),
    keys.OLDER_SAID: plain(bool),
    keys.SAVED_QUESTIONS: plain(Annotated[tuple[Text, ...], Field(max_length=MOST_SAVED)]),
    keys.TEMPLATE_SETS: TEMPLATE_SETS,
    keys.COLUMNS: COLUMNS,
    keys.QUESTIONS: TEXT,
    keys.REPEATS: plain(Annotated[int, Field(ge=1, le=MOST_REPEATS)]),
    keys.QUESTION_SET: Codec(str, expected.checked),
    keys.FACTS: plain(Texts),
    keys.EXPECTED: TEXT,
    keys.EXPECTED_OF: TEXT,
    keys.RULINGS: plain(Annotated[dict[Text, Ruling], Field(max_length=MOST_RULINGS)]),
    keys.RATINGS: plain(Annotated[dict[Text, _AnyRating], Field(max_length=MOST_ENTRIES)]),
    keys.DISPLACED: _DISPLACED,
    keys.RECORDED: _RECORDED,
    keys.LESSON: plain(Texts),
    keys.GUESSES: _GUESSES,
    keys.LESSONS_DONE: Codec(
        sorted, plain(Annotated[frozenset[Text], Field(max_length=MOST_ENTRIES)]).from_json
    ),
}
_OLDER_NAMES = {"blind_thumbs": keys.RATINGS}
"""The names under which older programs saved a value that is no setting."""
GONE = {
    **dict.fromkeys(("judge", "judge_kinds", "judge_repeats"), "the judge of Compare"),
    "references": "reference answers",
    "tokenizer_files": "the tokenizer.json files of models",
}
"""What older programs saved that no page has any more: by its name, in words."""


def renamed(name: str) -> str:
    """The name or the path of a value today; older programs saved some under another name."""
    return _OLDER_NAMES.get(name) or paths.renamed(name)


KEPT = {keys.SETTINGS, *_OTHERS}
"""The names of the values of a workspace that are saved."""


def kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a workspace's values that are saved; settings by name, but for those at defaults."""
    others = {name: value for name, value in values.items() if name in _OTHERS}
    return others | values.get(keys.SETTINGS, DEFAULT).changed


def to_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Kept values as JSON."""
    return {
        name: _OTHERS[name].to_json(value) if name in _OTHERS else paths.to_json(name, value)
        for name, value in values.items()
    }


def from_json(data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of this JSON; those that this program does not know, or can't read, are left out.

    An older program may have written them, or one with other custom modes.
    """
    found = {}
    for name, value in data.items():
        with suppress(ImportedRunError):
            found[renamed(name)] = value_from_json(renamed(name), value)
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
    """The value of this name; ImportedRunError that names it where it can't be read."""
    path = paths.renamed(name)
    if name not in _OTHERS and not paths.is_setting(path):
        raise ImportedRunError(f"The workspace has a wrong field, {name}: there is no such value.")
    try:
        return _OTHERS[name].from_json(value) if name in _OTHERS else paths.read(path, value)
    except ValidationError as error:
        raise wrong_field(error, f"value {name}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ImportedRunError(f"The workspace has a wrong field, {name}: {error}") from error
