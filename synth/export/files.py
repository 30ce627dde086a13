"""Files that this program reads again: versioned JSON with named fields alone, also in a link.

The calls of a run hold no key and no address: spans with their origins, answers, counts. What is
read is validated here, once, so that later code can trust it.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from synth.errors import ImportedRunError, SynthError
from synth.prompts.prompt import Message, Prompt, Span, SpanKind
from synth.runs.calls import CallRecord, Setup
from synth.runs.trace import Trace
from synth.text.model_tokenizers import get_tokenizer
from synth.text.spans import Document, Origin, Segment, SourceKind, Text
from synth.text.tokenizer import Encode, Tokenizer

MOST_BYTES = 20_000_000
"""Of a file; the slowest of that size takes seconds, and half a GB of memory."""

VERSION = 1

T = TypeVar("T")
Many = Annotated[list[T], FailFast()]
"""A list of which the first wrong element is named: a million of them would cost gigabytes."""


def to_text(kind: str, fields: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the file as text; every character is escaped that a strict reader might refuse."""
    separators = (",", ":") if indent is None else None
    file = {"kind": kind, "version": VERSION, **fields}
    return json.dumps(file, ensure_ascii=True, indent=indent, separators=separators)


def kind_and_fields(text: str) -> tuple[str, dict[str, Any]]:
    """Read what `to_text` wrote, its fields unchecked; ImportedRunError for anything else."""
    if len(text) > MOST_BYTES:
        raise ImportedRunError(
            f"The file has {len(text):,} characters, and {MOST_BYTES:,} is the limit: choose a"
            " smaller one."
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportedRunError(
            f"This file is no JSON ({error}): choose one that was exported here."
        ) from error
    fields = data if isinstance(data, dict) else {}
    version, kind = fields.pop("version", None), fields.pop("kind", None)
    if type(version) is not int or not isinstance(kind, str):
        raise ImportedRunError(
            "This file was not exported here, it names no kind and version: choose another one."
        )
    if version > VERSION:
        raise ImportedRunError(
            f"This file has version {version}, and this program reads versions up to {VERSION}:"
            " update the program."
        )
    return kind, fields


def wrong_field(error: ValidationError, what: str) -> ImportedRunError:
    """Make an error that names the first field that is wrong in a run, a call, or whatever."""
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"])) or "the whole"
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return ImportedRunError(f"The {what} has a wrong field, {field}: {said}.")


MOST_LETTERS = 7_000
"""The longest text in a link: proxies commonly refuse an address of more than 8,192 bytes."""

_MOST_UNPACKED = 1_000_000  # of what is unpacked; a few letters may claim to hold gigabytes


def pack(text: str) -> str:
    """Return the text in letters for a link; SynthError for one that needs too many of them."""
    letters = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(letters) > MOST_LETTERS:
        raise SynthError(
            f"It takes {len(letters):,} characters, and {MOST_LETTERS:,} is the limit of a link:"
            " save it as a file."
        )
    return letters


def unpack(letters: str) -> str:
    """Return the text that `pack` wrote; ImportedRunError for anything else."""
    if len(letters) > MOST_LETTERS:
        raise ImportedRunError(
            f"The link has {len(letters):,} characters, and {MOST_LETTERS:,} is the limit: ask for"
            " a file instead."
        )
    try:
        body = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(body, _MOST_UNPACKED)
        if stream.unconsumed_tail:
            raise ImportedRunError(
                f"The link unpacks to more than {_MOST_UNPACKED:,} bytes: ask for a file instead."
            )
        if not stream.eof:
            raise ValueError("its end is missing")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ImportedRunError(f"The link is damaged ({error}): copy it again.") from error


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Origin(_Strict):
    at: int = Field(ge=0)
    kind: SourceKind
    number: int = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class _Span(_Strict):
    kind: SpanKind = Field(strict=False)  # its name, in a file
    text: str
    name: str
    origins: Many[_Origin]


class _Message(_Strict):
    role: str
    spans: Many[_Span]


class _Call(_Strict):
    number: int = Field(ge=1)
    depth: int = Field(ge=0)
    template: str
    messages: Many[_Message] = Field(min_length=1)
    is_chat: bool
    padding: int
    notes: Many[str]
    prompt_tokens: int
    reported_prompt_tokens: int | None
    answer: str | None
    reply: str | None
    satisfied: bool
    output_tokens: int
    finish_reason: str | None
    reasoning: str
    reasoning_tokens: int | None
    cached_tokens: int | None
    written_tokens: int | None
    error: str | None
    error_kind: str | None
    tries: int = Field(ge=1)
    retried: Many[str]
    replayed: bool
    started: float
    seconds: float


class _Run(_Strict):
    calls: Many[_Call]
    response: str | None
    error: str | None
    error_kind: str | None
    stopped: bool
    seconds: float


class _Setup(_Strict):
    mode: str
    behaviour: str
    query: str
    chunks: Many[str]
    context_window: int = Field(ge=1)
    num_output: int = Field(ge=0)
    reasoning_output: int = Field(ge=0)
    tokenizer: str


def whole_to_json(trace: Trace) -> dict[str, Any]:
    """Return a trace with its setup as a JSON object; of the tokenizer it has the name."""
    plain = {name: getattr(trace.setup, name) for name in _Setup.model_fields}
    plain |= {"chunks": [*trace.setup.chunks], "tokenizer": trace.setup.tokenizer.name}
    return {"setup": plain, **trace_to_json(trace)}


def whole_from_json(data: Any, tokenizer: str | Encode | Tokenizer | None = None) -> Trace:
    """Make the trace of what `whole_to_json` gave; ImportedRunError for anything else."""
    run = dict(data) if isinstance(data, dict) else {}
    try:
        setup = _Setup.model_validate(run.pop("setup", None))
    except ValidationError as error:
        raise wrong_field(error, "setup of this run") from error
    fields = {**setup.model_dump(), "chunks": tuple(setup.chunks)}
    fields["tokenizer"] = get_tokenizer(setup.tokenizer if tokenizer is None else tokenizer)
    return trace_from_json(run, Setup(**fields))


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """Return the calls of a trace and how it ended, as a JSON object; its setup is not in it."""
    end = {name: getattr(trace, name) for name in _Run.model_fields if name != "calls"}
    return {"calls": [call_to_json(call) for call in trace.calls], **end}


def trace_from_json(data: Any, setup: Setup) -> Trace:
    """Read the trace of a run with this setup from JSON; ImportedRunError for anything else."""
    try:
        run = _Run.model_validate(data)
    except ValidationError as error:
        raise wrong_field(error, "run") from error
    calls = tuple(_read(call, setup) for call in run.calls)
    numbers = [call.number for call in calls]
    if numbers != sorted(set(numbers)):
        first = next(at for at, pair in enumerate(pairwise(numbers), 1) if pair[0] >= pair[1])
        raise ImportedRunError(
            f"The calls of this run are numbered {numbers[first - 1]:,}, {numbers[first]:,}: that"
            " can't be. Export the run again."
        )
    return Trace(setup=setup, calls=calls, **run.model_dump(exclude={"calls"}))


def call_to_json(call: CallRecord) -> dict[str, Any]:
    """Return a call as a JSON object, as it stands in the file of a trace."""
    plain: dict[str, Any] = {field.name: getattr(call, field.name) for field in fields(call)}
    prompt: Prompt = plain.pop("prompt")
    plain |= {name: [*plain[name]] for name in _LISTS}
    messages = [
        {"role": message.role, "spans": [_span_to_json(span) for span in message.spans]}
        for message in prompt.messages
    ]
    return {**plain, "messages": messages, "is_chat": prompt.is_chat}


_LISTS = ("notes", "retried")


def _span_to_json(span: Span) -> dict[str, Any]:
    origins = [{"at": at, **origin._asdict()} for at, origin in span.text.placed]
    return {"kind": span.kind, "text": str(span.text), "name": span.name, "origins": origins}


def _read(call: _Call, setup: Setup) -> CallRecord:
    messages = tuple(
        Message(message.role, tuple(_read_span(span, setup) for span in message.spans))
        for message in call.messages
    )
    plain = call.model_dump(exclude={"messages", "is_chat", *_LISTS})
    plain |= {name: tuple(getattr(call, name)) for name in _LISTS}
    return CallRecord(prompt=Prompt(messages, call.is_chat), **plain)


def _read_span(span: _Span, setup: Setup) -> Span:
    for origin in span.origins:
        if origin.kind != "chunk":
            continue
        chunk = setup.chunks[origin.number - 1] if origin.number <= len(setup.chunks) else ""
        carried = span.text[origin.at : origin.at + origin.end - origin.start]
        if not carried or chunk[origin.start : origin.end] != carried:
            raise ImportedRunError(
                f"A prompt says that it carries characters {origin.start:,} to {origin.end:,} of"
                f" chunk {origin.number}, and it does not: the file was changed."
            )
    segments = tuple(
        Segment(origin.at, Origin(origin.kind, origin.number, origin.start, origin.end))
        for origin in span.origins
    )
    text = Text(Document(span.text, segments), 0, len(span.text))
    return Span(span.kind, text, span.name)
