"""What receiving costs: 1,000 spans a second, and an application's own time with the exporter.

    python -m benchmarks.receive [seconds]

The spans are those of a recording, again and again, with OpenTelemetry's own processor and
exporter as they are by default. Beside it, how long the server takes to answer the least request.
Then an application of the real llama-index-core, whose model answers after 20 ms: by turns with
spans that go nowhere, and with spans that go to the server.
"""

import math
import os
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import psutil
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from benchmarks.served import Served, served
from synth.traces import EXAMPLE
from synth.traces.containers import read_spans
from tests.traces.application import Application, ask, nodes
from tests.traces.test_live import CHUNKS
from ui.received import store
from ui.store.store import ADDRESS

_RATE = 1_000
_IN_A_TRACE = 256
_ROUNDS, _QUESTIONS = 15, 2
_ANSWER = 0.02  # seconds
_PAUSE = 0.25  # seconds between two requests for what a page asks
_RATIO_BAR, _ANSWER_BAR = 1.1, 250
"""The application's time, as a share of that without; milliseconds of the server's answer."""


class Confirmed(OTLPSpanExporter):
    """An exporter that counts what the server confirmed."""

    spans = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.spans += len(spans)
        return result


def provider(exporter: OTLPSpanExporter | None) -> TracerProvider:
    """OpenTelemetry with as many attributes as a synthesis has, and an exporter if there is one."""
    made = TracerProvider(span_limits=SpanLimits(max_span_attributes=10_000))
    if exporter is not None:
        made.add_span_processor(BatchSpanProcessor(exporter))
    return made


def send(url: str, seconds: float) -> tuple[int, int]:
    """Make so many seconds' spans at the rate; how many were made, and how many confirmed."""
    recorded, _ = read_spans(EXAMPLE.read_bytes())
    exporter = Confirmed(f"{url}/v1/traces")
    made = provider(exporter)
    tracer = made.get_tracer("benchmark")
    began, sent, parent = time.monotonic(), 0, context.Context()
    while sent < seconds * _RATE:
        if sent % _IN_A_TRACE == 0:
            root = tracer.start_span("root")
            parent = trace.set_span_in_context(root)
            root.end()
        one = recorded[sent % len(recorded)]
        tracer.start_span(one.name, parent, attributes=dict(one.attributes)).end()
        sent += 1
        time.sleep(max(began + sent / _RATE - time.monotonic(), 0))
    made.force_flush(60_000)
    made.shutdown()
    return sent + math.ceil(sent / _IN_A_TRACE), exporter.spans


@contextmanager
def asked(app: Served) -> Iterator[list[float]]:
    """The milliseconds in which the server answers, while this is open."""
    found: list[float] = []
    ended = threading.Event()

    def ask_again() -> None:
        while not ended.wait(_PAUSE):
            began = time.monotonic()
            urllib.request.urlopen(f"{app.url}/_stcore/health").read()
            found.append(1_000 * (time.monotonic() - began))

    thread = threading.Thread(target=ask_again)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


def question_seconds(made: TracerProvider) -> float:
    """How long the application takes for its questions, with spans that go this way."""

    def answered(prompt: str, number: int) -> str:
        time.sleep(_ANSWER)
        return f"answer {number}"

    llm = Application(answered)
    instrumentor = LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=made)
    try:
        began = time.monotonic()
        for _ in range(_QUESTIONS):
            ask(llm, "refine", "What is it?", nodes(CHUNKS))
        return time.monotonic() - began
    finally:
        instrumentor.uninstrument()


def stored() -> tuple[int, int]:
    """The spans that were received, and the traces that they are of."""
    found = store.read_traces()
    return sum(one.spans for one in found), len(found)


def spread(milliseconds: Sequence[float]) -> str:
    """The median and the 95th percentile."""
    return f"{median(milliseconds):,.0f}, {quantiles(milliseconds, n=20)[-1]:,.0f}"


def print_rate(app: Served, seconds: float) -> bool:
    """Print what sending so long comes to; whether nothing is lost and the server answers."""
    process = psutil.Process(app.pid)
    send(app.url, 2)  # what is imported at the first request
    with asked(app) as idle:
        time.sleep(5)
    spans_before, traces_before = stored()
    used = sum(process.cpu_times()[:2])
    with asked(app) as busy:
        began = time.monotonic()
        sent, confirmed = send(app.url, seconds)
        taken = time.monotonic() - began
    received, traces = stored()
    used = sum(process.cpu_times()[:2]) - used
    received, traces = received - spans_before, traces - traces_before
    print(f"| spans made, dropped by its own queue | {sent:,}, {sent - confirmed:,} | 0 |")
    print(f"| spans confirmed, and not there | {confirmed:,}, {confirmed - received:,} | 0 |")
    print(f"| seconds until all were confirmed | {taken:.1f} | |")
    print(f"| traces that hold them | {traces:,} | |")
    print(f"| ms of the server's processor, a span | {1_000 * used / sent:.2f} | |")
    print(f"| ms until the server answers, without spans | {spread(idle)} | |")
    print(f"| ms until the server answers, beside them | {spread(busy)} | median ≤ {_ANSWER_BAR} |")
    return sent == received and median(busy) <= _ANSWER_BAR


def print_application(app: Served) -> bool:
    """Print how long questions take with and without the exporter; whether it is about as long."""
    ways = provider(None), provider(Confirmed(f"{app.url}/v1/traces"))
    for way in ways:
        question_seconds(way)
    pairs = [[question_seconds(way) for way in ways] for _ in range(_ROUNDS)]
    for way in ways:
        way.shutdown()
    ratio = median(second / first for first, second in pairs)
    for words, times in zip(("to nowhere", "to the server"), zip(*pairs, strict=True), strict=True):
        each = 1_000 * median(times) / _QUESTIONS
        print(f"| ms of a question, its spans {words} | {each:.0f} | |")
    print(f"| times the application takes | {ratio:.3f} | ≤ {_RATIO_BAR} |")
    return ratio <= _RATIO_BAR


def main(seconds: float) -> None:
    """Print the table; SystemExit where a bar is missed."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "history.sqlite3"
        os.environ[ADDRESS] = f"sqlite:///{database}"
        with served("server.py", database, own_machine=True) as app:
            print("| what | figure | bar |\n|---|---|---|")
            kept, as_fast = print_rate(app, seconds), print_application(app)
    if not (kept and as_fast):
        sys.exit("A bar is missed.")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
