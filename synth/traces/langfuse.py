"""Spans that Langfuse took in and exported: `{"trace": ..., "observations": [...]}`.

Attributes are text in an observation's metadata, inputs and outputs fields of its own. The question
and the answer of an application may stand in the trace alone, as JSON texts.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AliasGenerator, BaseModel, ConfigDict, Json
from pydantic.alias_generators import to_camel

from synth.traces.spans import (
    Failure,
    Time,
    TraceSpan,
    seconds,
    select_attributes,
    validate_each,
)

_KINDS = {"GENERATION": "LLM"}  # others have the names of OpenInference


class _Metadata(BaseModel):
    attributes: dict[str, Any] = {}


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
    metadata: Json[_Metadata] | _Metadata | None = None

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


class _Trace(BaseModel):
    input: Any = None
    output: Any = None


class _Export(BaseModel):
    observations: list[Any]
    trace: _Trace | None = None

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


def spans(document: Mapping[str, Any]) -> Iterator[TraceSpan]:
    """Yield the spans of one exported trace; pydantic's ValidationError for what is none."""
    export = _Export.model_validate(document)
    for observation in validate_each(_Observation, export.observations):
        yield export.of_trace(observation).flat()
