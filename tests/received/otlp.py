"""Spans as a request of OTLP, and what a receiver needs to take one in a test."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from synth.traces.spans import TraceSpan

TRACE, OWN = "ab" * 16, "cd" * 8


def span(name: str = "step", id: str = OWN, trace: str = TRACE, **attributes: object) -> TraceSpan:
    found = {key.replace("_", "."): value for key, value in attributes.items()}
    return TraceSpan(trace, id, None, name, 1.7e9, 1.7e9 + 1, found, service="bot")


def request(spans: Iterable[TraceSpan]) -> ExportTraceServiceRequest:
    ordered = sorted(spans, key=lambda span: span.service)
    return ExportTraceServiceRequest(
        resource_spans=[
            ResourceSpans(
                resource=Resource(attributes=[_pair("service.name", service)]),
                scope_spans=[ScopeSpans(spans=[_span(each) for each in own])],
            )
            for service, own in groupby(ordered, lambda span: span.service)
        ]
    )


def _span(span: TraceSpan) -> Span:
    failure = span.failure
    status = Status(code=Status.STATUS_CODE_ERROR, message=failure.message) if failure else None
    events = []
    if failure and failure.kind:
        about = [
            _pair("exception.type", failure.kind),
            _pair("exception.message", failure.message),
        ]
        events.append(Span.Event(attributes=about))
    return Span(
        trace_id=bytes.fromhex(span.trace_id.removeprefix("0x")),
        span_id=bytes.fromhex(span.span_id.removeprefix("0x")),
        parent_span_id=bytes.fromhex((span.parent_id or "").removeprefix("0x")),
        name=span.name,
        start_time_unix_nano=round(span.start * 1e6) * 1_000,
        end_time_unix_nano=round(span.end * 1e6) * 1_000,
        attributes=[_pair(key, value) for key, value in span.attributes.items()],
        status=status,
        events=events,
    )


def _pair(key: str, value: object) -> KeyValue:
    return KeyValue(key=key, value=_any(value))


def _any(value: object) -> AnyValue:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return AnyValue(array_value=ArrayValue(values=[_any(each) for each in value]))
    kinds = {bool: "bool_value", int: "int_value", float: "double_value", str: "string_value"}
    found: Any = {kinds[type(value)]: value}
    return AnyValue(**found)
