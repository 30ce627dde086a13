"""The real exporter of an application, and a real server that is killed meanwhile."""

import os
import signal
import threading
from contextlib import ExitStack

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from benchmarks.served import free_ports, served
from synth.traces.containers import read_spans
from tests.eventually import SECONDS, eventually
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.applications import QUESTION
from tests.traces.test_live import CHUNKS
from tests.ui.store.recorded import renewed
from ui.received import store
from ui.store.database import ADDRESS
from ui.store.store import current_store

pytestmark = pytest.mark.slow


@pytest.fixture
def database(tmp_path, monkeypatch):
    file = tmp_path / "history.sqlite3"
    monkeypatch.setenv(ADDRESS, f"sqlite:///{file}")
    renewed(monkeypatch)
    yield file
    current_store().close()


class Confirmed(OTLPSpanExporter):
    def __init__(self, **options):
        super().__init__(**options)
        self.spans = set()

    def export(self, spans):
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.spans |= {f"{span.context.span_id:016x}" for span in spans}
        return result


def test_a_server_that_is_killed_loses_nothing_that_it_confirmed(database, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    port = free_ports(1)
    exporter = Confirmed(endpoint=f"http://127.0.0.1:{port}/v1/traces", timeout=SECONDS)
    # Else it drops what an application makes in the seconds without a server.
    room = {"max_queue_size": 1_000_000, "max_export_batch_size": 32}
    sends = BatchSpanProcessor(exporter, schedule_delay_millis=20, **room)
    answers, go_on = [], threading.Event()

    def application():
        llm = Application()
        while not go_on.is_set():
            answers.append(ask(llm, "refine", QUESTION, nodes(CHUNKS)))

    with recording(beside=sends) as lines, ExitStack() as stack:
        stack.callback(go_on.set)  # also where something fails: other tests are recorded too
        asks = threading.Thread(target=application)
        with served("server.py", database, own_machine=True, port=port) as app:
            asks.start()
            eventually(lambda: len(exporter.spans) > 100, "the first batches are confirmed")
            os.kill(app.pid, signal.SIGKILL)
        before, asked = len(exporter.spans), len(answers)
        eventually(lambda: len(answers) > asked + 3, "the application goes on without a server")
        with served("server.py", database, own_machine=True, port=port):
            eventually(lambda: len(exporter.spans) > before, "batches are confirmed again")
            go_on.set()
            asks.join()
            assert sends.force_flush(SECONDS * 1_000)
    assert all(answer.startswith("answer ") for answer in answers)
    kept = {
        span.span_id for trace in store.read_traces() for span in store.read_spans(trace.trace_id)
    }
    assert exporter.spans <= kept
    made = {span.span_id.removeprefix("0x") for span in read_spans(lines.getvalue())}
    assert kept == made
