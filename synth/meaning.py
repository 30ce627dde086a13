"""The meaning of a reply: its text, or the object that its JSON describes."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from synth.errors import BadResponse
from synth.steps import Call, Completion

_FENCED = re.compile(r"```[a-zA-Z]*\s(.*)```", re.DOTALL)
_OPENED = re.compile(r"```[a-zA-Z]*\s")  # a fence, closed or not
_THINKS, _THOUGHT = "<think>", "</think>"  # around what reasoning models write before the answer


def meaning(call: Call, completion: Completion) -> tuple[str, bool]:
    """The answer in a reply, and whether the reply says that the question is answered."""
    if call.schema is None:
        return completion.text, True
    value = _read(call.schema, completion)
    if not call.filtered:
        return value.model_dump_json(), True
    answer = value.answer if isinstance(value.answer, str) else value.answer.model_dump_json()
    return answer, value.query_satisfied


def _read(schema: type[BaseModel], completion: Completion) -> Any:
    """The object in a reply: the whole text, what follows the reasoning, or a fenced block."""
    after = completion.text.rpartition(_THOUGHT)[2]
    problem: ValidationError | None = None
    for text in (completion.text, after, *_FENCED.findall(after)):
        try:
            return schema.model_validate_json(text)
        except ValidationError as error:
            problem = problem or error
    assert problem is not None
    raise BadResponse(_explanation(problem, completion)) from problem


def _explanation(problem: ValidationError, completion: Completion) -> str:
    begins = f"It begins {completion.text[:80]!r}."
    if completion.finish_reason == "length":
        return (
            f"the reply was cut off after {len(completion.text):,} characters, at the end of the"
            f" room for an answer, so its JSON is incomplete. {begins} {_remedy(completion.text)}"
        )
    first = problem.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return (
        f"the reply is not of the form asked for (problems: {problem.error_count()};"
        f" {where}: {first['msg']}). {begins} Try a model that can answer in JSON, or switch the"
        " form off."
    )


def _remedy(text: str) -> str:
    """What to do about a reply that was cut off: more room helps only where JSON has begun."""
    after = text.rpartition(_THOUGHT)[2]
    starts = (after, *_OPENED.split(after, maxsplit=1)[1:])
    if after.lstrip().startswith(_THINKS) or any(map(_begins_json, starts)):
        return (
            "Raise the answer length (num_output). If a reply fills that too, the model does not"
            " stop: take another one, or switch the form off."
        )
    return (
        "That is the beginning of no JSON, so a longer answer would not help: take a model that"
        " can answer in JSON, or switch the form off."
    )


def _begins_json(text: str) -> bool:
    try:
        from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return False
    return True
