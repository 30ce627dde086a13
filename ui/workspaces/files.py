"""A workspace as a file: versioned JSON, read back to the same values.

What stays out is refused where a file has it (`may_share`): what is of one server, machine or
person. Whoever opens the file types a key of their own, and must not send it, or a chunk, to an
address that somebody else chose. A cap is shared: it can only lower what a run spends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from synth.errors import ImportedRunError
from synth.export.files import kind_and_fields, to_text, wrong_field
from ui.session import keys
from ui.settings import by_name, schema
from ui.settings.tokenizers import drop_measure
from ui.store import run_json
from ui.store.run_json import Run
from ui.workspaces.values import (
    GONE,
    in_workspace,
    require_few_variables,
    select_saved,
    to_json,
    value_from_json,
)

WORKSPACE = "workspace"
_OLDER = "comparison"  # a workspace with the runs of its comparison
_OF_ONE_PERSON = (keys.CLASS, keys.DISPLACED, keys.RATINGS, keys.RULINGS)


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    values: dict[str, Any]
    runs: list[Any] = []


@dataclass(frozen=True)
class WorkspaceFile:
    """The values of a workspace, and in words what is `gone`."""

    values: Mapping[str, Any]
    gone: tuple[str, ...] = ()


def may_share(name: str, value: Any) -> bool:
    """Return whether others may have this value of a workspace, and may give one."""
    return name not in _OF_ONE_PERSON and schema.may_share(name, value)


def select_shared(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what others may have of the values of a workspace, as JSON."""
    saved = to_json(select_saved(values))
    found = {name: value for name, value in saved.items() if may_share(name, value)}
    if keys.COLUMNS in found:
        found[keys.COLUMNS] = [
            (letter, {name: value for name, value in own.items() if may_share(name, value)})
            for letter, own in found[keys.COLUMNS]
        ]
    return found


def write(file: WorkspaceFile, indent: int | None = 1) -> str:
    """Return the text of a file."""
    return to_text(WORKSPACE, {"values": select_shared(file.values)}, indent)


def read(text: str) -> WorkspaceFile | Run:
    """Return what the text of a file holds; ImportedRunError that says what is wrong with it."""
    kind, data = kind_and_fields(text)
    if kind == run_json.KIND:
        return run_json.from_fields(data)
    if kind not in (WORKSPACE, _OLDER):
        raise ImportedRunError(f"The file holds a {kind[:40]}; a run or a workspace can be opened.")
    try:
        fields = _Fields.model_validate(data)
    except ValidationError as error:
        raise wrong_field(error, "file") from error
    values = _read_values(fields.values)
    names = [*fields.values, *(name for name, _ in _of_columns(fields.values.get(keys.COLUMNS)))]
    gone = dict.fromkeys(GONE[name] for name in names if name in GONE)
    if fields.runs:
        gone["the runs of a comparison"] = None
    tokenizer = str(fields.values.get("tokenizer"))
    if drop_measure(tokenizer) != tokenizer:
        gone["what a run measured of its tokenizer"] = None
    return WorkspaceFile(values, tuple(gone))


def _read_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a file; ImportedRunError that names what is wrong, or is not to be shared."""
    try:
        require_few_variables(data)
    except ValueError as error:
        raise ImportedRunError(f"The workspace can't be opened. {error}") from error
    for name, value in [*data.items(), *_of_columns(data.get(keys.COLUMNS))]:
        if not may_share(by_name.rename(name), value):
            raise ImportedRunError(f"The workspace has a wrong field, {name}: it is never shared.")
    return in_workspace(
        {
            by_name.rename(name): value_from_json(name, value)
            for name, value in data.items()
            if name not in GONE
        }
    )


def _of_columns(columns: Any) -> list[tuple[str, Any]]:
    """Return the settings of columns as a file has them; what is no column is refused later."""
    found: list[tuple[str, Any]] = []
    for column in columns if isinstance(columns, list) else []:
        match column:
            case [_, dict(own)]:
                found += own.items()
    return found
