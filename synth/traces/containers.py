"""From the bytes of a file to spans, whichever product wrote it.

    one span after the other    the OpenTelemetry SDK's console exporter, Phoenix's JSONL
    {"spans": [...]}            Phoenix's command line
    {"resourceSpans": [...]}    OTLP; Phoenix writes resource_spans, Grafana Tempo batches
    {"trace", "observations"}   Langfuse

Lists of these are read as well, and files packed with gzip."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, Json, ValidationError
from pydantic.alias_generators import to_camel

from synth.errors import ImportedRunError, describe
from synth.export.files import wrong_field
from synth.traces import capacity, otlp
from synth.traces.spans import (
    Failure,
    Time,
    TraceSpan,
    seconds,
    select_attributes,
    service_of,
    validate_each,
)

_WANTED = (
    "give OpenInference spans as JSON lines, Phoenix's or OTLP JSON, or a trace that Langfuse"
    " exported"
)


_GZIP = b"\x1f\x8b"
_KINDS = {"GENERATION": "LLM"}  # others have the names of OpenInference


class _Context(BaseModel):
    trace_id: str
    span_id: str


class _Status(BaseModel):
    status_code: str = "UNSET"
    description: str | None = None


class _Attributed(BaseModel):
    attributes: dict[str, Any] = {}


class _Span(BaseModel):
    name: str
    context: _Context
    parent_id: str | None = None
    start_time: Time
    end_time: Time | None = None
    attributes: dict[str, Any] = {}
    span_kind: str | None = None
    status: _Status = Field(default_factory=_Status)
    status_code: str = "UNSET"
    status_message: str = ""
    events: list[Any] = []
    resource: _Attributed = Field(default_factory=_Attributed)

    def flat(self) -> TraceSpan:
        """Return the span as all containers give it."""
        attributes = select_attributes(self.attributes)
        if self.span_kind:
            attributes.setdefault("openinference.span.kind", self.span_kind)
        return TraceSpan(
            trace_id=self.context.trace_id,
            span_id=self.context.span_id,
            parent_id=self.parent_id or None,
            name=self.name,
            start=seconds(self.start_time),
            end=seconds(self.end_time or self.start_time),
            attributes=attributes,
            failure=self._failure(),
            service=service_of(self.resource.attributes),
        )

    def _failure(self) -> Failure | None:
        if "ERROR" not in (self.status.status_code, self.status_code):
            return None
        events = (event.attributes for event in validate_each(_Attributed, self.events))
        return Failure.of(self.status.description or self.status_message, events)


class _Spans(BaseModel):
    spans: list[Any]


def read_spans(data: bytes | str) -> list[TraceSpan]:
    """Read the spans of the file, each once; ImportedRunError for a file that can't be read."""
    spans: dict[tuple[str, str], TraceSpan] = {}
    for line, document in _documents(_decode(data)):
        try:
            for span in _spans(document):
                spans[span.trace_id, span.span_id] = span
                if len(spans) > capacity.MOST_SPANS:
                    raise ImportedRunError(
                        f"The file has more than {capacity.MOST_SPANS:,} spans: export fewer"
                        " traces."
                    )
        except RecursionError as problem:
            raise _explain_unreadable(line, problem) from None
        except ValidationError as problem:
            raise wrong_field(problem, f"span in what begins in line {line:,}") from None
    return list(spans.values())


def _explain_unreadable(line: int, problem: Exception) -> ImportedRunError:
    return ImportedRunError(
        f"What begins in line {line:,} is no JSON that can be read ({problem}): {_WANTED}. Perhaps"
        " the file was cut off."
    )


