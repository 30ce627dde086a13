"""Spans in the body of a request: https://opentelemetry.io/docs/specs/otlp/#otlphttp"""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pydantic import ValidationError

from synth.errors import ImportedRunError, SynthError, short
from synth.traces import capacity, otlp
from synth.traces.spans import TraceSpan
from ui.received.limits import FEWER, MOST_REQUEST, TOO_LARGE

_TOO_MANY = f"A request has more than {capacity.MOST_JSON:,} values: {FEWER}"
_EITHER = 47  # for zlib: gzip or deflate, by the first bytes
_TRACE_ID, _SPAN_ID = re.compile(r"(?!0{32})[0-9a-f]{32}"), re.compile(r"(?!0{16})[0-9a-f]{16}")


class UnreadableError(SynthError):
    """A request that can't be read at all; the message says why."""


class TooLargeError(UnreadableError):
    """A request that is larger than one may be."""


def decode(data: bytes, *, is_json: bool, packed: bool) -> list[TraceSpan]:
    """Read the spans of a request; UnreadableError where one is none."""
    data = _unpack(data) if packed else data
    try:
        document = _from_json(data) if is_json else _from_protobuf(data)
        return [*map(_with_valid_ids, otlp.spans(document))]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UnreadableError(f"A span can't be read: {where}: {first['msg']}.") from None
    except (ImportedRunError, RecursionError) as error:
        raise UnreadableError(str(error)) from None


def _unpack(data: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=_EITHER)
    try:
        unpacked = unpacking.decompress(data, MOST_REQUEST + 1)
    except zlib.error as problem:
        raise UnreadableError(f"The request can't be unpacked ({problem}).") from None
    if len(unpacked) > MOST_REQUEST:
        raise TooLargeError(TOO_LARGE)
    if not unpacking.eof:
        raise UnreadableError("The packed request ends in the middle.")
    return unpacked


def _from_json(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode()
        if capacity.values_of_json(text, capacity.MOST_JSON) > capacity.MOST_JSON:
            raise TooLargeError(_TOO_MANY)
        document = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UnreadableError(f"The request is no JSON ({short(str(problem), 100)}).") from None
    if not isinstance(document, dict):
        raise UnreadableError("The JSON of the request is no object.")
    return document


def _with_valid_ids(span: TraceSpan) -> TraceSpan:
    """Write the ids in small letters; UnreadableError for one that is none."""
    ids = span.trace_id.lower(), span.span_id.lower(), (span.parent_id or span.span_id).lower()
    if not (_TRACE_ID.fullmatch(ids[0]) and all(map(_SPAN_ID.fullmatch, ids[1:]))):
        raise UnreadableError("A span, its trace or its parent has no valid id.")
    parent = ids[2] if span.parent_id else None
    return replace(span, trace_id=ids[0], span_id=ids[1], parent_id=parent)


def _from_protobuf(data: bytes) -> dict[str, Any]:
    """Return the request as OTLP's JSON has it, where ids are hexadecimal."""
    try:
        document: dict[str, Any] = MessageToDict(ExportTraceServiceRequest.FromString(data))
    except DecodeError:
        raise UnreadableError("The request is no ExportTraceServiceRequest of OTLP.") from None
    for span in _spans_in(document):
        for name in ("traceId", "spanId", "parentSpanId"):
            span[name] = b64decode(span.get(name, "")).hex()
        span.setdefault("name", "")
        span.setdefault("startTimeUnixNano", 0)
    return {"resourceSpans": [], **document}


def _spans_in(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in document.get("resourceSpans", ()):
        for scope in resource.get("scopeSpans", ()):
            yield from scope.get("spans", ())
