"""What llama-index-core 0.14.25 makes of a reply, for `llama_index.py`, which names how it differs.

It asks for an object by a call of a function, whose arguments are the object, or in words where
the model calls none. Here it is asked for beside the prompt, and the reply is read as words are.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from synth.errors import BadResponse, ModelError
from synth.runs.meaning import explain, find_object, meaning_of
from synth.runs.steps import Call, Completion, Meaning

_MOST_READ = 30_000_000  # characters of all beginnings of a reply that are read, one by one

Partial = BaseModel | Mapping[str, Any]


def read_whole(call: Call, completion: Completion, ends: Sequence[int]) -> Meaning:
    """Read what is from the first brace to the last, as its PydanticOutputParser does (braces)."""
    text = completion.text
    if call.schema is None:
        return Meaning(text)
    if (found := find_object(text)) is None:
        raise BadResponse(f"there is no object in the reply. It begins {text[:80]!r}.")
    try:
        value = call.schema.model_validate_json(found)
    except ValidationError as problem:
        raise BadResponse(explain(problem, completion, text)) from problem
    return meaning_of(call, value)


def read_stream(call: Call, completion: Completion, ends: Sequence[int]) -> Meaning:
    """Read a reply by its pieces, as refine does there while it streams; only its `answer`."""
    if call.schema is None:
        return Meaning(completion.text)
    objects = _objects(call.schema, completion.text, ends)
    if not call.filtered:
        objects = (one for one in objects if _field(one, "answer") is not None)
    decides = "query_satisfied" if call.filtered else "answer"
    first = next((one for one in objects if _field(one, decides) is not None), None)
    if first is None or (not call.filtered and not isinstance(_field(first, "answer"), str)):
        raise BadResponse(f"no piece of the reply ends an object with {decides}.")
    if call.filtered and not _field(first, decides):
        return Meaning("", satisfied=False)
    answer: Any = None
    for one in chain([first], objects):
        answer = _field(one, "answer")
        if not call.filtered and not isinstance(answer, str):
            break  # it fails there
    if not isinstance(answer, str):
        raise ModelError("llama-index-core fails here: what it streams as the answer is no text.")
    return Meaning(answer)


def _objects(schema: type[BaseModel], text: str, ends: Sequence[int]) -> Iterator[Partial]:
    """Give the object after each piece, or its fields while some are missing."""
    latest: Partial = {}
    step = 1 + len(text) * len(ends) // _MOST_READ
    for end in (*ends[step - 1 : -1 : step], len(text)):
        found = _repair(text[:end])
        if found is not None:
            if _fill(schema, found) >= _fill(schema, latest):
                latest = found
            with suppress(ValidationError):  # as long as fields are missing
                latest = schema.model_validate(latest)
        yield latest


def _repair(text: str) -> dict[str, Any] | None:
    closed = text + '"' * (text.count('"') % 2)
    closed += "}" * (text.count("{") - text.count("}"))
    try:
        found = from_json(closed if text.strip() else "{}")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _fill(schema: type[BaseModel], found: Partial) -> int:
    return sum(_count(_field(found, name)) for name in schema.model_fields)


def _count(value: Any) -> int:
    if isinstance(value, BaseModel):
        value = value.__dict__
    if isinstance(value, Mapping):
        return sum(map(_count, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_count, value))
    return value is not None


def _field(value: Partial, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
