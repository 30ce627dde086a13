"""A question as a JSON object, ours or a test case of promptfoo, and ours back again."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from math import prod
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from synth.errors import QuestionSetError
from synth.quality.check_kinds import KINDS, RUBRIC, is_elsewhere, write_plain
from synth.quality.checks import Check, split_check
from synth.quality.facts import Fact, read_facts
from synth.quality.plain_values import quote_json, read_json, reader
from synth.quality.questions import MOST_EXPECTED, MOST_QUESTIONS, Question, require_few

_FILE = "file://"
_MOST_FILLED = 100_000  # characters of a text; a variable may be named many times
_SET = "assert-set"
_CHANGES = ("transform", "contextTransform", "config")  # what an assertion does before it checks
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")

QUERY_NAMES = ("query", "question", "query_str", "input", "prompt")
"""The names under which a question is looked for, the first one first."""
_CONTEXT = "context"  # the variable that is the one chunk of its question
_REFERENCE = "reference"  # an answer that would be right, with which none is compared here
_NO_QUERY = (_CONTEXT, _REFERENCE)
_LIKE_A_QUERY = re.compile("(?:question|query)$", re.IGNORECASE)

_UNREAD = {"threshold", "provider", "providers", "prompts", "providerOutput"} | {
    "assertScoringFunction"
}
_FOR_GRADERS = {"provider", "rubricPrompt", "factuality"}  # options that no check here reads
_TRANSFORMS = ("transform", "postprocess")


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _read_fact_lines(value: object) -> object:
    facts: list[object] = []
    for each in _as_list(value):
        facts += read_facts(each) if isinstance(each, str) else [each]
    return facts


def _read_list(value: object) -> object:
    """Read a text, as a cell of a table is, as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except QuestionSetError as problem:
        raise ValueError(str(problem)) from problem


_Values = Annotated[
    list[Annotated[str, BeforeValidator(write_plain)]],
    BeforeValidator(_as_list),
    Field(min_length=1),
]
_Expected = Annotated[list[Any], Field(max_length=MOST_EXPECTED)]
_Facts = Annotated[
    tuple[Fact, ...], BeforeValidator(_read_fact_lines), Field(max_length=MOST_EXPECTED)
]


class QuestionRecord(BaseModel):
    """A question as files have it: ours, a row of a table, or a test case of promptfoo.

    Without `query` the question is one of the variables. Variables stand in the texts of
    `asserted`, and those of `checks` are as they are written.
    """

    model_config = ConfigDict(extra="forbid")
    query: str | None = None
    variables: dict[str, _Values] = Field({}, validation_alias=AliasChoices("variables", "vars"))
    chunks: Annotated[tuple[str, ...] | None, BeforeValidator(_read_list)] = None
    facts: _Facts = ()
    checks: _Expected = []
    asserted: _Expected = Field([], alias="assert")
    description: Any = None
    options: dict[str, Any] = {}
    reference: Any = None
    metadata: Any = None
    left_out: tuple[str, ...] = ()

    def join(self, default: "QuestionRecord") -> "QuestionRecord":
        """Join it with what all tests of a file have in common, where both have something."""
        own = {name: getattr(self, name) for name in self.model_fields_set}
        both = {
            "variables": default.variables | self.variables,
            "asserted": [*default.asserted, *self.asserted],
            "left_out": tuple(dict.fromkeys((*default.left_out, *self.left_out))),
        }
        return default.model_copy(update=own | both)


_read_fields = reader(QuestionRecord)


def read_record(given: object) -> QuestionRecord:
    """Read a JSON object; QuestionSetError for one that is not of the right form.

    What promptfoo computes and this package does not is named in `left_out`.
    """
    if not isinstance(given, Mapping):
        raise QuestionSetError(f"It is {quote_json(given)}: give an object with a query.")
    fields = {name: value for name, value in given.items() if value is not None}
    if "variables" in fields and "query" not in fields:  # of promptfoo's vars one may be it
        raise QuestionSetError("The query is missing: give a text beside the variables.")
    unread = sorted(_UNREAD & fields.keys())
    read = {name: value for name, value in fields.items() if name not in unread}
    record: QuestionRecord = _read_fields(read)
    record.left_out = (*(f"the {name} of a test" for name in unread), *record.left_out)
    return record


