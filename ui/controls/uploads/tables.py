"""Tables with one chunk per row: CSV with a column of text, JSON lines with a field of text."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from synth.errors import SynthError
from ui.controls.uploads.decoding import MOST_BYTES, decoded

FIELDS = ("text", "content", "chunk", "body", "passage")
"""The names of a column or field of text, in order of preference."""

_CHOICE = f"{', '.join(FIELDS[:-1])} or {FIELDS[-1]}"
_MOST_NAMES = 12  # columns that a message names

csv.field_size_limit(MOST_BYTES)  # one cell may hold the whole upload


def csv_rows(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The text of each row below the header; commas, semicolons or tabs separate the columns."""
    text = decoded(name, data).lstrip("\n")
    rows = csv.reader(StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    try:
        header = next(rows, [])
        if not header:
            return
        column = _column(name, header)
        for number, row in enumerate(filter(None, rows), 1):
            if len(row) != len(header):
                raise csv.Error(f"row {number:,} has {len(row)} columns, the header {len(header)}")
            yield f"row {number:,}", row[column]
    except csv.Error as problem:
        raise SynthError(
            f"{name} can't be read as a table: {problem} (line {rows.line_num:,}). Put texts"
            " with separators or line ends in them between double quotes."
        ) from problem


def _separator(text: str) -> str:
    """The character that makes the most columns of the first line, outside of quotes."""
    return max(",;\t", key=re.sub('"[^"]*"', "", text.split("\n", 1)[0]).count)


def _column(name: str, columns: Sequence[str]) -> int:
    """The index of the column of text, counted from 0."""
    plain = [column.strip().lower() for column in columns]
    for field in FIELDS:
        if field in plain:
            return plain.index(field)
    if len(columns) == 1:
        return 0
    raise SynthError(
        f"{name} has no column of text. Its columns are {_listed(columns)}: call one of them"
        f" {_CHOICE}."
    )


def json_lines(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The text of each line: a JSON string, or an object with a field of text."""
    for number, line in enumerate(decoded(name, data).split("\n"), 1):
        if line.strip():
            yield f"line {number:,}", _line(f"{name}, line {number:,}", line)


def _line(location: str, line: str) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as problem:
        reason = str(problem) if isinstance(problem, ValueError) else "it is nested too deeply"
        raise SynthError(
            f"{location} is not JSON: {reason}. Each line must be one value."
        ) from problem
    text = _field(value) if isinstance(value, dict) else value
    if isinstance(text, str):
        return text
    fields = f" Its fields are {_listed(list(value))}." if isinstance(value, dict) else ""
    raise SynthError(
        f"{location} holds no text.{fields} Give a string, or an object with a string called"
        f" {_CHOICE}."
    )


def _field(value: dict[str, Any]) -> Any:
    """The value of the field of text, if there is one."""
    plain = {key.strip().lower(): text for key, text in value.items()}
    return next((plain[field] for field in FIELDS if field in plain), None)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(name[:40] or "(no name)" for name in names[:_MOST_NAMES]) + more
