"""Applications of other frameworks and clients, recorded in environments of their own.

    python -m tests.traces.frameworks.record MODULE INSTRUMENTOR ... spans.json

MODULE of this folder has the applications of one framework, as functions of the address of an
endpoint, in `APPS`. An INSTRUMENTOR is a module and a class in it, with a colon between. What an
application leaves is spans, and log records where its instrumentation writes messages into these.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from opentelemetry import _logs, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import ConsoleLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

from tests.fake_openai import Answer, FakeOpenAI, Reply, Request

QUESTION = "Who repaired the pump?"
CHUNKS = [
    f"Page {number} of the log. "
    + " ".join(f"On day {number}{day} the {what} was {day * 7 + number} bar." for day in range(6))
    for number, what in enumerate(["intake", "valve", "outlet", "tank"], 1)
]
TRACER = trace.get_tracer("application")


class Endpoint(FakeOpenAI):
    """An endpoint whose answers are known by the number of their call."""

    def reply_to(self, request: Request) -> Reply:
        self.requests.append(request)
        number, messages = len(self.requests), str(request.body["messages"])
        if "Score:" in messages:
            return Answer(f"It was Ada\nScore: {number}")
        if request.body.get("tools") and "tool_call_id" not in messages:
            function = {"name": "search", "arguments": json.dumps({"query": QUESTION})}
            call = {"id": "1", "type": "function", "function": function}
            return Answer(None, "tool_calls", more={"tool_calls": [call]})
        return Answer(f"answer {number} is so")


def main() -> None:
    """Write what is recorded of each application, by its name, into a file."""
    module, *instrumentors, path = sys.argv[1:]
    recorded: dict[str, list[dict[str, Any]]] = {}

    def keep(record: Any) -> str:
        row = json.loads(record.to_json(indent=None)) | {"resource": {}}
        for rows in [*recorded.values()][-1:]:
            rows.append(row)
        return ""

    provider = TracerProvider(span_limits=SpanLimits(max_span_attributes=10_000))
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(formatter=keep)))
    trace.set_tracer_provider(provider)
    logs = LoggerProvider()
    exporter = ConsoleLogRecordExporter(formatter=keep)
    logs.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    _logs.set_logger_provider(logs)
    for each in instrumentors:
        place, name = each.split(":")
        getattr(import_module(place), name)().instrument()
    for start in import_module(f"tests.traces.frameworks.{module}").APPS:
        recorded[start.__name__.replace("_", " ")] = []
        with Endpoint() as endpoint:
            start(endpoint.base_url)
        provider.force_flush()
    Path(path).write_text(json.dumps(recorded), "utf-8")


if __name__ == "__main__":
    main()
