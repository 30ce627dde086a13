"""Files that this program reads again: versioned JSON of a kind, with named fields alone."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import FailFast, ValidationError

from synth.errors import ImportedRunError

MOST_BYTES = 20_000_000
"""Of a file; the slowest of that size takes seconds, and half a GB of memory."""

VERSION = 1

T = TypeVar("T")
Many = Annotated[list[T], FailFast()]
"""A list of which the first wrong element is named: a million of them would cost gigabytes."""


def to_text(kind: str, fields: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the file as text; every character is escaped that a strict reader might refuse."""
    separators = (",", ":") if indent is None else None
    file = {"kind": kind, "version": VERSION, **fields}
    return json.dumps(file, ensure_ascii=True, indent=indent, separators=separators)


def kind_and_fields(text: str) -> tuple[str, dict[str, Any]]:
    """Read what `to_text` wrote, its fields unchecked; ImportedRunError for anything else."""
    if len(text) > MOST_BYTES:
        raise ImportedRunError(
            f"The file has {len(text):,} characters, and {MOST_BYTES:,} is the limit: choose a"
            " smaller one."
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportedRunError(
            f"This file is no JSON ({error}): choose one that was exported here."
        ) from error
    fields = data if isinstance(data, dict) else {}
    version, kind = fields.pop("version", None), fields.pop("kind", None)
    if type(version) is not int or not isinstance(kind, str):
        raise ImportedRunError(
            "This file was not exported here, it names no kind and version: choose another one."
        )
    if version > VERSION:
        raise ImportedRunError(
            f"This file has version {version}, and this program reads versions up to {VERSION}:"
            " update the program."
        )
    return kind, fields


def wrong_field(error: ValidationError, what: str) -> ImportedRunError:
    """Make an error that names the first field that is wrong in a run, a call, or whatever."""
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"])) or "the whole"
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return ImportedRunError(f"The {what} has a wrong field, {field}: {said}.")
