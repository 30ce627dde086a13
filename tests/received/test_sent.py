"""The real exporter of an instrumented application, and a real server: its runs are the file's."""

import os
import signal
import threading
from contextlib import ExitStack

import pytest
from llama_index.core.base.llms.types import LLMMetadata
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from benchmarks.served import free_ports, served
from synth.traces import read
from synth.traces.containers import spans_in
from synth.traces.notes import NO_SYNTHESIS
from tests.eventually import SECONDS, eventually
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.applications import APPS
from tests.traces.grown import told
from tests.traces.query_engines import QUESTION
from tests.traces.test_live import CHUNKS
from tests.ui.store.recorded import renewed
from ui.received import store, whose
from ui.store.database import ADDRESS
from ui.store.store import current_store

pytestmark = pytest.mark.slow
TOKEN = "a token, with a comma"
HEADER = "Authorization=Bearer%20a%20token%2C%20with%20a%20comma"


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("received") / "history.sqlite3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ADDRESS, f"sqlite:///{file}")
        renewed(patch)
        yield file
        current_store().close()


@pytest.fixture(scope="module")
def exporter(database):
    """What the environment of an application says, beside a server that is nobody's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(whose.TOKEN, TOKEN)
        with served("server.py", database) as app:
            patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", app.url)
            patch.setenv("OTEL_EXPORTER_OTLP_HEADERS", HEADER)
            patch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
            patch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", str(SECONDS))
            yield OTLPSpanExporter


def latest():
    return max((trace.number for trace in store.traces()), default=0)


def traces(since):
    return [trace for trace in store.traces() if trace.number > since]


def received(since):
    found = [one for trace in traces(since) for one in store.syntheses(trace)]
    assert not any(one.incomplete for one in found)
    return {one.run.identity: told(one.run) for one in found}


@pytest.mark.parametrize(
    "name", ["chat engine that streams", "agent with a query engine", "sub questions"]
)
def test_what_an_application_sends_and_its_file_are_one_run(exporter, name):
    since = latest()
    sends = BatchSpanProcessor(exporter(), schedule_delay_millis=50)
    with recording(beside=sends) as lines:
        APPS[name].start()
        assert sends.force_flush()
    runs = [run for run in read(lines.getvalue()) if NO_SYNTHESIS not in run.notes]
    assert len(runs) == APPS[name].runs
    assert received(since) == {run.identity: told(run) for run in runs}


class Confirmed(OTLPSpanExporter):
    def __init__(self, **options):
        super().__init__(**options)
        self.spans = set()

    def export(self, spans):
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.spans |= {f"{span.context.span_id:016x}" for span in spans}
        return result


def test_a_server_that_is_killed_loses_nothing_that_it_confirmed(database):
    port, since = free_ports(1), latest()
    exporter = Confirmed(endpoint=f"http://127.0.0.1:{port}/v1/traces", timeout=SECONDS)
    # Else it drops what an application makes in the seconds without a server.
    room = {"max_queue_size": 1_000_000, "max_export_batch_size": 32}
    sends = BatchSpanProcessor(exporter, schedule_delay_millis=20, **room)
    answers, go_on = [], threading.Event()

    def application():
        metadata = LLMMetadata(context_window=1_400, num_output=64)
        llm = Application(lambda prompt, number: f"answer {number}", metadata)
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
    kept = {span.span_id for trace in traces(since) for span in store.spans(trace.trace_id)}
    assert exporter.spans <= kept
    made = {span.span_id.removeprefix("0x") for span in spans_in(lines.getvalue())}
    assert kept == made
