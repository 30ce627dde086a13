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
from synth.quality.checks import kind_name
from synth.quality.expected_checks import Expected, expected_of, reads_threshold
from synth.quality.plain_values import read_json, read_yaml, shown
from synth.quality.question_records import (
    prompts_of,
    question_of,
    read_fact,
    read_record,
    written_record,
)
from synth.quality.questions import MOST_QUESTIONS, Question, QuestionSet, require_few
from synth.quality.record_fields import QuestionPlace, items, named, texts

_EXPECTED = re.compile(r"__expected(?P<number>\d*)")
_CONFIG = re.compile(r"__config:__expected(?P<number>\d*):threshold")
_NOT_READ = re.compile("__(?:prefix|suffix|provider|providerOutput|threshold|config:.*)")
_LABELS = re.compile(r"__metric|__metadata(:.*)?")  # they name a row, and change nothing


def rows(text: str) -> Iterator[QuestionPlace]:
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
            yield QuestionPlace(where, partial(_row, cells))
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
        threshold = (thresholds.get(number) or thresholds.get("", "")).strip()
        check = cell.strip()
        if threshold and reads_threshold(kind := kind_name(check)):
            check = f"{kind}({threshold})"
        if check:
            yield _in_column(name, partial(expected_of, variables=variables), [check])


def _in_column(name: str, read: Callable[[Any], Any], cell: Any) -> Any:
    try:
        return read(cell)
    except QuestionSetError as problem:
        raise QuestionSetError(f"In the column {name}: {problem}") from problem


MOST_BYTES = 5_000_000
"""Of a file, and of its questions once what they have in common is written into each."""

_TOLD = 5  # problems of one file
_LONGEST = 400  # characters of a problem


def read_questions(name: str, data: bytes | str) -> QuestionSet:
    """The questions of a file, whose form its `name` says: .csv, .jsonl, .json, .yaml or .yml.

    QuestionSetError, which says where and what to do, for a file that is too large or not of
    that form, and for every question or check that can't be read.
    """
    forms: dict[str, Callable[[str], Iterator[QuestionPlace]]] = {
        ".csv": rows,
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
    """The questions as JSON lines, which `read_questions` reads as the same questions."""
    return "".join(f"{json.dumps(written_record(each))}\n" for each in questions.questions)


def _read(places: Iterable[QuestionPlace]) -> Iterator[Question]:
    """The questions of these places; all problems are told at once, the first few by name."""
    problems: list[str] = []
    size = 0
    found = 0
    for place in places:
        try:
            read = list(place.read())
        except QuestionSetError as problem:
            problems.append(f"{place.where}: {short(str(problem), _LONGEST)}")
            read = []
        for question in read:
            found += 1
            size += len(json.dumps(written_record(question)))
            _require_room(size)
            yield question
        if found + len(problems) > MOST_QUESTIONS:
            raise QuestionSetError(f"It has more than {MOST_QUESTIONS:,} questions: split it.")
    if problems:
        more = len(problems) - _TOLD
        rest = [f"{more:,} more have a problem too."] if more > 0 else []
        raise QuestionSetError("\n".join([*problems[:_TOLD], *rest]))


def _require_room(size: int) -> None:
    if size > MOST_BYTES:
        raise QuestionSetError(
            "What its questions have in common, and their variables, written into each come to"
            f" {size:,} characters, and {MOST_BYTES:,} is the limit: split it."
        )


def _lines(text: str) -> Iterator[QuestionPlace]:
    """The lines of a file, each a JSON object."""
    for number, line in enumerate(StringIO(text), 1):
        if line.strip():
            yield QuestionPlace(f"line {number:,}", partial(_line, line))


def _line(line: str) -> Iterable[Question]:
    return read_record(read_json(line))


def _tests(given: Any) -> Iterator[QuestionPlace]:
    """The test cases of a config or a list of promptfoo's, or a list of our own objects."""
    default: Mapping[str, Any] = {}
    prompts: Sequence[str] = ()
    if isinstance(given, Mapping):
        prompts = prompts_of(given.get("prompts"))
        default = given.get("defaultTest") or {}
        given = given.get("tests")
    if not isinstance(given, list) or not isinstance(default, Mapping):
        raise QuestionSetError(
            f"Its tests are {shown(given)}: give a list of tests, or the file that they name."
        )
    if default:
        _require_room(len(given) * len(json.dumps(default, default=str)))
    for number, test in enumerate(given, 1):
        yield QuestionPlace(f"test {number:,}", partial(_test, default, prompts, test))


def _test(default: Mapping[str, Any], prompts: Sequence[str], test: object) -> Iterable[Question]:
    """A test case, with what all of them have in common."""
    if default and isinstance(test, Mapping):
        variables = {**named(default.get("vars")), **named(test.get("vars"))}
        checks = [*items(default.get("assert"), "assert"), *items(test.get("assert"), "assert")]
        test = {**default, **test, "vars": variables, "assert": checks}
    return read_record(test, prompts)
