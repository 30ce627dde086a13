"""One question as a JSON object, ours or a test case of promptfoo, and ours back again."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from synth.errors import QuestionSetError, shown
from synth.quality.checks import Check, read_check
from synth.quality.facts import Fact, read_facts
from synth.quality.questions import Question, require_few
from synth.quality.record_fields import items, optional, require_known, string, strings, texts

QUERY_NAMES = ("query", "question", "query_str", "input", "prompt")
"""The names under which a question is looked for, the first one first."""

_OURS = {"query", "variables", "chunks", "facts", "reference", "checks", "description"}
_TEST = {"vars", "assert", "description", "metadata"}
_ASSERTION = {"type", "value", "threshold", "metric"}
_FILE = re.compile(r"(?:[a-z-]+(?:\([^()]*\))?:\s*)?file://")  # also in the short form of a check
_MOST_FILLED = 100_000  # characters of a check's text; a variable may be named many times
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def read_record(record: object) -> Question:
    """The question of a JSON object; QuestionSetError for what can't be read in it."""
    if not isinstance(record, Mapping):
        raise QuestionSetError(f"It is {shown(record)}: give an object with a query.")
    if record.keys() & {"vars", "assert"}:
        return _test_case(record)
    require_known(record, _OURS, "The question")
    return Question(
        query=string(record.get("query"), "The query"),
        variables=strings(record.get("variables")),
        chunks=texts(record.get("chunks")),
        facts=tuple(fact for each in _few(record, "facts") for fact in read_fact(each)),
        reference=optional(record.get("reference"), "The reference"),
        checks=tuple(map(_check, _few(record, "checks"))),
        description=optional(record.get("description"), "The description") or "",
    )


def _test_case(record: Mapping[str, Any]) -> Question:
    """A test case of promptfoo: `vars`, of which one is the question, and `assert`."""
    require_known(record, _TEST, "The test case")
    variables = strings(record.get("vars"))
    return question_of(
        variables,
        checks=[_check(filled(each, variables)) for each in _few(record, "assert")],
        description=optional(record.get("description"), "The description") or "",
    )


def question_of(
    variables: Mapping[str, str],
    *,
    facts: Sequence[Fact] = (),
    checks: Sequence[Check] = (),
    chunks: tuple[str, ...] | None = None,
    description: str = "",
) -> Question:
    """A question whose query, chunk and reference stand among its variables, as in a table.

    The query is named as in `QUERY_NAMES`, or is the only variable beside `context` (its one
    chunk) and `reference`. QuestionSetError where no variable can be it.
    """
    rest = dict(variables)
    context, reference = rest.pop("context", None), rest.pop("reference", None)
    name = next((name for name in QUERY_NAMES if name in rest), None)
    if name is None and len(rest) == 1:
        [name] = rest
    if name is None:
        raise QuestionSetError(
            f"None of the variables {', '.join(rest) or '(there are none)'} is the question:"
            " name it query."
        )
    if files := [key for key, value in variables.items() if _FILE.match(value)]:
        raise QuestionSetError(f"The variable {files[0]} names a file: put its text there.")
    query = rest.pop(name)
    if chunks is None and context is not None:
        chunks = (context,)
    return Question(
        query, rest, chunks, tuple(facts), reference or None, tuple(checks), description
    )


def written_record(question: Question) -> dict[str, Any]:
    """The question as a JSON object that `read_record` reads; what is empty is left out."""
    record: dict[str, Any] = {
        "query": question.query,
        "description": question.description,
        "variables": dict(question.variables),
        "facts": [_written_fact(fact) for fact in question.facts],
        "checks": [_written_check(check) for check in question.checks],
    }
    kept = {name: value for name, value in record.items() if value}
    if question.chunks is not None:
        kept["chunks"] = list(question.chunks)
    if question.reference is not None:
        kept["reference"] = question.reference
    return kept


def _written_fact(fact: Fact) -> dict[str, Any]:
    return {"text": fact.text, "wordings": list(fact.wordings), "must": fact.must}


def _written_check(check: Check) -> dict[str, Any]:
    written = {"type": check.type, "value": check.value, "threshold": check.threshold}
    return {name: value for name, value in written.items() if value is not None}


def read_fact(value: object) -> tuple[Fact, ...]:
    """The fact of a JSON object, or the facts of a text with one a line."""
    try:
        if isinstance(value, str):
            return read_facts(value)
        if not isinstance(value, Mapping):
            raise QuestionSetError(f"A fact is {shown(value)}: give a text or an object.")
        require_known(value, {"text", "wordings", "must"}, "A fact")
        wordings = tuple(
            string(each, "A wording") for each in items(value.get("wordings"), "wordings")
        )
        must = value.get("must", False)
        if not isinstance(must, bool):
            raise QuestionSetError(f"The must of a fact is {shown(must)}: give true or false.")
        return (Fact(string(value.get("text"), "The text of a fact"), wordings, must),)
    except ValueError as problem:
        raise QuestionSetError(str(problem)) from problem


def _few(record: Mapping[str, Any], name: str) -> Sequence[Any]:
    """What an object expects under this name, counted before any of it is read."""
    found = items(record.get(name), name)
    require_few("facts" if name == "facts" else "checks", found)
    return found


def _check(value: object) -> Check:
    if isinstance(value, str):
        return read_check(value)
    if not isinstance(value, Mapping):
        raise QuestionSetError(f"A check is {shown(value)}: give a text or an object.")
    require_known(value, _ASSERTION, "A check")
    kind, threshold = value.get("type"), value.get("threshold")
    if not isinstance(kind, str):
        raise QuestionSetError(f"The type of a check is {shown(kind)}: give its name.")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | None):
        raise QuestionSetError(f"The threshold of a check is {shown(threshold)}: give a number.")
    return Check(kind, value.get("value"), threshold)


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """An assertion with the variables in its texts, as promptfoo fills them."""
    if isinstance(value, str):
        if _FILE.match(value):
            raise QuestionSetError(f"A check names the file {value}: put its text there.")
        _require_short(value, variables)
        text = _PLACEHOLDER.sub(lambda found: _variable(found[1], variables), value)
        if "{{" in _PLACEHOLDER.sub("", value) or "{%" in value:
            raise QuestionSetError(
                f"The text {value!r} has an expression of promptfoo's templates: only"
                " {{name}} is read here, so write out its value."
            )
        return text
    if isinstance(value, Mapping):
        return {name: filled(each, variables) for name, each in value.items()}
    return [filled(each, variables) for each in value] if isinstance(value, list) else value


def _require_short(value: str, variables: Mapping[str, str]) -> None:
    """Refuse a text that its variables would make too long."""
    names = _PLACEHOLDER.findall(value)
    size = len(value) + sum(len(_variable(name, variables)) for name in names)
    if names and size > _MOST_FILLED:
        raise QuestionSetError(
            f"A check comes to {size:,} characters with its variables written out, and"
            f" {_MOST_FILLED:,} is the limit: name fewer of them in it."
        )


def _variable(name: str, variables: Mapping[str, str]) -> str:
    if name not in variables:
        raise QuestionSetError(f"A check names the variable {name}, which the question lacks.")
    return variables[name]
