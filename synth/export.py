"""A trace as JSON, there and back.

The file is versioned and holds no key and no address: the setup, the calls with their
spans and origins, and the answers. What is read is validated here, once: `trace_from_json`
gives a trace that later code can trust, or an ImportedRunError that says what is wrong.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from synth.calls import CallRecord, Setup
from synth.encodings import RECIPES
from synth.errors import ImportedRunError
from synth.prompts import Message, Prompt, Span
from synth.span_kinds import SpanKind
from synth.spans import Document, Origin, Segment, SourceKind, Text
from synth.tokens import DEFAULT_ENCODING, get_tokenizer
from synth.trace import Trace

MOST_BYTES = 100_000_000


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
    name: str = ""
    origins: list[_Origin] = []


class _Message(_Strict):
    role: str
    spans: list[_Span]


class _Call(_Strict):
    number: int = Field(ge=1)
    depth: int = Field(ge=0)
    template: str
    messages: list[_Message] = Field(min_length=1)
    padding: int
    notes: list[str]
    prompt_tokens: int
    reported_prompt_tokens: int | None
    answer: str | None
    reply: str | None
    satisfied: bool
    output_tokens: int
    finish_reason: str | None
    error: str | None
    error_kind: str | None
    tries: int = Field(default=1, ge=1)  # files of earlier versions don't have it
    replayed: bool
    started: float
    seconds: float


class _Setup(_Strict):
    mode: str
    behaviour: str
    query: str
    chunks: list[str]
    context_window: int
    num_output: int
    encoding: str


class _Run(_Strict):
    version: Literal[1]
    setup: _Setup
    calls: list[_Call]
    response: str | None
    error: str | None
    error_kind: str | None
    stopped: bool
    seconds: float


def trace_to_json(trace: Trace) -> str:
    """The trace as JSON text; every character is escaped that a strict reader might refuse."""
    setup = trace.setup
    run = _Run(
        version=1,
        setup=_Setup(
            mode=setup.mode,
            behaviour=setup.behaviour,
            query=setup.query,
            chunks=list(setup.chunks),
            context_window=setup.context_window,
            num_output=setup.num_output,
            encoding=setup.tokenizer.name,
        ),
        calls=[_written(call) for call in trace.calls],
        response=trace.response,
        error=trace.error,
        error_kind=trace.error_kind,
        stopped=trace.stopped,
        seconds=trace.seconds,
    )
    return json.dumps(run.model_dump(), ensure_ascii=True, indent=1)


def trace_from_json(text: str) -> Trace:
    """The trace that `trace_to_json` wrote; ImportedRunError for anything else.

    A run counted with a tokenizer that is not shipped is read with the default one.
    """
    if len(text) > MOST_BYTES:
        raise ImportedRunError(
            f"The file has {len(text):,} characters, and {MOST_BYTES:,} is the limit: choose the"
            " file of a run."
        )
    try:
        run = _Run.model_validate(json.loads(text))
    except (ValueError, RecursionError) as problem:
        raise ImportedRunError(f"This is no run that can be read: {_first(problem)}") from problem
    encoding = run.setup.encoding if run.setup.encoding in RECIPES else DEFAULT_ENCODING
    given = run.setup.model_dump(exclude={"encoding", "chunks"})
    setup = Setup(**given, chunks=tuple(run.setup.chunks), tokenizer=get_tokenizer(encoding))
    calls = tuple(_read(call, setup) for call in run.calls)
    numbers = [call.number for call in calls]
    if numbers != sorted(set(numbers)):
        raise ImportedRunError(f"The calls of this run are numbered {numbers}: that can't be.")
    rest = run.model_dump(exclude={"version", "setup", "calls"})
    return Trace(setup=setup, calls=calls, **rest)


def call_to_json(call: CallRecord) -> dict[str, Any]:
    """A call as a JSON object, as it stands in the file of a trace."""
    return _written(call).model_dump()


def call_from_json(data: Any, setup: Setup) -> CallRecord:
    """The call of a JSON object, in a run with this setup; ImportedRunError for anything else."""
    try:
        return _read(_Call.model_validate(data), setup)
    except ValidationError as problem:
        raise ImportedRunError(f"This is no call that can be read: {_first(problem)}") from problem


def _first(problem: Exception) -> str:
    if isinstance(problem, ValidationError):
        first = problem.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(problem)


_PLAIN = [field.name for field in fields(CallRecord) if field.name not in ("prompt", "notes")]


def _written(call: CallRecord) -> _Call:
    messages = [
        _Message(role=message.role, spans=[_written_span(span) for span in message.spans])
        for message in call.prompt.messages
    ]
    plain: dict[str, Any] = {name: getattr(call, name) for name in _PLAIN}
    return _Call(messages=messages, notes=list(call.notes), **plain)


def _written_span(span: Span) -> _Span:
    origins = [_Origin(at=at, **origin._asdict()) for at, origin in span.text.placed]
    return _Span(kind=span.kind, text=str(span.text), name=span.name, origins=origins)


def _read(call: _Call, setup: Setup) -> CallRecord:
    messages = tuple(
        Message(message.role, tuple(_read_span(span, setup) for span in message.spans))
        for message in call.messages
    )
    plain = call.model_dump(exclude={"messages", "notes"})
    return CallRecord(prompt=Prompt(messages), notes=tuple(call.notes), **plain)


def _read_span(span: _Span, setup: Setup) -> Span:
    for origin in span.origins:
        _require_true(origin, span, setup)
    segments = tuple(
        Segment(origin.at, Origin(origin.kind, origin.number, origin.start, origin.end))
        for origin in span.origins
    )
    text = Text(Document(span.text, segments), 0, len(span.text))
    return Span(span.kind, text, span.name)


def _require_true(origin: _Origin, span: _Span, setup: Setup) -> None:
    """An origin in a chunk must be the very characters of that chunk."""
    if origin.kind != "chunk":
        return
    chunk = setup.chunks[origin.number - 1] if origin.number <= len(setup.chunks) else ""
    carried = span.text[origin.at : origin.at + origin.end - origin.start]
    if not carried or chunk[origin.start : origin.end] != carried:
        raise ImportedRunError(
            f"A prompt says that it carries characters {origin.start:,} to {origin.end:,} of chunk"
            f" {origin.number}, and it does not: the file was changed."
        )