def prompts_of(given: object) -> Sequence[str]:
    """Return the prompts of promptfoo's config as questions; none where one of them can't be one.

    One that is in a file or a chat can't, nor one that holds the chunk or an expression.
    """
    prompts = [each.get("raw") if isinstance(each, Mapping) else each for each in _as_list(given)]
    texts = [each for each in prompts if isinstance(each, str) and _asks(each)]
    return texts if len(texts) == len(prompts) else ()


def _asks(prompt: str) -> bool:
    names = _names_in(prompt)
    is_plain = not prompt.lstrip().startswith("[") and not _unread_part(prompt, {})
    return is_plain and bool(names) and _CONTEXT not in names


def questions_of(record: QuestionRecord, prompts: Sequence[str] = ()) -> Iterator[Question]:
    """Make the question of a record, or one of each value where variables have several.

    `prompts` are those of promptfoo's config, each of which is asked where no variable is the
    question. QuestionSetError where no variable can be it, and for more than `MOST_QUESTIONS`.
    """
    given = dict(record.variables)
    lacks_query = record.query is None and _query_name(given) is None
    if lacks_query and prompts and all(name in given for name in _names_in("".join(prompts))):
        given["prompt"] = list(prompts)
    if (count := prod(map(len, given.values()))) > MOST_QUESTIONS:
        raise QuestionSetError(
            f"The lists among its variables make {count:,} tests of it, and {MOST_QUESTIONS:,} is"
            " the limit."
        )
    for values in product(*given.values()):
        yield _question(record, dict(zip(given, values, strict=True)))


def _question(record: QuestionRecord, given: Mapping[str, str]) -> Question:
    variables = dict(given) if record.query is not None else _fill_each_other(given)
    asserted = _expected_of(record.asserted, variables)
    if any(record.options.get(name) for name in _TRANSFORMS):
        # What is checked would be another text than the answer.
        asserted = [
            each if isinstance(each, str) else f"{each.type} of a transformed answer"
            for each in asserted
        ]
    expected = [*_expected_of(record.checks, None), *asserted]
    query, chunks, reference = record.query, record.chunks, record.reference
    files: list[str] = []
    if query is None:
        query = variables.pop(_require_query(variables))
        files = [name for name, value in variables.items() if value.startswith(_FILE)]
        variables = {name: value for name, value in variables.items() if name not in files}
        context, reference = variables.pop(_CONTEXT, None), variables.pop(_REFERENCE, reference)
        chunks = (context,) if chunks is None and context is not None else chunks
    left_out = [
        *(f"the variable {name}, a file" for name in files),
        *(["reference"] if reference else []),
        *record.left_out,
        *(f"the option {name}" for name in sorted(record.options.keys() - _FOR_GRADERS)),
        *(each for each in expected if isinstance(each, str)),
    ]
    return Question(
        query,
        variables,
        chunks,
        record.facts,
        tuple(each for each in expected if isinstance(each, Check)),
        tuple(left_out),
    )


def _fill_each_other(raw: Mapping[str, str]) -> dict[str, str]:
    """Fill variables with one another; one that names a file's is that of the file."""
    files = {name: value for name, value in raw.items() if value.startswith(_FILE)}
    return {
        name: next((files[each] for each in _names_in(value) if each in files), _fill(value, raw))
        for name, value in raw.items()
    }


def _require_query(variables: Mapping[str, str]) -> str:
    """Name the variable that is the question; QuestionSetError if none is, or it is a file."""
    name = _query_name(variables)
    if name is None:
        names = ", ".join(each for each in variables if each not in _NO_QUERY)
        raise QuestionSetError(
            f"None of the variables {names or '(there are none)'} is the question: name it query."
        )
    if variables[name].startswith(_FILE):
        raise QuestionSetError(
            f"The variable {name}, which is the question, names a file: put its text there."
        )
    return name


def _query_name(variables: Iterable[str]) -> str | None:
    """Find the variable that is the question.

    It is named as in `QUERY_NAMES`, or is the only one whose name ends like these, or the only
    one beside the chunk and a reference answer.
    """
    rest = [name for name in variables if name not in _NO_QUERY]
    known = [name for name in QUERY_NAMES if name in rest]
    alike = known[:1] or [name for name in rest if _LIKE_A_QUERY.search(name)] or rest
    return alike[0] if len(alike) == 1 else None


def write_record(question: Question) -> dict[str, Any]:
    """Write the question as a JSON object that `read_record` reads."""
    return asdict(question, dict_factory=_leave_out_none)


def _leave_out_none(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if value is not None}


