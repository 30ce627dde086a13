"""One question as a JSON object, ours or a test case of promptfoo, and ours back again."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from synth.errors import QuestionSetError
from synth.quality.checks import Check
from synth.quality.expected_checks import (
    FILE,
    Expected,
    expected_of,
    few,
    fill,
    names_in,
    unread_text,
)
from synth.quality.facts import Fact, read_facts
from synth.quality.plain_values import shown
from synth.quality.questions import MOST_QUESTIONS, Question
from synth.quality.record_fields import (
    items,
    matrix,
    named,
    optional,
    require_known,
    string,
    strings,
    texts,
)

QUERY_NAMES = ("query", "question", "query_str", "input", "prompt")
"""The names under which a question is looked for, the first one first."""
_CONTEXT = "context"  # the variable that is the one chunk of its question
_REFERENCE = "reference"  # an answer that would be right, with which none is compared here
_NO_QUERY = (_CONTEXT, _REFERENCE)
_LIKE_A_QUERY = re.compile("(?:question|query)$", re.IGNORECASE)

_OURS = {field.name for field in fields(Question)}
_READ = {"vars", "assert", "description", "metadata", "options"}
_UNREAD = {
    *("threshold", "provider", "providers", "prompts", "providerOutput"),
    "assertScoringFunction",
}
_FOR_GRADERS = {"provider", "rubricPrompt", "factuality"}  # options that no check here reads
_TRANSFORMS = ("transform", "postprocess")


def read_record(record: object, prompts: Sequence[str] = ()) -> Iterable[Question]:
    """The question of a JSON object, or several of promptfoo's test case with lists of variables.

    `prompts` are those of promptfoo's config, each of which is asked where no variable is the
    question. What promptfoo computes and this package does not is left out, and named in the
    question.
    QuestionSetError for what can't be read.
    """
    if not isinstance(record, Mapping):
        raise QuestionSetError(f"It is {shown(record)}: give an object with a query.")
    if record.keys() & {"vars", "assert"}:
        return _test_case(record, prompts)
    require_known(record, _OURS | {_REFERENCE}, "The question")
    expected = expected_of(few(record, "checks"), None)
    left_out = (string(each, "What is left out") for each in few(record, "left_out"))
    question = Question(
        query=string(record.get("query"), "The query"),
        variables=strings(record.get("variables")),
        chunks=texts(record.get("chunks")),
        facts=tuple(fact for each in few(record, "facts") for fact in read_fact(each)),
        checks=tuple(expected.checks),
        description=optional(record.get("description"), "The description") or "",
        left_out=(*_reference_in(record), *left_out, *expected.left_out),
    )
    return [question]


def prompts_of(given: object) -> Sequence[str]:
    """The prompts of promptfoo's config as questions; none where one of them can't be one.

    One that is in a file or a chat can't, nor one that holds the chunk or an expression.
    """
    found = given if isinstance(given, list) else [given]
    prompts = [each.get("raw") if isinstance(each, Mapping) else each for each in found]
    texts = [each for each in prompts if isinstance(each, str) and _asks(each)]
    return texts if len(texts) == len(prompts) else ()


def _asks(prompt: str) -> bool:
    names = names_in(prompt)
    plain = names and _CONTEXT not in names and not unread_text(prompt, {})
    return bool(plain) and not prompt.lstrip().startswith("[")


def _test_case(record: Mapping[str, Any], prompts: Sequence[str]) -> Iterator[Question]:
    """A test case of promptfoo: `vars`, of which one is the question, and `assert`."""
    require_known(record, _READ | _UNREAD, "The test case")
    options = named(record.get("options"), "The options are")
    left_out = [f"the {name} of a test" for name in sorted(_UNREAD & record.keys())]
    left_out += [f"the option {name}" for name in sorted(options.keys() - _FOR_GRADERS)]
    asserted = few(record, "assert")
    changed = any(options.get(name) for name in _TRANSFORMS)
    given = named(record.get("vars"))
    if _query_name(given) is None and all(map(given.__contains__, names_in("".join(prompts)))):
        given = {**given, "prompt": list(prompts)} if prompts else given
    for raw in matrix(given, MOST_QUESTIONS):
        variables = _written_out(raw)
        expected = expected_of(asserted, variables)
        if changed:  # what is checked would be another text than the answer
            names = [f"{check.type} of a transformed answer" for check in expected.checks]
            expected = Expected([], [*expected.left_out, *names])
        yield question_of(
            variables,
            checks=expected.checks,
            description=optional(record.get("description"), "The description") or "",
            left_out=[*left_out, *expected.left_out],
        )


def _written_out(raw: Mapping[str, str]) -> dict[str, str]:
    """Variables with one another in their texts; one that names a file's is that of the file."""
    files = {name: value for name, value in raw.items() if FILE.match(value)}
    return {
        name: next((files[each] for each in names_in(value) if each in files), fill(value, raw))
        for name, value in raw.items()
    }


def question_of(
    variables: Mapping[str, str],
    *,
    facts: Sequence[Fact] = (),
    checks: Sequence[Check] = (),
    chunks: tuple[str, ...] | None = None,
    description: str = "",
    left_out: Sequence[str] = (),
) -> Question:
    """A question whose query and chunk stand among its variables, as in a table.

    A variable that names a file and a reference answer are left out, beside `left_out`.
    QuestionSetError where no variable can be the question.
    """
    name = _query_name(variables)
    if name is None:
        names = ", ".join(each for each in variables if each not in _NO_QUERY)
        raise QuestionSetError(
            f"None of the variables {names or '(there are none)'} is the question: name it query."
        )
    files = [key for key, value in variables.items() if FILE.match(value)]
    if name in files:
        raise QuestionSetError(
            f"The variable {name}, which is the question, names a file: put its text there."
        )
    rest = {key: value for key, value in variables.items() if key not in files}
    context, query = rest.pop(_CONTEXT, None), rest.pop(name)
    rest.pop(_REFERENCE, None)
    if chunks is None and context is not None:
        chunks = (context,)
    return Question(
        query,
        rest,
        chunks,
        tuple(facts),
        tuple(checks),
        description,
        (
            *(f"the variable {file}, a file" for file in files),
            *_reference_in(variables),
            *left_out,
        ),
    )


def _reference_in(fields: Mapping[str, object]) -> list[str]:
    """Name the reference answer that is left out, if there is one."""
    return ["reference"] if fields.get(_REFERENCE) else []


def _query_name(variables: Iterable[str]) -> str | None:
    """The variable that is the question.

    It is named as in `QUERY_NAMES`, or is the only one whose name ends like these, or the only
    one beside the chunk and a reference answer.
    """
    rest = [name for name in variables if name not in _NO_QUERY]
    known = [name for name in QUERY_NAMES if name in rest]
    alike = known[:1] or [name for name in rest if _LIKE_A_QUERY.search(name)] or rest
    return alike[0] if len(alike) == 1 else None


def written_record(question: Question) -> dict[str, Any]:
    """The question as a JSON object that `read_record` reads; what is empty is left out."""
    record: dict[str, Any] = {
        "query": question.query,
        "description": question.description,
        "variables": dict(question.variables),
        "facts": [asdict(fact) for fact in question.facts],
        "checks": [
            {name: value for name, value in asdict(check).items() if value is not None}
            for check in question.checks
        ],
        "left_out": list(question.left_out),
    }
    kept = {name: value for name, value in record.items() if value}
    if question.chunks is not None:
        kept["chunks"] = list(question.chunks)
    return kept


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
