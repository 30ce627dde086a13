"""Questions with what is expected of their answers, and the files that hold them.

Their fields are ours, or as ragas, DeepEval, LlamaIndex and promptfoo name them. Case, spaces and
signs of a name count for nothing: "Expected Answer" and expected_answer are one.

One policy for tables, JSON and YAML: an answer is compared with the ground truth, which is a fact
where it is short and a rubric where it is long; texts of other columns are variables, of which a
request takes those that its templates name; and what is not read here is left out, and named.
"""

import csv
import json
import re
from ast import literal_eval
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from io import StringIO
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from synth.documents.decoding import decode, table_rows
from synth.documents.json_documents import plain
from synth.errors import QuestionSetError, SynthError, short
from synth.modes.inputs import RESERVED
from synth.quality.checks import KINDS, Check, read_check, split_check
from synth.quality.facts import BETWEEN_WORDINGS, MOST_FACTS, MOST_WORDINGS, Fact, Words, read_facts
from synth.quality.plain_values import make_reader, quote_json, read_json, read_yaml

MOST_QUESTIONS = 1_000
MOST_EXPECTED = MOST_FACTS  # facts of one question, and checks of one


@dataclass(frozen=True)
class Question:
    """A question, and what is expected of its answer.

    `left_out` names what its file expects and is not computed here, such as "cost".
    `variables` fill the templates. It is asked of the chunks that all questions share.
    QuestionSetError for a blank query, too many facts or checks, and a variable with a name that
    this package uses itself.
    """

    query: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    facts: tuple[Fact, ...] = ()
    checks: tuple[Check, ...] = ()
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise QuestionSetError("The question is blank: write one.")
        for noun, expected in (("facts", self.facts), ("checks", self.checks)):
            if len(expected) > MOST_EXPECTED:
                raise QuestionSetError(
                    f"The question has {len(expected):,} {noun}, and {MOST_EXPECTED} is the limit:"
                    " split it into several questions."
                )
        if taken := sorted(self.variables.keys() & RESERVED):
            raise QuestionSetError(
                f"The variable {taken[0]} has a name that this package uses itself: rename it."
            )


QUERIES = ("query", "question", "querystr", "input", "userinput", "prompt")
CONTEXTS = (
    *("chunks", "retrievedcontexts", "retrievalcontext", "contexts", "referencecontexts"),
    "context",
)
TRUTHS = (
    *("groundtruth", "groundtruths", "reference", "referenceanswer", "expectedanswer"),
    *("expectedoutput", "expectedresponse", "expected", "ideal", "correctanswer", "answers"),
    "answer",
)
"""The first is taken: an `answer` beside another of these is what a model said."""

FILE = "file://"
# Of an answer that is found by its words, as in Natural Questions.
_LONGEST_ANSWER, _MOST_WORDS = 200, 5


def find_column(columns: Iterable[str], names: Collection[str]) -> str | None:
    """Find the column with the first of these plain names."""
    by_name = {plain(column): column for column in columns}
    return next((by_name[name] for name in names if name in by_name), None)


def take_query(columns: dict[str, Any]) -> str:
    """Take the question out of the columns; QuestionSetError where none is one.

    It is named as in `QUERIES`, or is the only one whose name ends like these, or the only one
    beside those that hold chunks and answers. It may be the last of several messages.
    """
    rest = [name for name in columns if plain(name) not in (*CONTEXTS, *TRUTHS)]
    alike = [name for name in rest if plain(name).endswith(("question", "query"))] or rest
    name = find_column(columns, QUERIES) or (alike[0] if len(alike) == 1 else None)
    if name is None:
        names = ", ".join(columns) or "(there are none)"
        raise QuestionSetError(f"None of the columns {names} is the question: name it query.")
    match value := columns.pop(name):
        case [*_, {"role": "user", "content": str(query)}]:
            return query
        case str() if value.startswith(FILE):
            raise QuestionSetError(f"{name} names a file: put its text there.")
        case str() | int() | float():
            return str(value)
    raise QuestionSetError(f"{name}: give a string, and not {quote_json(value)}.")


