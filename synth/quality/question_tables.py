"""Tables of questions: a row is a question, and its columns are ours or promptfoo's."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from synth.errors import QuestionSetError
from synth.quality.checks import kind_name
from synth.quality.expected_checks import Expected, expected_of, reads_threshold
from synth.quality.plain_values import read_json, shown
from synth.quality.question_records import question_of, read_fact
from synth.quality.questions import Question, require_few
from synth.quality.record_fields import Place, texts
from synth.text.table_rows import table_rows

_EXPECTED = re.compile(r"__expected(?P<number>\d*)")
_CONFIG = re.compile(r"__config:__expected(?P<number>\d*):threshold")
_NOT_READ = re.compile("__(?:prefix|suffix|provider|providerOutput|threshold|config:.*)")
_LABELS = re.compile(r"__metric|__metadata(:.*)?")  # they name a row, and change nothing


def rows(text: str) -> Iterator[Place]:
    """The rows below the line that names the columns; commas, semicolons or tabs separate them."""
    reader = table_rows(text)
    try:
        header = [column.strip() for column in next(reader, [])]
        if twice := [name for name, count in Counter(header).items() if count > 1]:
            raise QuestionSetError(f"Two columns have one name, {shown(twice[0])}: rename one.")
        for row in filter(any, reader):
            where = f"row that ends in line {reader.line_num:,}"
            if len(row) != len(header):
                raise QuestionSetError(
                    f"The {where} has {len(row)} columns, the header {len(header)}: put a text"
                    " with separators or line ends in it between double quotes."
                )
            cells = dict(zip(header, row, strict=True))
            yield Place(where, partial(_row, cells))
    except csv.Error as problem:
        raise QuestionSetError(
            f"It is no table that can be read (line {reader.line_num:,}): {problem}."
        ) from problem


def _row(cells: Mapping[str, str]) -> list[Question]:
    """The question of a row; a column that is none of those named in this module is a variable."""
    rest = {name: cell for name, cell in cells.items() if not _LABELS.fullmatch(name)}
    facts, checks = rest.pop("facts", ""), rest.pop("checks", "")
    chunks, description = rest.pop("chunks", ""), rest.pop("__description", "")
    expected = {name: rest.pop(name) for name in cells if _EXPECTED.fullmatch(name)}
    thresholds = {
        found["number"]: rest.pop(name) for name in cells if (found := _CONFIG.fullmatch(name))
    }
    odd = [name for name in rest if name.startswith("__") and rest[name].strip()]
    if unknown := [name for name in odd if not _NOT_READ.fullmatch(name)]:
        raise QuestionSetError(f"The column {unknown[0]} is not read here: take it out.")
    variables = {name: cell for name, cell in rest.items() if name and not name.startswith("__")}
    lines = [line for line in checks.splitlines() if line.strip()]
    require_few("checks", lines)
    read = [
        *(_in_column("checks", partial(expected_of, variables=None), [line]) for line in lines),
        *_expected(expected, thresholds, variables),
    ]
    question = question_of(
        variables,
        facts=_in_column("facts", read_fact, facts),
        checks=[check for each in read for check in each.checks],
        chunks=_in_column("chunks", lambda cell: texts(read_json(cell)), chunks)
        if chunks.strip()
        else None,
        description=description,
        left_out=[*odd, *(name for each in read for name in each.left_out)],
    )
    return [question]


def _expected(
    cells: Mapping[str, str], thresholds: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[Expected]:
    """The checks of promptfoo's columns, each with the threshold of a column beside it."""
    for name, cell in cells.items():
        number = name.removeprefix("__expected")
        threshold = thresholds.get(number) or thresholds.get("", "")
        if cell.strip():
            yield _in_column(name, partial(_check, variables, threshold.strip()), cell.strip())


def _check(variables: Mapping[str, str], threshold: str, cell: str) -> Expected:
    if threshold and reads_threshold(kind := kind_name(cell)):
        cell = f"{kind}({threshold})"
    return expected_of([cell], variables)


def _in_column(name: str, read: Callable[[Any], Any], cell: Any) -> Any:
    try:
        return read(cell)
    except QuestionSetError as problem:
        raise QuestionSetError(f"In the column {name}: {problem}") from problem
