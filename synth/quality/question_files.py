"""Files of questions: CSV and JSON lines with our columns or promptfoo's, promptfoo's YAML."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import PurePath
from typing import Any

from synth.documents.decoding import table_rows
from synth.errors import QuestionSetError, short
from synth.quality.checks import split_check
from synth.quality.plain_values import quote_json, read_json, read_yaml
from synth.quality.question_records import (
    QuestionRecord,
    prompts_of,
    questions_of,
    read_record,
    write_record,
)
from synth.quality.questions import MOST_QUESTIONS, Question, QuestionSet

MOST_BYTES = 5_000_000
"""Of a file, and of its questions once what they have in common is written into each."""

_TOLD = 5  # problems of one file
_LONGEST = 400  # characters of a problem
_OURS = ("facts", "checks", "chunks")
_EXPECTED = re.compile(r"__expected\d*")
_THRESHOLD = re.compile(r"__config:__expected\d*:threshold")
_NOT_READ = re.compile("__(?:prefix|suffix|provider|providerOutput|threshold|config:.*)")
_LABELS = re.compile(r"__description|__metric|__metadata(:.*)?")  # they name a row alone


_Place = tuple[str, Callable[[], Iterable[Question]]]
"""Where in a file questions stand, most often one, and how they are read."""


def read_questions(name: str, data: bytes | str) -> QuestionSet:
    """Read a file of questions, whose form its `name` says: .csv, .jsonl, .json, .yaml or .yml.

    QuestionSetError, which says where and what to do, for a file that is too large or not of
    that form, and for every question or check that can't be read.
    """
    forms: dict[str, Callable[[str], Iterator[_Place]]] = {
        ".csv": _rows,
        ".jsonl": _lines,
        ".json": lambda text: _tests(read_json(text)),
        ".yaml": lambda text: _tests(read_yaml(text)),
        ".yml": lambda text: _tests(read_yaml(text)),
    }
    places = forms.get(PurePath(name).suffix.lower())
    if places is None:
        raise QuestionSetError(f"{name} is none of {', '.join(forms)}: save it as one of these.")
    if len(data) > MOST_BYTES:
        raise QuestionSetError(
            f"{name} has a size of {len(data):,}, and {MOST_BYTES:,} is the limit: split it."
        )
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise QuestionSetError(f"{name} is not UTF-8: save it with that encoding.") from problem
    try:
        return QuestionSet(tuple(_read(places(text))))
    except QuestionSetError as problem:
        raise QuestionSetError(f"{name}: {problem}") from problem


def write_questions(questions: QuestionSet) -> str:
    """Write questions as JSON lines, which `read_questions` reads as the same questions."""
    return "".join(f"{json.dumps(write_record(each))}\n" for each in questions.questions)


def _read(places: Iterable[_Place]) -> Iterator[Question]:
    """Read these places; all problems are told at once, the first few by name."""
    problems: list[str] = []
    size = count = 0
    for where, read in places:
        try:
            questions = list(read())
        except QuestionSetError as problem:
            problems.append(f"{where}: {short(str(problem), _LONGEST)}")
            questions = []
        for question in questions:
            count += 1
            size += len(json.dumps(write_record(question)))
            if size > MOST_BYTES:
                raise QuestionSetError(
                    "What its questions have in common, and their variables, written into each"
                    f" come to over {MOST_BYTES:,} characters, which is the limit: split it."
                )
            yield question
        if count + len(problems) > MOST_QUESTIONS:
            raise QuestionSetError(f"It has more than {MOST_QUESTIONS:,} questions: split it.")
    if problems:
        more = len(problems) - _TOLD
        rest = [f"{more:,} more have a problem too."] if more > 0 else []
        raise QuestionSetError("\n".join([*problems[:_TOLD], *rest]))


def _rows(text: str) -> Iterator[_Place]:
    """Read the rows below the line of columns; commas, semicolons or tabs separate them."""
    reader = table_rows(text)
    try:
        header = [column.strip() for column in next(reader, [])]
        if twice := [name for name, count in Counter(header).items() if count > 1]:
            raise QuestionSetError(f"Two columns are named {quote_json(twice[0])}: rename one.")
        for row in filter(any, reader):
            where = f"row that ends in line {reader.line_num:,}"
            if len(row) != len(header):
                raise QuestionSetError(
                    f"The {where} has {len(row)} columns, the header {len(header)}: put a text"
                    " with separators or line ends in it between double quotes."
                )
            cells = dict(zip(header, row, strict=True))
            yield where, partial(_row, cells)
    except csv.Error as problem:
        raise QuestionSetError(
            f"It is no table that can be read (line {reader.line_num:,}): {problem}."
        ) from problem


def _row(cells: Mapping[str, str]) -> Iterable[Question]:
    """Take a column that is none of those named in this module for a variable."""
    special = {name: cell for name, cell in cells.items() if name.startswith("__") and cell.strip()}
    left_out = [
        name
        for name in special
        if not any(each.fullmatch(name) for each in (_EXPECTED, _THRESHOLD, _LABELS))
    ]
    if unknown := [name for name in left_out if not _NOT_READ.fullmatch(name)]:
        raise QuestionSetError(f"The column {unknown[0]} is not read here: take it out.")
    record = {
        "vars": {
            name: cell
            for name, cell in cells.items()
            if name and name not in _OURS and not name.startswith("__")
        },
        "facts": cells.get("facts"),
        "checks": [line for line in cells.get("checks", "").splitlines() if line.strip()],
        "chunks": cells.get("chunks", "").strip() or None,
        "assert": [_assertion(name, special) for name in special if _EXPECTED.fullmatch(name)],
        "left_out": left_out,
    }
    return questions_of(read_record(record))


def _assertion(name: str, cells: Mapping[str, str]) -> dict[str, Any]:
    """Read the check of one of promptfoo's columns, with the threshold of a column beside it."""
    kind, value, threshold = split_check(cells[name])
    beside = (f"__config:{name}:threshold", "__config:__expected:threshold")
    given = next((cells[each] for each in beside if each in cells), threshold)
    return {"type": kind, "value": value, "threshold": given, "metric": name}


def _lines(text: str) -> Iterator[_Place]:
    for number, line in enumerate(StringIO(text), 1):
        if line.strip():
            yield f"line {number:,}", partial(_line, line)


def _line(line: str) -> Iterable[Question]:
    return questions_of(read_record(read_json(line)))


def _tests(given: Any) -> Iterator[_Place]:
    """Read the test cases of a config or a list of promptfoo's, or a list of our own objects."""
    default = QuestionRecord()
    prompts: Sequence[str] = ()
    if isinstance(given, Mapping):
        prompts = prompts_of(given.get("prompts"))
        default = read_record(given.get("defaultTest") or {})
        given = given.get("tests")
    if not isinstance(given, list):
        raise QuestionSetError(
            f"Its tests are {quote_json(given)}: give a list of tests, or the file that they name."
        )
    for number, test in enumerate(given, 1):
        yield f"test {number:,}", partial(_test, default, prompts, test)


def _test(default: QuestionRecord, prompts: Sequence[str], test: object) -> Iterable[Question]:
    return questions_of(read_record(test).join(default), prompts)