def unpack(data: bytes) -> bytes:
    """Unpack what gzip packed, up to a byte more than may be read; other bytes as they are."""
    if not data.startswith(_GZIP):
        return data
    try:
        with gzip.open(BytesIO(data)) as file:
            return file.read(capacity.MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise ImportedRunError(f"The gzip file is damaged ({problem}): copy it again.") from None


def _decode(data: bytes | str) -> str:
    if isinstance(data, bytes):
        data = unpack(data)
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    capacity.require(capacity.MOST_BYTES, size, "The file has {} bytes", "export fewer traces")
    try:
        text = data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ImportedRunError(
            f"The file is no UTF-8 text (byte {problem.start:,} is"
            f" {problem.object[problem.start]:#04x}): export it as JSON."
        ) from None
    values = capacity.values_of_json(text, capacity.MOST_JSON)
    capacity.require(capacity.MOST_JSON, values, "The file has {} values", "export fewer traces")
    return text


def _documents(text: str) -> Iterator[tuple[int, Any]]:
    decoder, at, line = json.JSONDecoder(), 0, 1
    while at < len(text):
        if text[at].isspace():
            line += text[at] == "\n"
            at += 1
            continue
        try:
            value, end = decoder.raw_decode(text, at)
        except (RecursionError, ValueError) as problem:
            raise _explain_unreadable(line, problem) from None
        yield line, value
        line += text.count("\n", at, end)
        at = end


def _spans(document: Any) -> Iterator[TraceSpan]:
    waiting = [document]
    while waiting:
        document = waiting.pop()
        if isinstance(document, list):
            waiting += reversed(document)
        else:
            yield from _spans_of(document)


def _spans_of(document: Any) -> Iterator[TraceSpan]:
    if not isinstance(document, dict):
        raise ImportedRunError(f"{describe(document)} stands where a span should: {_WANTED}.")
    if otlp.ROOTS & document.keys():
        yield from otlp.spans(document)
    elif "observations" in document:
        yield from _spans_of_langfuse(document)
    elif "spans" in document:
        yield from (
            span.flat() for span in validate_each(_Span, _Spans.model_validate(document).spans)
        )
    elif "context" in document or "attributes" in document:
        yield _Span.model_validate(document).flat()
    else:
        names = ", ".join(repr(name[:40]) for name in list(document)[:5]) or "nothing"
        raise ImportedRunError(f"An object that has {names} is no span: {_WANTED}.")


class _Observation(BaseModel):
    model_config = ConfigDict(
        alias_generator=AliasGenerator(validation_alias=to_camel), validate_by_name=True
    )

    id: str
    trace_id: str = ""
    parent_observation_id: str | None = None
    type: str = "SPAN"
    name: str | None = None
    start_time: Time
    end_time: Time | None = None
    input: Any = None
    output: Any = None
    model: str | None = None
    model_parameters: Any = None
    usage_details: dict[str, Any] | None = None
    level: str = "DEFAULT"
    status_message: str | None = None
    metadata: Json[_Attributed] | _Attributed | None = None

    def flat(self) -> TraceSpan:
        """Return the observation as a span."""
        attributes = select_attributes(self.metadata.attributes if self.metadata else {})
        usage = self.usage_details or {}
        fields = {
            "openinference.span.kind": _KINDS.get(self.type, self.type),
            "input.value": _text(self.input),
            "output.value": _text(self.output),
            "llm.model_name": self.model,
            "llm.invocation_parameters": _text(self.model_parameters),
            "llm.token_count.prompt": usage.get("input"),
            "llm.token_count.completion": usage.get("output"),
        }
        for name, value in fields.items():
            if value not in (None, ""):
                attributes.setdefault(name, value)
        failed = self.level == "ERROR"
        return TraceSpan(
            trace_id=self.trace_id,
            span_id=self.id,
            parent_id=self.parent_observation_id,
            name=self.name or "",
            start=seconds(self.start_time),
            end=seconds(self.end_time or self.start_time),
            attributes=attributes,
            failure=Failure("", self.status_message or "") if failed else None,
        )


class _LangfuseTrace(BaseModel):
    input: Any = None
    output: Any = None


class _LangfuseExport(BaseModel):
    observations: list[Any]
    trace: _LangfuseTrace | None = None

    def of_trace(self, observation: _Observation) -> _Observation:
        """Return the observation; one without parents has what the trace was given and gave."""
        if observation.parent_observation_id or self.trace is None:
            return observation
        for name in ("input", "output"):
            if getattr(observation, name) in (None, ""):
                setattr(observation, name, _inner(getattr(self.trace, name)))
        return observation


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _inner(value: Any) -> Any:
    try:
        inner = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return value
    return inner if isinstance(inner, str) else value


def _spans_of_langfuse(document: Mapping[str, Any]) -> Iterator[TraceSpan]:
    """Yield the spans of one exported trace; pydantic's ValidationError for what is none."""
    export = _LangfuseExport.model_validate(document)
    for observation in validate_each(_Observation, export.observations):
        yield export.of_trace(observation).flat()
