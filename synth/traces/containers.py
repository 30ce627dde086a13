"""From the bytes of a file to spans, whichever product wrote it.

Somewhere in the file stand objects that are spans, each with an id and a start; the path to them
does not matter (`synth/documents/records.py`). What a span's fields are called does:

    context, start_time, attributes     the OpenTelemetry SDK, Phoenix; also as dotted columns
    spanId, startTimeUnixNano           OTLP, whose attributes are lists of keys and values
    spanID, startTime, tags             Jaeger
    id, startTime, input, type          observations of Langfuse
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
)

from synth.documents.records import Contents, Record, find_records, read_contents, read_frame
from synth.errors import ImportedRunError, SynthError
from synth.export.files import wrong_field
from synth.text.wording import counted, listed
from synth.traces import size_limits
from synth.traces.spans import LATEST, Failure, TraceSpan, parse, seconds, service_of
from synth.traces.vocabularies import name_method, read_attributes

if TYPE_CHECKING:
    import pandas as pd

_STARTS = ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano")
_ENDS = ("end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano")
_SPAN_IDS = ("span_id", "spanId", "spanID", "context.span_id")
_CONTEXT = "context"
_COLUMN = "attributes."
_KINDS = {"GENERATION": "LLM"}  # others have the names of OpenInference
_FAILED = ("2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR")
_WANTED = (
    "An object is a span where it has an id and a start, as OpenTelemetry, Phoenix, Jaeger and"
    " Langfuse write them, wherever it stands in the file."
)


def is_span(record: Record) -> bool:
    """Return whether an object of a file is a span: it has an id, and a time at which it began."""
    context = record.get(_CONTEXT)
    has_id = (
        any(name in record for name in _SPAN_IDS)
        or "id" in record
        or (isinstance(context, dict) and "span_id" in context)
    )
    return has_id and any(name in record for name in _STARTS)


def _read_time(value: Any) -> float:
    """Return seconds since 1970, of a date or a number of seconds, milli-, micro- or nanoseconds.

    To the microsecond, as not all containers have more.
    """
    units: Sequence[float] = (1e9, 1e6, 1e3)
    try:
        time = float(value)
    except OverflowError:  # a whole number of hundreds of digits
        time = inf
    except (TypeError, ValueError):
        time, units = seconds(datetime.fromisoformat(str(value))), ()
    for unit in units:
        if time > LATEST / 1e9 * unit / 1e3:
            time /= unit
            break
    if not 0 <= time <= LATEST / 1e9:
        raise ValueError("the time must be of the years 1970 to 2262")
    return round(time, 6)


_Time = Annotated[float, BeforeValidator(_read_time)]


def _table(value: Any) -> dict[str, Any]:
    """Return attributes as an object: they may be its JSON, or pairs as of OTLP and Jaeger."""
    value = parse(value)
    if isinstance(value, list):
        pairs = [pair for pair in value if isinstance(pair, dict) and "key" in pair]
        return {str(pair["key"]): _plain(pair.get("value")) for pair in pairs}
    return value if isinstance(value, dict) else {}


def _plain(value: Any) -> Any:
    """Return a value as Python has it; OTLP says its type."""
    if not isinstance(value, dict):
        return value
    typed = ((kind, inner) for kind, inner in value.items() if inner is not None)
    kind, inner = next(typed, ("", None))
    kind = kind.replace("_", "").lower()
    if not kind.endswith("value"):
        return value
    if kind in ("arrayvalue", "kvlistvalue"):
        values = inner.get("values") if isinstance(inner, dict) else None
        values = values if isinstance(values, list) else []
        return _table(values) if kind == "kvlistvalue" else [_plain(each) for each in values]
    is_number = kind == "intvalue" and re.fullmatch(r"-?\d{1,20}", str(inner))
    return int(str(inner)) if is_number else inner


def _attributes(record: Record) -> dict[str, Any]:
    columns = {
        name.removeprefix(_COLUMN): value
        for name, value in record.items()
        if name.startswith(_COLUMN) and value not in (None, "")
    }
    tables = [record.get(name) for name in ("metadata", "attributes", "tags")]
    first, *rest = map(_table, tables)
    attributes = _table(first.get("attributes"))  # Langfuse has them in metadata
    for table in (*rest, columns):
        attributes |= table
    return attributes


class _Span(BaseModel):
    trace_id: str = Field(
        "",
        validation_alias=AliasChoices(
            "trace_id", "traceId", "traceID", "context.trace_id", AliasPath(_CONTEXT, "trace_id")
        ),
    )
    span_id: str = Field(
        validation_alias=AliasChoices(*_SPAN_IDS, AliasPath(_CONTEXT, "span_id"), "id")
    )
    parent_id: str | None = Field(
        None,
        validation_alias=AliasChoices(
            "parent_id",
            "parentSpanId",
            "parent_span_id",
            "parentObservationId",
            "parent_observation_id",
            AliasPath("references", 0, "spanID"),
        ),
    )
    name: str | None = Field(None, validation_alias=AliasChoices("name", "operationName"))
    start: _Time = Field(validation_alias=AliasChoices(*_STARTS))
    end: _Time | None = Field(None, validation_alias=AliasChoices(*_ENDS))
    duration: float | None = None  # of Jaeger, in microseconds
    kind: str | None = Field(None, validation_alias=AliasChoices("span_kind", "type"))
    code: Any = Field(
        None,
        validation_alias=AliasChoices(
            AliasPath("status", "code"), AliasPath("status", "status_code"), "status_code", "level"
        ),
    )
    message: Any = Field(
        None,
        validation_alias=AliasChoices(
            AliasPath("status", "message"),
            AliasPath("status", "description"),
            "status_message",
            "statusMessage",
        ),
    )


Logs = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""Log records, as the attributes of events, by the ids of their trace and span."""


