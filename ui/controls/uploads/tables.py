"""CSV: each row is a document, its columns are the fields."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterator, Sequence
from typing import Any

from synth.errors import SynthError
from synth.text.table_rows import table_rows
from ui.controls.uploads.decoding import decoded
from ui.controls.uploads.documents import METADATA, WRAPPERS, documents
from ui.controls.uploads.loaded import Loaded

_NESTED = (*METADATA, *WRAPPERS)
_PREFIXES = tuple(f"{field}." for field in _NESTED)
_DEEPEST = 3  # as "node.metadata.source"; what stands deeper is not read


def csv_rows(name: str, data: bytes) -> Iterator[Loaded]:
    """The text of each row below the header; commas, semicolons or tabs separate the columns."""
    rows = table_rows(decoded(name, data).lstrip("\n"))
    try:
        header = [column.strip().lower() for column in next(rows, [])]
        for number, row in enumerate(filter(None, rows), 1):
            if len(row) != len(header):
                raise csv.Error(f"row {number:,} has {len(row)} columns, the header {len(header)}")
            value = _fields(header, row) if len(header) > 1 else row[0]
            yield from documents(name, f"row {number:,}", value)
    except csv.Error as problem:
        raise SynthError(
            f"{name} can't be read as a table: {problem} (line {rows.line_num:,}). Put texts"
            " with separators or line ends in them between double quotes."
        ) from problem


def _fields(header: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    """A row as an object; a column such as "metadata.source", as pandas names it, is nested."""
    fields: dict[str, Any] = {}
    for column, cell in zip(header, row, strict=True):
        *outer, last = column.split(".", _DEEPEST) if column.startswith(_PREFIXES) else [column]
        inside: Any = fields
        for part in outer:
            inside = inside.setdefault(part, {}) if isinstance(inside, dict) else None
        if isinstance(inside, dict):
            inside.setdefault(last, _object(cell) if last in _NESTED else cell)
    return fields


def _object(cell: str) -> Any:
    """The object that a cell holds as JSON or as Python prints it; else the cell as it is."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(cell)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return cell
