"""What a reply means: the answer in it, or why it is none.

This is how the documented behaviour reads. A mode may give its calls another reader, which gets the
reply as it came.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, StrictBool, ValidationError
from pydantic_core import from_json

from synth.errors import BadResponse
from synth.runs.ends import is_cut
from synth.runs.reasoning import split_reasoning
from synth.runs.steps import Call, Completion, Meaning

_FENCED = re.compile(r"```[a-zA-Z]*\s(.*)```", re.DOTALL)
_OPENED = re.compile(r"```[a-zA-Z]*\s")  # a fence, closed or not
_THOUGHT = "</think>"  # of reasoning that is not at the beginning of a reply


class _Cut(BaseModel):
    query_satisfied: StrictBool
    answer: str = ""


class _Refusal(BaseModel):
    query_satisfied: bool


def read_meaning(call: Call, completion: Completion) -> Meaning:
    """Read a reply; BadResponse for a wrong one, unless it was cut off after its verdict."""
    _, text = split_reasoning(completion.text, completion.finish_reason)
    if not text.strip() and (completion.reasoning or text != completion.text):
        where = ", cut off at the end of its room" if is_cut(completion.finish_reason) else ""
        raise BadResponse(
            f"no answer yet, the reply is reasoning alone{where}: raise the room for reasoning"
            " (reasoning_output), or lower its effort."
        )
    if call.schema is None:
        return Meaning(text)
    try:
        value = _read(call.schema, text)
    except ValidationError as problem:
        found = _as_far_as_it_came(call, completion, text) or _refusal(call, text)
        if found is None:
            raise BadResponse(explain(problem, completion, text)) from problem
        return found
    return meaning_of(call, value)


def meaning_of(call: Call, value: Any) -> Meaning:
    """Return what an object says that is of the form asked for."""
    if not call.filtered:
        return Meaning(value.model_dump_json())
    answer = value.answer if isinstance(value.answer, str) else value.answer.model_dump_json()
    return Meaning(answer, value.query_satisfied)


def find_object(text: str) -> str | None:
    """Return the text from the first brace to the last, as llama-index-core looks for an object."""
    begin, end = text.find("{"), text.rfind("}")
    return text[begin : end + 1] if 0 <= begin < end else None


def _read(schema: type[BaseModel], text: str) -> BaseModel:
    problem: ValidationError | None = None
    for candidate in _candidates(text):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _candidates(text: str) -> Iterator[str]:
    after = text.rpartition(_THOUGHT)[2]
    for part in (text, after, *_FENCED.findall(after)):
        if (found := find_object(part)) is not None:
            yield found
        yield part


def _as_far_as_it_came(call: Call, completion: Completion, text: str) -> Meaning | None:
    if not call.takes_cut or not is_cut(completion.finish_reason):
        return None
    after = text.rpartition(_THOUGHT)[2]
    for start in (after, *_OPENED.split(after, maxsplit=1)[1:]):
        with suppress(ValueError):
            cut = _Cut.model_validate(from_json(start, allow_partial="trailing-strings"))
            if cut.answer.strip() or not cut.query_satisfied:
                note = "The reply was cut off at num_output: its answer is taken as far as it came."
                return Meaning(cut.answer, cut.query_satisfied, (note,))
    return None


def _refusal(call: Call, text: str) -> Meaning | None:
    if not call.filtered:
        return None
    with suppress(ValidationError):
        if not _Refusal.model_validate(_read(_Refusal, text)).query_satisfied:
            return Meaning("", satisfied=False)
    return None


def explain(problem: ValidationError, completion: Completion, text: str) -> str:
    """Say why a reply is not of the form asked for, and what to do."""
    begins = f"It begins {text[:80]!r}."
    if is_cut(completion.finish_reason):
        return (
            f"the reply was cut off after {len(text):,} characters, at the end of the"
            f" room for an answer, so its JSON is incomplete. {begins} Raise the answer length"
            " (num_output). If a reply fills that too, or is no JSON at all, take a model that can"
            " answer in JSON, or switch the form off."
        )
    first = problem.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return (
        f"the reply is not of the form asked for (problems: {problem.error_count()};"
        f" {where}: {first['msg']}). {begins} Try a model that can answer in JSON, or switch the"
        " form off."
    )