def read_texts(value: object) -> tuple[str, ...]:
    """Read one text or several: a list, also as a cell has it, or objects with a text each."""
    match value:
        case str() if value.lstrip().startswith("["):
            return read_texts(_read_cell(value)) or (value,)
        case str():
            return (value,) if value.strip() else ()
        case list():
            several = ((each,) if isinstance(each, str) else read_texts(each) for each in value)
            return tuple(text for texts in several for text in texts)
        case Mapping():
            return read_texts(value.get("text"))
        case int() | float():
            return (str(value),)
        case _:
            return ()


def _read_cell(cell: str) -> object:
    """Read a list as JSON or Python writes it; None for a text that only begins like one."""
    for read in (json.loads, literal_eval):
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def compare_with(truths: tuple[str, ...]) -> Fact | Check | None:
    """Make what an answer is compared with of its ground truth, in one or several wordings.

    Short ones are a fact, found by their words; of longer ones a model judges whether an answer
    says the same. None where there is no word in them.
    """
    truths = tuple(dict.fromkeys(text for text in truths if any(map(str.isalnum, text))))
    if not truths:
        return None
    if len(truths) <= MOST_WORDINGS and all(map(_is_short, truths)):
        first, *others = (" ".join(text.split()) for text in truths)
        return Fact(first, tuple(others))
    if len(truths) == 1:
        return Check("rubric", f"It says what this reference answer says: {truths[0]}")
    answers = "\n".join(f"- {text}" for text in truths)
    return Check("rubric", f"It says what one of these reference answers says:\n{answers}")


def _is_short(text: str) -> bool:
    count = len(Words(text).words)
    is_sentence = count > 1 and text.rstrip().endswith((".", "!", "。"))
    is_line = len(text) <= _LONGEST_ANSWER and BETWEEN_WORDINGS not in text
    return is_line and not is_sentence and count <= _MOST_WORDS


MOST_BYTES = 5_000_000
"""Of a file, and of its questions once what they have in common is written into each."""

_LONGEST = 400  # characters of a problem that is told
_MOST_FILLED = 100_000  # characters of a text; a variable may be named many times
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")

_EXPECTED = re.compile(r"__expected\d*")
_LABELS = ("description", "metadata", "__description", "__metric", "__metadata")
_TESTS = "a list of tests, or objects with a query each"


def _read_fact_lines(value: object) -> object:
    every = value if isinstance(value, list) else [value]
    facts = [read_facts(each) if isinstance(each, str) else [each] for each in every]
    return [fact for several in facts for fact in several]


def _read_lines(value: object) -> object:
    return value if isinstance(value, list) else str(value).splitlines()


_Facts = Annotated[
    tuple[Fact, ...], BeforeValidator(_read_fact_lines), Field(max_length=MOST_EXPECTED)
]


class QuestionRecord(BaseModel):
    """What is read of a question beside its columns; `vars` and `asserted` are promptfoo's."""

    model_config = ConfigDict(coerce_numbers_to_str=True)
    variables: dict[str, str] | None = None
    vars: dict[str, Any] | None = None
    facts: _Facts = ()
    checks: Annotated[list[Any], BeforeValidator(_read_lines), Field(max_length=MOST_EXPECTED)] = []
    asserted: list[Any] = Field([], max_length=MOST_EXPECTED, alias="assert")
    left_out: tuple[str, ...] = ()


_OURS = {
    plain(field.alias or name): field.alias or name
    for name, field in QuestionRecord.model_fields.items()
}
_record, _check = make_reader(QuestionRecord), make_reader(Check)
_TEXT = str | int | float


def read_questions(name: str, data: bytes | str) -> tuple[Question, ...]:
    """Read a file of questions, whose form its `name` says: .csv, .jsonl, .json, .yaml or .yml.

    QuestionSetError, which says where and what to do, for a file that is too large, empty or not
    of that form, and for a question or check of ours that can't be read.
    """
    forms: dict[str, Callable[[str], Iterator[tuple[str, object]]]] = {
        ".csv": _rows,
        ".jsonl": _lines,
        ".json": lambda text: _tests(read_json(text)),
        ".yaml": lambda text: _tests(read_yaml(text)),
        ".yml": lambda text: _tests(read_yaml(text)),
    }
    records = forms.get(PurePath(name).suffix.lower())
    if records is None:
        raise QuestionSetError(f"{name} is none of {', '.join(forms)}: save it as one of these.")
    if len(data) > MOST_BYTES:
        raise QuestionSetError(
            f"{name} has a size of {len(data):,}, and {MOST_BYTES:,} is the limit: split it."
        )
    try:
        text = data if isinstance(data, str) else decode("the file", data)
        return tuple(_read(records(text)))
    except RecursionError as problem:
        raise QuestionSetError(f"{name} is nested too deeply: make it flatter.") from problem
    except SynthError as problem:
        raise QuestionSetError(f"{name}: {problem}") from problem


