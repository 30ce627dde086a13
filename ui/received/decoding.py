"""Spans in the body of a request: https://opentelemetry.io/docs/specs/otlp/#otlphttp"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from pydantic import ValidationError

from synth.errors import ImportedRunError, SynthError, short
from synth.traces import capacity, otlp
from synth.traces.spans import LATEST, Failure, TraceSpan, select_attributes, service_of
from ui.received.access import (
    LONGEST_NAME,
    MOST_REQUEST,
    MOST_TIMES,
    MOST_VALUES,
    TOO_LARGE,
    TOO_MANY,
    UNPACKED_FREELY,
    UNPACKS_TOO_FAR,
)

_FIXED = {1: 8, 5: 4}  # bytes of a field, by its kind on the wire
_EITHER = 47  # for zlib: gzip or deflate, by the first bytes
_TRACE_ID, _SPAN_ID = re.compile(r"(?!0{32})[0-9a-f]{32}"), re.compile(r"(?!0{16})[0-9a-f]{16}")


class UnreadableError(SynthError):
    """A request that can't be read at all; the message says why."""


class TooLargeError(UnreadableError):
    """A request that is larger than one may be."""


class SpanBatch(NamedTuple):
    """The spans that can be read, how many can't, and why the first of these can't."""

    spans: list[TraceSpan]
    refused: int
    words: str


def decode(data: bytes, *, is_json: bool, packed: bool) -> SpanBatch:
    """Read the spans of a request; UnreadableError where it is none."""
    data = _unpack(data) if packed else data
    spans: list[TraceSpan] = []
    refused, words = 0, ""
    for span in _from_json(data) if is_json else _from_protobuf(data):
        problem = span if isinstance(span, str) else _problem(span)
        if isinstance(span, TraceSpan) and problem is None:
            spans.append(span)
        else:
            refused, words = refused + 1, words or str(problem)
    return SpanBatch(spans, refused, words)


def _unpack(data: bytes) -> bytes:
    """Unpack no more than one byte beyond what a body of this size may hold."""
    most = min(MOST_REQUEST, max(UNPACKED_FREELY, MOST_TIMES * len(data)))
    unpacking = zlib.decompressobj(wbits=_EITHER)
    try:
        unpacked = unpacking.decompress(data, most + 1)
    except zlib.error as problem:
        raise UnreadableError(f"The request can't be unpacked ({problem}).") from None
    if len(unpacked) > most:
        raise TooLargeError(TOO_LARGE if most == MOST_REQUEST else UNPACKS_TOO_FAR)
    if not unpacking.eof:
        raise UnreadableError("The packed request ends in the middle.")
    return unpacked


def _require_few(values: int) -> None:
    if values > MOST_VALUES:
        raise TooLargeError(TOO_MANY)


def _problem(span: TraceSpan) -> str | None:
    if not (_TRACE_ID.fullmatch(span.trace_id) and _SPAN_ID.fullmatch(span.span_id)):
        return "A span has no valid id, or its trace has none."
    if span.parent_id is not None and not _SPAN_ID.fullmatch(span.parent_id):
        return "The parent of a span has no valid id."
    if len(span.name) > LONGEST_NAME:
        return f"The name of a span has {len(span.name):,} characters."
    return None


def _from_json(data: bytes) -> Iterator[TraceSpan | str]:
    try:
        text = data.decode()
        _require_few(capacity.values_of_json(text, MOST_VALUES))
        document = json.loads(text)
        if not isinstance(document, dict):
            raise UnreadableError("The JSON of the request is no object.")
        yield from map(_with_lower_ids, otlp.spans(document))
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UnreadableError(f"A span can't be read: {where}: {first['msg']}.") from None
    except ImportedRunError as problem:
        raise UnreadableError(str(problem)) from None
    except (ValueError, RecursionError) as problem:
        raise UnreadableError(f"The request is no JSON ({short(str(problem), 100)}).") from None


def _with_lower_ids(span: TraceSpan) -> TraceSpan:
    parent = span.parent_id and span.parent_id.lower()
    return replace(
        span, trace_id=span.trace_id.lower(), span_id=span.span_id.lower(), parent_id=parent
    )


def _from_protobuf(data: bytes) -> Iterator[TraceSpan | str]:
    try:
        _count_protobuf(data)
        request = ExportTraceServiceRequest.FromString(data)
    except (DecodeError, IndexError):
        raise UnreadableError("The request is no ExportTraceServiceRequest of OTLP.") from None
    for resource in request.resource_spans:
        service = service_of(_table(resource.resource.attributes))
        for scope in resource.scope_spans:
            for span in scope.spans:
                try:
                    yield _flat(span, service)
                except ImportedRunError as problem:
                    yield str(problem)


def _count_protobuf(data: bytes) -> None:
    """Refuse data with too many fields (TooLargeError) before one of them is built.

    IndexError where they end in the middle. https://protobuf.dev/programming-guides/encoding/
    """
    fields = 0
    messages = [(0, len(data), ExportTraceServiceRequest.DESCRIPTOR)]
    while messages:
        at, end, message = messages.pop()
        while at < end:
            fields += 1
            _require_few(fields)
            tag, at = _varint(data, at)
            kind = tag & 7
            if kind in _FIXED:
                at += _FIXED[kind]
                continue
            size, at = _varint(data, at)
            if kind == 0:
                continue
            if kind != 2:
                raise DecodeError("OTLP has no groups")
            field = message.fields_by_number.get(tag >> 3)
            if field is not None and field.message_type is not None:
                messages.append((at, at + size, field.message_type))
            at += size
        if at > end:
            raise IndexError(at)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = data[at] & 127
    for shift in range(7, 70, 7):
        if data[at] < 128:
            return number, at + 1
        at += 1
        number |= (data[at] & 127) << shift
    raise DecodeError("A number has more than ten bytes")


def _flat(span: Span, service: str) -> TraceSpan:
    end = span.end_time_unix_nano or span.start_time_unix_nano
    failed = span.status.code == Status.STATUS_CODE_ERROR
    events = (_table(event.attributes) for event in span.events)
    if max(span.start_time_unix_nano, end) > LATEST:
        raise ImportedRunError("The time of a span is after the year 2262.")
    return TraceSpan(
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex() or None,
        name=span.name,
        start=otlp.to_seconds(span.start_time_unix_nano),
        end=otlp.to_seconds(end),
        attributes=select_attributes(_table(span.attributes)),
        failure=Failure.of(span.status.message, events) if failed else None,
        service=service,
    )


def _table(pairs: Iterable[KeyValue]) -> dict[str, Any]:
    return {pair.key: _plain(pair.value) for pair in pairs}


def _plain(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_plain(each) for each in value.array_value.values]
    if kind == "kvlist_value":
        return _table(value.kvlist_value.values)
    return None if kind in (None, "bytes_value") else getattr(value, kind)