class _Log(BaseModel):
    trace_id: str = Field(validation_alias=AliasChoices("trace_id", "traceId"))
    span_id: str = Field(validation_alias=AliasChoices("span_id", "spanId"))
    event: str = Field("", validation_alias=AliasChoices("event_name", "eventName"))
    body: Any = None
    attributes: Any = None


def _is_log(record: Record) -> bool:
    return "body" in record or "event_name" in record or "eventName" in record


def find_logs(values: Iterable[Any]) -> Logs:
    """Find the log records under any path, which have messages where no event of a span does."""
    logs: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for records, _ in (each for value in values for each in find_records(value, _is_log)):
        for record in records:
            with suppress(ValidationError):  # a record of no span
                log = _Log.model_validate(record)
                event = {"event": log.event, "body": _plain(log.body)}
                attributes = _table(log.attributes)
                logs[log.trace_id, log.span_id].append({**attributes, **event})
    return logs


def _read_span(record: Record, parents: Sequence[Record], logs: Logs) -> TraceSpan:
    span = _Span.model_validate(record)
    observed = {**_of_trace(span, parents), **{k: v for k, v in record.items() if v is not None}}
    attributes = _attributes(record)
    if span.kind:
        attributes.setdefault("openinference.span.kind", _KINDS.get(span.kind, span.kind))
    for name, value in _observed(observed):
        if value not in (None, ""):
            attributes.setdefault(name, value)
    events = [*_events(record), *logs.get((span.trace_id, span.span_id), ())]
    end = span.end
    if end is None:
        end = span.start + (span.duration or 0) / 1e6
    read = read_attributes(attributes, events)
    codes = {str(span.code), str(attributes.get("otel.status_code"))}
    message = span.message or attributes.get("otel.status_description") or ""
    return TraceSpan(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id or None,
        name=name_method(span.name or "", read),
        start=span.start,
        end=end,
        attributes=read,
        failure=None if codes.isdisjoint(_FAILED) else Failure.of(str(message), events),
        service=_service(record, parents),
    )


def _observed(record: Record) -> Iterator[tuple[str, Any]]:
    """Yield what Langfuse has beside the attributes."""
    usage = _table(record.get("usageDetails", record.get("usage_details")))
    parameters = record.get("modelParameters", record.get("model_parameters"))
    yield "input.value", _text(record.get("input"))
    yield "output.value", _text(record.get("output"))
    yield "llm.model_name", record.get("model")
    yield "llm.invocation_parameters", _text(parameters)
    yield "llm.token_count.prompt", usage.get("input")
    yield "llm.token_count.completion", usage.get("output")


