"""The values of a file, and the lists of records under any path in them: one rule for containers.

    contents = read_contents(data)  # bytes, or text
    for line, value in contents.values:
        for records, parents in find_records(value, holds_text):
            ...  # records: objects of one list that all pass; parents: what stands around it

A file is JSON, once or many times (JSON lines, indented values one after the other, with other
prints between), or a table: CSV with a header, whose cells are texts, or parquet. A table is one
value, a list with an object for each row. gzip is unpacked. `contents.left_out` has the lines that
are nothing of that: say so, or refuse the file. `read_frame` gives the same of a DataFrame.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.documents.decoding import decode, table_rows
from synth.errors import SynthError, extra
from synth.text.wording import counted

if TYPE_CHECKING:
    import pandas as pd

MOST_BYTES = 10_000_000  # of a file, unpacked
MOST_VALUES = 1_000_000  # of JSON, or cells of a table

_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_NUMBER, _TEXT, _WORD = r"-?[\d.eE+-]+", r'"(?:[^"\\]|\\.)*+"', "true|false|null"
_PLACE = re.compile(  # where a value may begin: a list or an object anywhere, others on their line
    rf'(?=\{{\s*["}}]|\[\s*(?:["\[{{\]]|(?:{_NUMBER}|{_WORD})\s*[,\]]))'
    rf"|^[^\S\n]*(?=(?:{_NUMBER}|{_TEXT}|{_WORD})[^\S\n]*$)",
    re.MULTILINE,
)
_MOST_BROKEN = 100  # places; what is said of each takes a look at all of the text before it

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Contents:
    """The values of a file, each after the line in which it begins, and what is no value.

    `left_out` are the numbers of lines, `problem` what the reader of JSON says of the first.
    """

    values: Sequence[tuple[int, Any]]
    left_out: Sequence[int] = ()
    problem: str = ""
    is_table: bool = False

    @property
    def notice(self) -> str:
        """Say in a sentence what was left out; empty where nothing was."""
        if not self.left_out:
            return ""
        lines = counted(len(self.left_out), "line")
        are, it = ("is", "it was") if len(self.left_out) == 1 else ("are", "they were")
        return (
            f"{lines} of the file {are} no JSON, and {it} left out: the first is line"
            f" {self.left_out[0]:,} ({self.problem})."
        )


class Records(NamedTuple):
    """Objects of one list, and the objects around that list, the innermost first."""

    records: Sequence[Record]
    parents: Sequence[Record]


def read_contents(
    data: bytes | str, *, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES
) -> Contents:
    """Read the values of a file; SynthError for one that is too large, damaged, or no text."""
    if isinstance(data, bytes):
        data = unpack(data, most_bytes)
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    _require(most_bytes, size, "bytes")
    if isinstance(data, bytes):
        if data.startswith(_PARQUET):
            return _read_parquet(data, most_bytes)
        data = decode("The file", data)
    text = data.removeprefix("\ufeff")
    if not text.lstrip().startswith(("{", "[")):
        rows = _read_table(text, most_values)
        if rows:
            return Contents([(1, rows)], is_table=True)
    _require(most_values, count_values(text, most_values), "values")
    return _read_json(text, most_values)


def find_records(value: Any, is_record: Callable[[Record], bool]) -> Iterator[Records]:
    """Find the lists under any path of the value whose objects all pass, in their order.

    An object that passes outside of such a list is one of its own; nothing is looked for in it.
    """
    waiting: list[tuple[Any, tuple[Record, ...]]] = [([value], ())]
    while waiting:
        value, parents = waiting.pop()
        if isinstance(value, list):
            if value and all(isinstance(each, dict) and is_record(each) for each in value):
                yield Records(value, parents)
                continue
            inner = value
        elif is_record(value):
            yield Records([value], parents)
            continue
        else:
            inner = list(value.values())
            parents = (value, *parents)
        waiting += [(each, parents) for each in reversed(inner) if isinstance(each, dict | list)]


def read_frame(frame: pd.DataFrame, most_bytes: int = MOST_BYTES) -> Contents:
    """Read the rows of a frame, its named index included; SynthError for too large a one."""
    _require(most_bytes, int(frame.memory_usage(deep=True).sum()), "bytes")
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    rows = frame.reset_index(named) if named else frame
    text = rows.to_json(orient="records", date_format="iso", date_unit="us", double_precision=15)
    return Contents([(1, json.loads(text))], is_table=True)


def unpack(data: bytes, most_bytes: int = MOST_BYTES) -> bytes:
    """Unpack what gzip packed, up to a byte more than may be read; other bytes as they are."""
    if not data.startswith(_GZIP):
        return data
    try:
        with gzip.open(BytesIO(data)) as file:
            return file.read(most_bytes + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise SynthError(f"The gzip file is damaged ({problem}): copy it again.") from None


def count_values(text: str, most: int) -> int:
    """Count the values of a text of JSON before one is built, or find more than `most`."""
    bare = text.replace(r"\\", "").replace(r"\"", "")
    at_least = bare.count('"') // 4  # a value has two strings at most, itself and its name
    if at_least > most:
        return at_least
    outside = "".join(bare.split('"')[::2])
    return sum(map(outside.count, "{[,"))


def _require(most: int, number: int, what: str) -> None:
    if number > most:
        raise SynthError(
            f"The file has {number:,} {what}, and {most:,} is the limit: take a part of it."
        )


def _read_parquet(data: bytes, most_bytes: int) -> Contents:
    with extra("frames"):
        import pandas as pd  # noqa: PLC0415
    try:
        return read_frame(pd.read_parquet(BytesIO(data)), most_bytes)
    except SynthError:
        raise
    except Exception as problem:  # a broken file may lead to any error
        raise SynthError(
            f"The file can't be read as parquet ({type(problem).__name__}: {problem}): save it as"
            " JSON."
        ) from problem


def _read_table(text: str, most_values: int) -> list[Record]:
    """Return the rows below a header; none where the text is no table."""
    rows = table_rows(text.strip("\n"))
    try:
        header = next(rows, [])
        if len(header) < 2:
            return []
        body = list(filter(None, islice(rows, most_values // len(header) + 1)))
    except csv.Error:
        return []
    if any(len(row) != len(header) for row in body):
        return []
    _require(most_values, len(body) * len(header), "cells")
    return [dict(zip(header, row, strict=True)) for row in body]


def _read_json(text: str, most_values: int) -> Contents:
    decoder = json.JSONDecoder()
    values: list[tuple[int, Any]] = []
    left_out: dict[int, None] = {}
    problem, broken, at, end, line = "it holds other words", 0, 0, 0, 1
    while (place := _PLACE.search(text, at)) is not None:
        start = place.end()
        try:
            value, stop = decoder.raw_decode(text, start)
        except (RecursionError, ValueError) as failure:
            broken += 1
            if not isinstance(failure, json.JSONDecodeError) or broken > _MOST_BROKEN:
                raise _refuse(line, failure) from None
            problem, at = str(failure), start + 1
            continue
        left_out |= dict.fromkeys(_nonblank_lines(text[end:start], line))
        line += text.count("\n", end, start)
        values.append((line, value))
        _require(most_values, len(values), "values")
        line += text.count("\n", start, stop)
        at = end = stop
    left_out |= dict.fromkeys(_nonblank_lines(text[end:], line))
    return Contents(values, list(left_out), problem)


def _nonblank_lines(text: str, first: int) -> list[int]:
    if not text or text.isspace():
        return []
    return [number for number, row in enumerate(text.split("\n"), first) if row.strip(" \t,")]


def _refuse(line: int, failure: Exception) -> SynthError:
    return SynthError(
        f"What follows line {line:,} is no JSON that can be read ({failure}): perhaps the file was"
        " cut off."
    )
