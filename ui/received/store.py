"""Spans that were received: read from a request, and kept in the database of the store.

A request is as https://opentelemetry.io/docs/specs/otlp/#otlphttp says. The number of the latest
spans says whether anything has come since.
"""

import re
import zlib
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable
from time import time
from typing import Any, NamedTuple

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, func, insert, select

from synth.errors import ImportedRunError, SynthError
from synth.traces import size_limits
from synth.traces.containers import find_spans
from synth.traces.imported_run import ImportedRun
from synth.traces.reading import find_syntheses
from synth.traces.spans import TraceSpan
from ui.received import MOST_REQUEST, TOO_LARGE
from ui.store.rows import RECEIVED, packed, unpacked
from ui.store.store import current_store

MOST_TRACES = 500
"""Traces that are kept: the oldest go first."""

_FEWER = "make a trace of each question"
_SILENCE = 60  # seconds without a span, after which nothing more is expected of a trace

_spans = TypeAdapter(list[TraceSpan])
_NUMBER = func.max(RECEIVED.c.number)


class ReceivedTrace(NamedTuple):
    """A trace: the `number` of its latest spans, how many came, twice included, and when.

    `size` is in characters.
    """

    trace_id: str
    number: int
    spans: int
    size: int
    came: float

    @property
    def silent(self) -> bool:
        """Whether nothing more of it is expected."""
        return time() - self.came > _SILENCE


def add(spans: Iterable[TraceSpan]) -> None:
    """Keep these spans, and of all traces the newest. StoreError."""
    by_trace: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        by_trace[span.trace_id].append(span)
    if not by_trace:
        return
    rows = [
        {
            "trace": trace,
            "spans": len(own),
            "size": sum(map(_size, own)),
            "came": time(),
            "body": packed([vars(span) for span in own]),
        }
        for trace, own in by_trace.items()
    ]
    newest = select(RECEIVED.c.trace).group_by(RECEIVED.c.trace).order_by(_NUMBER.desc())
    with current_store().write() as connection:
        connection.execute(insert(RECEIVED), rows)
        kept = connection.scalars(newest.limit(MOST_TRACES)).all()
        connection.execute(delete(RECEIVED).where(RECEIVED.c.trace.not_in(kept)))


def read_traces() -> list[ReceivedTrace]:
    """Return the traces of which spans have come, the latest first; StoreError."""
    sums = func.sum(RECEIVED.c.spans), func.sum(RECEIVED.c.size), func.max(RECEIVED.c.came)
    traces = select(RECEIVED.c.trace, _NUMBER, *sums).group_by(RECEIVED.c.trace)
    with current_store().read() as connection:
        rows = connection.execute(traces.order_by(_NUMBER.desc()))
        return [ReceivedTrace(*row) for row in rows]


def read_spans(trace_id: str) -> list[TraceSpan]:
    """Return the spans of a trace that have come, each once; none without it. StoreError."""
    statement = (
        select(RECEIVED.c.body).where(RECEIVED.c.trace == trace_id).order_by(RECEIVED.c.number)
    )
    with current_store().read() as connection:
        bodies = connection.scalars(statement).all()
    by_id = {}
    for body in bodies:
        for span in _spans.validate_python(unpacked(body)):
            by_id[span.span_id] = span
    return list(by_id.values())


def delete_all() -> None:
    """Delete all that was received. StoreError."""
    with current_store().write() as connection:
        connection.execute(delete(RECEIVED))


def _size(span: TraceSpan) -> int:
    texts = span.name, *span.attributes.values(), *(span.failure or ())
    return sum(len(str(text)) for text in texts)


def read_syntheses(trace: ReceivedTrace) -> list[ImportedRun]:
    """Return the syntheses of a trace, in order; SynthError if it is too large, or unreadable."""
    size_limits.require(size_limits.MOST_SPANS, trace.spans, "It has {} spans", _FEWER)
    size_limits.require(size_limits.MOST_BYTES, trace.size, "It has {} characters", _FEWER)
    return find_syntheses(read_spans(trace.trace_id), silent=trace.silent)


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
        return [*map(_require_ids, find_spans(_read(data)))]
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
    resources = document.setdefault("resourceSpans", [])
    for scope in (scope for resource in resources for scope in resource.get("scopeSpans", ())):
        for span in scope.get("spans", ()):
            for name in ("traceId", "spanId", "parentSpanId"):
                span[name] = b64decode(span.get(name, "")).hex()
            span.setdefault("name", "")
            span.setdefault("startTimeUnixNano", 0)
    return document