def _of_trace(span: _Span, parents: Sequence[Record]) -> Record:
    """Return what a trace of Langfuse was given and gave, which its outermost span may lack."""
    if span.parent_id or not parents:
        return {}
    trace = parents[0].get("trace", parents[0])
    if not isinstance(trace, dict):
        return {}
    given = {name: trace.get(name) for name in ("input", "output")}
    inner = {name: parse(value) for name, value in given.items()}
    return {name: inner[name] if isinstance(inner[name], str) else given[name] for name in given}


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _events(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the attributes of each event, with its name."""
    events = parse(record.get("events", record.get("logs")))
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict):
            name = {"event": event["name"]} if "name" in event else {}
            yield name | _table(event.get("attributes", event.get("fields")))


def _service(record: Record, parents: Sequence[Record]) -> str:
    for holder in (record, *parents):
        resource = holder.get("resource")
        if isinstance(resource, dict):
            return service_of(_table(resource.get("attributes")))
        processes = holder.get("processes")  # of Jaeger
        if isinstance(processes, dict):
            process = processes.get(str(record.get("processID")))
            if isinstance(process, dict):
                return service_of({"service.name": process.get("serviceName", "")})
    return ""


def _read_rows(frame: Record) -> list[Record]:
    """Return the rows of a data frame of Phoenix that was written column by column."""
    columns = {name: column for name, column in frame.items() if isinstance(column, dict)}
    return [
        {name: column.get(row) for name, column in columns.items()}
        for row in columns["context.span_id"]
    ]


def find_spans(value: Any, logs: Logs = MappingProxyType({})) -> Iterator[TraceSpan]:
    """Yield the spans under any path of a value; pydantic's ValidationError for a broken one."""
    if isinstance(value, dict) and isinstance(value.get("context.span_id"), dict):
        value = _read_rows(value)
    for records, parents in find_records(value, is_span):
        for record in records:
            yield _read_span(record, parents, logs)


def read_spans(data: bytes | str | pd.DataFrame | Contents) -> tuple[list[TraceSpan], str]:
    """Read the spans of a file or a frame, each once, and say what was left out, if anything is.

    ImportedRunError where it has no span, or can't be read.
    """
    try:
        if isinstance(data, bytes | str):
            contents = read_contents(data, most_bytes=size_limits.MOST_BYTES)
        elif isinstance(data, Contents):
            contents = data
        else:
            contents = read_frame(data, size_limits.MOST_BYTES)
    except SynthError as problem:
        raise ImportedRunError(str(problem)) from problem
    spans: dict[tuple[str, str], TraceSpan] = {}
    line = 1
    try:
        logs = find_logs(value for _, value in contents.values)
        for line, value in contents.values:  # noqa: B007  named where one is broken
            for span in find_spans(value, logs):
                spans[span.trace_id, span.span_id] = span
                if len(spans) > size_limits.MOST_SPANS:
                    raise ImportedRunError(
                        f"The file has more than {size_limits.MOST_SPANS:,} spans: export fewer"
                        " traces."
                    )
    except RecursionError as problem:
        raise ImportedRunError(
            f"What begins in line {line:,} is nested too deeply ({problem}): export it again."
        ) from None
    except ValidationError as problem:
        raise wrong_field(problem, f"span in what begins in line {line:,}") from None
    if not spans:
        raise ImportedRunError(_describe(contents))
    return list(spans.values()), contents.notice


def _describe(contents: Contents) -> str:
    """Say what a file without a span has."""
    values = [value for _, value in contents.values]
    if not values:
        words = "The file holds no JSON and no table"
    elif contents.is_table:
        words = f"No span stands in it: the file is a table of {counted(len(values[0]), 'row')}"
    else:
        words = f"No span stands in it: the file has {counted(len(values), 'value')} of JSON"
    flat = [each for value in values for each in (value if isinstance(value, list) else [value])]
    names = next((list(each) for each in flat if isinstance(each, dict)), [])
    if names:
        words = f"{words}, and the first object has {listed([name[:40] for name in names[:5]])}"
    return " ".join([f"{words}.", *filter(None, [contents.notice]), _WANTED])
