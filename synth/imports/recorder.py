"""The recorder that people put into their own applications."""

from __future__ import annotations

RECORDER = """\
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

provider = TracerProvider(span_limits=SpanLimits(max_span_attributes=10_000))
spans = ConsoleSpanExporter(
    out=open("run.jsonl", "w"), formatter=lambda span: span.to_json(indent=None) + "\\n"
)
provider.add_span_processor(SimpleSpanProcessor(spans))
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
"""
"""Code that records the runs of an application with LlamaIndex into the file run.jsonl.

OpenTelemetry keeps 128 attributes of a span unless it is told otherwise: too few for forty
documents.
"""
