"""Files of questions: CSV and JSON lines with our columns or promptfoo's, promptfoo's YAML."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from pathlib import PurePath
from typing import Any, NamedTuple

from synth.errors import QuestionSetError, shown
from synth.extras import extra
from synth.quality.checks import read_check
from synth.quality.facts import read_facts
from synth.quality.question_records import question_of, read_record, written_record
from synth.quality.questions import MOST_QUESTIONS, Question, QuestionSet

MOST_BYTES = 20_000_000
_TOLD = 5  # problems of one file
_EXPECTED = re.compile(r"__expected(?P<number>\d*)")
_CONFIG = re.compile(r"__config:__expected(?P<number>\d*):threshold")
_LABELS = re.compile(r"__metric|__metadata(:.*)?")  # they name a row, and change nothing


class Place(NamedTuple):
    """Where in a file a question stands, and how it is read."""

    where: str
    read: Callable[[], Question]


def read_questions(name: str, data: bytes | str) -> QuestionSet:
    """The questions of a file, whose form its `name` says: .csv, .jsonl, .json, .yaml or .yml.

    QuestionSetError, which says where and what to do, for a file that is too large or not of
    that form, and for every question or check that can't be read.
    """
    forms = {".csv": _rows, ".jsonl": _lines, ".json": _tests, ".yaml": _tests, ".yml": _tests}
    places = forms.get(PurePath(name).suffix.lower())
    if places is None:
        raise QuestionSetError(f"{name} is none of {', '.join(forms)}: save it as one of these.")
    if len(data) > MOST_BYTES:
        raise QuestionSetError(
            f"{name} has {len(data):,} bytes, and {MOST_BYTES:,} is the limit: split it."
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


def _read(places: Iterable[Place]) -> Iterator[Question]:
    """The questions of these places; all problems are told at once, the first few by name."""
    problems: list[str] = []
    for number, place in enumerate(places, 1):
        if number > MOST_QUESTIONS:
            raise QuestionSetError(f"It has more than {MOST_QUESTIONS:,} questions: split it.")
        try:
            question = place.read()
        except QuestionSetError as problem:
            problems.append(f"{place.where}: {problem}")
        else:
            yield question
    if problems:
        more = len(problems) - _TOLD
        rest = [f"{more:,} more have a problem too."] if more > 0 else []
        raise QuestionSetError("\n".join([*problems[:_TOLD], *rest]))


def _rows(text: str) -> Iterator[Place]:
    """The rows of a table; its columns are named in its first line."""
    separator = max(",;\t", key=re.sub('"[^"]*"', "", text.split("\n", 1)[0]).count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = [column.strip() for column in next(reader, [])]
        if len(set(header)) < len(header):
            raise QuestionSetError(f"Two columns have one name: {', '.join(header)}. Rename one.")
        for row in filter(any, reader):
            where = f"row that ends in line {reader.line_num:,}"
            if len(row) != len(header):
                raise QuestionSetError(
                    f"The {where} has {len(row)} columns, the header {len(header)}: put a text"
                    " with separators or line ends in it between double quotes."
                )
            cells = dict(zip(header, row, strict=True))
            yield Place(where, lambda cells=cells: _row(cells))  # type: ignore[misc]
    except csv.Error as problem:
        raise QuestionSetError(
            f"It is no table that can be read (line {reader.line_num:,}): {problem}."
        ) from problem


def _row(cells: Mapping[str, str]) -> Question:
    """The question of a row: `query`, `facts`, `reference`, `checks`, and promptfoo's columns."""
    rest = {name: cell for name, cell in cells.items() if not _LABELS.fullmatch(name)}
    checks = [
        _in_column("checks", read_check, line)
        for line in rest.pop("checks", "").splitlines()
        if line.strip()
    ]
    thresholds = {
        found["number"]: rest.pop(name) for name in cells if (found := _CONFIG.fullmatch(name))
    }
    for name in cells:
        if (found := _EXPECTED.fullmatch(name)) and (cell := rest.pop(name).strip()):
            threshold = thresholds.get(found["number"], "") or thresholds.get("", "")
            checks.append(_in_column(name, read_check, _with_threshold(cell, threshold)))
    facts = _in_column("facts", _read_facts, rest.pop("facts", ""))
    description = rest.pop("__description", "")
    if odd := [name for name in rest if name.startswith("__") and rest[name].strip()]:
        raise QuestionSetError(f"Its column {odd[0]} is not read here: take it out.")
    variables = {name: cell for name, cell in rest.items() if name and not name.startswith("__")}
    return question_of(variables, checks, facts, description)


def _with_threshold(cell: str, threshold: str) -> str:
    """A check in the short form with the threshold of another column in it."""
    if not threshold.strip():
        return cell
    kind, colon, value = cell.partition(":")
    return f"{kind.partition('(')[0]}({threshold.strip()}){colon}{value}"


def _read_facts(text: str) -> tuple[Any, ...]:
    try:
        return read_facts(text)
    except ValueError as problem:
        raise QuestionSetError(str(problem)) from problem


def _in_column(name: str, read: Callable[[str], Any], cell: str) -> Any:
    try:
        return read(cell)
    except QuestionSetError as problem:
        raise QuestionSetError(f"column {name}: {problem}") from problem


def _lines(text: str) -> Iterator[Place]:
    """The lines of a file, each a JSON object."""
    for number, line in enumerate(text.splitlines() if "\n" not in text else text.split("\n"), 1):
        if line.strip():
            yield Place(f"line {number:,}", lambda line=line: read_record(_json(line)))  # type: ignore[misc]


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise QuestionSetError(f"It is no JSON that can be read: {problem}.") from problem


def _tests(text: str) -> Iterator[Place]:
    """The test cases of a config or a list of promptfoo's, or a list of our own objects."""
    with extra("quality"):
        import yaml  # noqa: PLC0415  most sets are tables
    try:
        given = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        reason = " ".join(str(problem).split())
        raise QuestionSetError(f"It can't be read: {reason}.") from problem
    default: Mapping[str, Any] = {}
    if isinstance(given, Mapping):
        default = given.get("defaultTest") or {}
        given = given.get("tests")
    if not isinstance(given, list) or not isinstance(default, Mapping):
        raise QuestionSetError(
            f"Its tests are {shown(given)}: give a list of tests, or the file that they name."
        )
    for number, test in enumerate(given, 1):
        yield Place(f"test {number:,}", lambda test=test: read_record(_merged(default, test)))  # type: ignore[misc]


def _merged(default: Mapping[str, Any], test: object) -> object:
    """A test case with what all of them have in common."""
    if not default or not isinstance(test, Mapping):
        return test
    variables = {**(default.get("vars") or {}), **(test.get("vars") or {})}
    checks = [*(default.get("assert") or []), *(test.get("assert") or [])]
    return {**default, **test, "vars": variables, "assert": checks}
