"""Spans in OTLP's JSON, with names as OTLP writes them (spanId) or as Phoenix does (span_id)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import AliasChoices, AliasGenerator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from synth.traces.spans import (
    LATEST,
    Failure,
    TraceSpan,
    select_attributes,
    service_of,
    validate_each,
)

_RESOURCES = ("resourceSpans", "resource_spans", "batches")  # the last is Grafana Tempo's
_SCOPES = ("scopeSpans", "scope_spans")
ROOTS = frozenset(_RESOURCES)
_FAILED = (2, "2", "STATUS_CODE_ERROR")
_NANOSECONDS = 1e9


class _Otlp(BaseModel):
    model_config = ConfigDict(
        alias_generator=AliasGenerator(validation_alias=to_camel), validate_by_name=True
    )


class _Value(_Otlp):
    string_value: str | None = None
    int_value: int | None = None
    double_value: float | None = None
    bool_value: bool | None = None
    array_value: _List | None = None
    kvlist_value: _List | None = None

    def plain(self) -> Any:
        """Return the value as Python has it."""
        if self.array_value is not None:
            return [value.plain() for value in validate_each(_Value, self.array_value.values)]
        if self.kvlist_value is not None:
            return _table(self.kvlist_value.values)
        scalars = (self.string_value, self.int_value, self.double_value, self.bool_value)
        return next((value for value in scalars if value is not None), None)


class _List(_Otlp):
    values: list[Any] = []


class _Pair(_Otlp):
    key: str
    value: _Value = Field(default_factory=_Value)


class _Status(_Otlp):
    code: int | str = 0
    message: str = ""


class _Attributed(_Otlp):
    attributes: list[Any] = []


class _Span(_Otlp):
    trace_id: str
    span_id: str
    parent_span_id: str | None = None
    name: str
    start_time_unix_nano: int = Field(ge=0, le=LATEST)
    end_time_unix_nano: int | None = Field(None, ge=0, le=LATEST)
    attributes: list[Any] = []
    status: _Status = Field(default_factory=_Status)
    events: list[Any] = []

    def flat(self, service: str) -> TraceSpan:
        """Return the span as all containers give it."""
        end = self.end_time_unix_nano or self.start_time_unix_nano
        return TraceSpan(
            trace_id=self.trace_id,
            span_id=self.span_id,
            parent_id=self.parent_span_id or None,
            name=self.name,
            start=to_seconds(self.start_time_unix_nano),
            end=to_seconds(end),
            attributes=select_attributes(_table(self.attributes)),
            failure=self._failure(),
            service=service,
        )

    def _failure(self) -> Failure | None:
        if self.status.code not in _FAILED:
            return None
        events = (_table(event.attributes) for event in validate_each(_Attributed, self.events))
        return Failure.of(self.status.message, events)


class _Scope(_Otlp):
    spans: list[Any] = []


class _Resource(_Otlp):
    resource: _Attributed = Field(default_factory=_Attributed)
    scope_spans: list[Any] = Field([], validation_alias=AliasChoices(*_SCOPES))


class _Request(_Otlp):
    resource_spans: list[Any] = Field(validation_alias=AliasChoices(*_RESOURCES))


def to_seconds(nanoseconds: int) -> float:
    """Return a time of OTLP in seconds, to the microsecond: other containers have no more."""
    return round(nanoseconds / _NANOSECONDS, 6)


def _table(pairs: Sequence[Any]) -> Mapping[str, Any]:
    return {pair.key: pair.value.plain() for pair in validate_each(_Pair, pairs)}


def spans(document: Mapping[str, Any]) -> Iterator[TraceSpan]:
    """Yield the spans of one request; pydantic's ValidationError for what is none."""
    for resource in validate_each(_Resource, _Request.model_validate(document).resource_spans):
        service = service_of(_table(resource.resource.attributes))
        for scope in validate_each(_Scope, resource.scope_spans):
            yield from (span.flat(service) for span in validate_each(_Span, scope.spans))
