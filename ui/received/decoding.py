"""Spans in the body of a request: https://opentelemetry.io/docs/specs/otlp/#otlphttp"""

import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pydantic import ValidationError

from synth.errors import ImportedRunError, SynthError
from synth.traces import otlp
from synth.traces.spans import TraceSpan
from ui.received import MOST_REQUEST, TOO_LARGE

_EITHER = 47  # for zlib: gzip or deflate, by the first bytes
_TRACE_ID, _SPAN_ID = re.compile(r"(?!0{32})[0-9a-f]{32}"), re.compile(r"(?!0{16})[0-9a-f]{16}")


class UnreadableError(SynthError):
    """A request that can't be read at all; the message says why."""


class TooLargeError(UnreadableError):
    """A request that is larger than one may be."""


def decode(data: bytes, *, packed: bool = False) -> list[TraceSpan]:
    """Read the spans of a request; UnreadableError where one is none."""
    data = _unpack(data) if packed else data
    try:
        return [*map(_require_ids, otlp.spans(_read(data)))]
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


def _require_ids(span: TraceSpan) -> TraceSpan:
    """Return the span; UnreadableError where it, its trace or its parent has no valid id."""
    own = _SPAN_ID.fullmatch(span.span_id) and _SPAN_ID.fullmatch(span.parent_id or span.span_id)
    if not (own and _TRACE_ID.fullmatch(span.trace_id)):
        raise UnreadableError("A span, its trace or its parent has no valid id.")
    return span


def _read(data: bytes) -> dict[str, Any]:
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