def write_questions(questions: Iterable[Question]) -> str:
    """Write questions as JSON lines, which `read_questions` reads as the same questions."""
    return "".join(map(_write, questions))


def _write(question: Question) -> str:
    return f"{json.dumps(asdict(question))}\n"


def _read(records: Iterable[tuple[str, object]]) -> Iterator[Question]:
    size = count = 0
    for count, (where, record) in enumerate(records, 1):
        try:
            question = _question(record)
        except QuestionSetError as problem:
            raise QuestionSetError(f"{where}: {short(str(problem), _LONGEST)}") from problem
        size += len(_write(question))
        if size > MOST_BYTES:
            raise QuestionSetError(
                "What its questions have in common, and their variables, written into each"
                f" come to over {MOST_BYTES:,} characters, which is the limit: split it."
            )
        if count > MOST_QUESTIONS:
            raise QuestionSetError(f"It has more than {MOST_QUESTIONS:,} questions: split it.")
        yield question
    if not count:
        raise QuestionSetError(f"It has no question: give 1 to {MOST_QUESTIONS:,}.")


def _rows(text: str) -> Iterator[tuple[str, object]]:
    """Read the rows below the line of columns; commas, semicolons or tabs separate them."""
    reader = table_rows(text)
    try:
        header = [column.strip() for column in next(reader, [])]
        if len(header) == 1 and header[0].endswith(("?", "？")):  # a list of questions alone
            yield "line 1", {"query": header[0]}
            header = ["query"]
        if twice := [name for name in header if header.count(name) > 1]:
            raise QuestionSetError(f"Two columns are named {quote_json(twice[0])}: rename one.")
        for row in filter(any, reader):
            where = f"row that ends in line {reader.line_num:,}"
            if len(row) != len(header):
                raise QuestionSetError(
                    f"The {where} has {len(row)} columns, the header {len(header)}: put a text"
                    " with separators or line ends in it between double quotes."
                )
            yield where, _row({name: cell for name, cell in zip(header, row, strict=True) if name})
    except csv.Error as problem:
        raise QuestionSetError(
            f"It is no table that can be read (line {reader.line_num:,}): {problem}."
        ) from problem


def _row(cells: Mapping[str, str]) -> dict[str, object]:
    """Make a record of a row, whose columns of promptfoo begin with two low lines."""
    special = {name: cell for name, cell in cells.items() if name.startswith("__") and cell.strip()}
    return {
        **{name: cell for name, cell in cells.items() if not name.startswith("__")},
        "assert": [cell for name, cell in special.items() if _EXPECTED.fullmatch(name)],
        "left_out": [name for name in special if not _EXPECTED.fullmatch(name)],
    }


def _lines(text: str) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(StringIO(text), 1):
        if line.strip():
            yield f"line {number:,}", line


def _tests(given: Any) -> Iterator[tuple[str, object]]:
    """Read the test cases of a config or a list of promptfoo's, or all lists of questions."""
    default: Any = {}
    if isinstance(given, Mapping) and "tests" in given:
        default, given = given.get("defaultTest") or {}, given["tests"]
    elif isinstance(given, Mapping):
        given = list(_find_questions(given)) or given
    if not isinstance(given, list) or not isinstance(default, Mapping):
        raise QuestionSetError(f"Its tests are {quote_json(given)}: give {_TESTS}.")
    for number, test in enumerate(given, 1):
        record = {"query": test} if isinstance(test, str) else test
        yield f"test {number:,}", _join(default, record) if isinstance(record, Mapping) else record


def _find_questions(given: object) -> Iterator[Mapping[str, Any]]:
    """Find the objects with a query, under any path."""
    if isinstance(given, Mapping) and find_column(map(str, given), QUERIES):
        yield given
    elif isinstance(given, Mapping | list):
        for value in given.values() if isinstance(given, Mapping) else given:
            yield from _find_questions(value)