class Assertion(BaseModel):
    """A check as files have it; what is typed Any, but for the value, is not read."""

    model_config = ConfigDict(extra="forbid")
    type: str
    value: Any = None
    threshold: float | None = None
    metric: Any = None  # its name, in promptfoo's reports too
    weight: Any = None
    provider: Any = None
    rubricPrompt: Any = None  # noqa: N815  promptfoo's name
    transform: Any = None
    contextTransform: Any = None  # noqa: N815  promptfoo's name
    config: Any = None


_assertion, _list = reader(Assertion), reader(list[Any])


def _expected_of(values: Sequence[Any], variables: Mapping[str, str] | None) -> list[Check | str]:
    """Read checks with the `variables` in their texts, and names of those not computed here.

    Without variables their texts are as they are written, as in files of our own.
    """
    expected: list[Check | str] = []
    for each in _read(values, variables):
        expected.append(each)
        require_few("checks", expected)
    return expected


def _read(values: Sequence[Any], variables: Mapping[str, str] | None) -> Iterator[Check | str]:
    """Read each check, or the name of what is left out; a set with a threshold wants fewer."""
    for number, value in enumerate(values, 1):
        fields = value if isinstance(value, Mapping) else {}
        try:
            if fields.get("type") == _SET and fields.get("threshold") is None:
                yield from _read(_list(fields.get("assert")), variables)
            else:
                yield _read_one(value, variables)
        except QuestionSetError as problem:
            name = fields.get("metric", number)
            raise QuestionSetError(f"check {name}: {problem}") from problem


def _read_one(value: Any, variables: Mapping[str, str] | None) -> Check | str:
    if isinstance(value, str):
        value = dict(zip(("type", "value", "threshold"), split_check(value), strict=True))
    if isinstance(value, Mapping):
        kind = str(value.get("type"))
        if "$ref" in value:
            return "$ref"
        if kind == _SET:
            return f"{_SET} with a threshold"
        if is_elsewhere(kind):
            return kind.removeprefix("not-")
    given: Assertion = _assertion(value)
    known = KINDS.get(given.type.removeprefix("not-"))
    changes = (*_CHANGES, "threshold") if known is RUBRIC else _CHANGES  # no score is asked for
    change = next((name for name in changes if getattr(given, name)), "")
    if not change and variables is not None:
        change = _unread_part(given.value, variables)
    if change:
        return f"{given.type} with {change}"
    if given.weight == 0:
        return f"{given.type} of weight 0"
    wanted = given.value if variables is None else _fill_value(given.value, variables)
    # promptfoo passes over the threshold of any other kind
    threshold = given.threshold if known is not None and known.by_threshold else None
    return Check(given.type, wanted, threshold)


def _unread_part(value: Any, variables: Mapping[str, str]) -> str:
    """Name what of its texts is not read here: a file, also of a variable, or an expression."""
    text = _json_of(value)
    if f'"{_FILE}' in text or any(
        variables.get(name, "").startswith(_FILE) for name in _names_in(text)
    ):
        return "a file"
    return "an expression" if "{{" in _PLACEHOLDER.sub("", text) or "{%" in text else ""


def _fill_value(value: Any, variables: Mapping[str, str]) -> Any:
    """Fill the variables in the texts of an assertion, as promptfoo does."""
    text = _json_of(value)
    names = dict.fromkeys(_names_in(text))  # each written once, however often it is named
    if missing := [name for name in names if name not in variables]:
        raise QuestionSetError(
            f"A check names the variable {missing[0]}, which the question lacks."
        )
    if not names:
        return value
    return json.loads(_fill(text, {name: _json_of(variables[name])[1:-1] for name in names}))


def _json_of(value: Any) -> str:
    """Write a value as JSON, in whose texts variables stand as in the value."""
    return json.dumps(value, ensure_ascii=False, default=str, skipkeys=True)


def _names_in(text: str) -> list[str]:
    return _PLACEHOLDER.findall(text)


def _fill(text: str, variables: Mapping[str, str]) -> str:
    """Write out the variables of a text; a name that is none of them stays as it is."""
    names = _names_in(text)
    size = len(text) + sum(len(variables.get(name, "")) for name in names)
    if names and size > _MOST_FILLED:
        raise QuestionSetError(
            f"A text comes to {size:,} characters with its variables written out, and"
            f" {_MOST_FILLED:,} is the limit: name fewer of them in it."
        )
    return _PLACEHOLDER.sub(lambda found: variables.get(found[1], found[0]), text)