def _join(default: Mapping[str, Any], test: Mapping[str, Any]) -> dict[str, Any]:
    """Join a test with what all tests of its file have in common."""
    joined = {**default, **test}
    for name in ("vars", "assert"):
        match default.get(name), test.get(name):
            case dict(shared), dict(own):
                joined[name] = shared | own
            case list(shared), list(own):
                joined[name] = shared + own
    return joined


def _question(given: object) -> Question:
    """Make the question of a record: which it is, its ground truth, its variables."""
    given = read_json(given) if isinstance(given, str) else given
    if not isinstance(given, Mapping):
        raise QuestionSetError(f"It is {quote_json(given)}: give an object with a query.")
    columns = {str(name): value for name, value in given.items() if value is not None}
    ours = {_OURS[plain(name)]: columns.pop(name) for name in list(columns) if plain(name) in _OURS}
    record: QuestionRecord = _record(ours)
    left_out = [name for name in record.left_out if name not in _LABELS]
    if record.vars is not None:  # a test of promptfoo's, whose other fields only that computes
        query = find_column(columns, QUERIES)
        own = {query: columns.pop(query)} if query else {}
        left_out += [f"the {name} of a test" for name in columns if name not in _LABELS]
        columns = own | record.vars
    texts = {name: str(value) for name, value in columns.items() if isinstance(value, _TEXT)}
    checks = [read_check(each) if isinstance(each, str) else _check(each) for each in record.checks]
    facts = record.facts
    for each in record.asserted:
        check = _read_assertion(each, texts)
        if isinstance(check, Check):
            checks.append(check)
        else:
            left_out.append(check)
    query = take_query(columns)
    truth = find_column(columns, TRUTHS)
    if truth and (expected := compare_with(read_texts(columns[truth]))):
        columns.pop(truth)
        facts += (expected,) if isinstance(expected, Fact) else ()
        checks += [expected] if isinstance(expected, Check) else []
    variables = dict(record.variables or {})
    for name in columns:
        if name not in texts or name in RESERVED or plain(name) in CONTEXTS:
            left_out.append(name)
        elif texts[name].startswith(FILE):
            left_out.append(f"the variable {name}, a file")
        else:
            variables.setdefault(name, texts[name])
    if record.variables is None:
        query = _fill(query, texts)
    return Question(query, variables, facts, tuple(checks), tuple(left_out))


def _read_assertion(given: object, variables: Mapping[str, str]) -> Check | str:
    """Read a check of promptfoo's, or name what of it is not computed here."""
    if isinstance(given, str):
        given = dict(zip(("type", "value"), split_check(given), strict=True))
    if not isinstance(given, Mapping) or not isinstance(given.get("type"), str):
        return quote_json(given)
    kind: str = given["type"]
    value = given.get("value")
    if kind.removeprefix("not-") not in KINDS:
        return kind
    filled = _fill(value, variables) if isinstance(value, str) else value
    if unread := _name_unread(given, filled):
        return f"{kind} with {unread}"
    try:
        return Check(kind, filled)
    except QuestionSetError as problem:
        return f"{kind} ({problem})"


def _name_unread(given: Mapping[str, Any], filled: object) -> str:
    """Name what of an assertion is not read here, in its fields or its texts; "" if all is."""
    read = ("type", "value", "metric")
    if further := [name for name in given if name not in read]:
        return str(further[0])
    written = json.dumps(filled, ensure_ascii=False, default=str)
    if "{{" in written or "{%" in written:
        return "an expression"
    return "a file" if FILE in written else ""


def _fill(text: str, variables: Mapping[str, str]) -> str:
    """Write out the variables of a text; a name that is none of them stays as it is."""
    names = _PLACEHOLDER.findall(text)
    size = len(text) + sum(len(variables.get(name, "")) for name in names)
    if names and size > _MOST_FILLED:
        raise QuestionSetError(
            f"A text comes to {size:,} characters with its variables written out, and"
            f" {_MOST_FILLED:,} is the limit: name fewer of them in it."
        )
    return _PLACEHOLDER.sub(lambda match: variables.get(match[1], match[0]), text)
