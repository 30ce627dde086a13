"""What was received is kept, each span once, as much as fits, also by a server that is killed."""

import gzip
import os
import random
import signal
import threading
import zlib
from contextlib import ExitStack, suppress

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from benchmarks.served import free_ports, served
from synth.errors import ImportedRunError
from synth.traces import IMPORTED, read, size_limits
from synth.traces.containers import read_spans
from synth.traces.spans import Failure
from tests.eventually import SECONDS, eventually
from tests.received.otlp import request, span
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.applications import QUESTION, of_app
from tests.traces.recordings import in_order, told
from tests.traces.test_live import CHUNKS
from tests.ui.store.recorded import renewed
from ui.received import store
from ui.received.store import TooLargeError, UnreadableError, decode
from ui.store.store import ADDRESS, current_store

RECORDED = (
    "router",
    "sub questions",
    "asked again after a failure",
    "three questions at once",
    "chat engine that streams",
)


@pytest.fixture(scope="module")
def recordings():
    return [of_app(name) for name in RECORDED]


def sent(*spans):
    return request(spans).SerializeToString()


@pytest.mark.slow
@given(
    at=st.integers(0, len(RECORDED) - 1),
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.integers(1, 40)),
)
@settings(max_examples=8, phases=[Phase.generate])  # to shrink one would take minutes
def test_batches_in_any_order_some_twice_give_the_runs_of_the_file(
    recordings, tmp_path_factory, at, seed, sizes
):
    data = recordings[at]
    spans = in_order(data)
    chosen = random.Random(seed)
    chosen.shuffle(spans)
    batches = []
    for size in [*sizes, len(spans)]:
        batches.append(spans[:size])
        spans = spans[size:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ADDRESS, f"sqlite:///{tmp_path_factory.mktemp('received')}/h.sqlite3")
        renewed(patch)
        for batch in [*batches, *chosen.choices(batches, k=2)]:
            store.add(decode(sent(*batch)))
        found = [one for trace in store.read_traces() for one in store.read_syntheses(trace)]
        current_store().close()
    runs = [run for run in read(data) if run.mode != IMPORTED]
    assert runs
    assert {one.identity: told(one) for one in found} == {run.identity: told(run) for run in runs}


def trace_of(number):
    return f"{number + 1:032x}"


def test_the_oldest_go_first(history, monkeypatch):
    monkeypatch.setattr(store, "MOST_TRACES", 3)
    for number in (0, 1, 2, 0, 3):
        store.add([span(trace=trace_of(number))])
    assert [trace.trace_id for trace in store.read_traces()] == list(map(trace_of, (3, 0, 2)))


@pytest.mark.parametrize(("most", "words"), [("MOST_SPANS", "spans"), ("MOST_BYTES", "char")])
def test_a_trace_is_read_that_is_as_large_as_a_file_may_be(history, monkeypatch, most, words):
    store.add([span(id=f"{number + 1:016x}") for number in range(4)])
    [trace] = store.read_traces()
    monkeypatch.setattr(size_limits, most, 3)
    with pytest.raises(ImportedRunError, match=f" {words}.*3 is the limit"):
        store.read_syntheses(trace)


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


@pytest.mark.slow
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
    made = {span.span_id.removeprefix("0x") for span in read_spans(lines.getvalue())[0]}
    assert kept == made


SPANS = [
    span(id="1" * 16, openinference_span_kind="LLM"),
    span(id="2" * 16, llm_prompts=["one", "two"], user_id="somebody"),
    span(id="3" * 16, output_value="连接 🚀"),
]


def test_what_is_read_of_a_span_is_there_and_no_more():
    one = span(openinference_span_kind="LLM", llm_prompts=["one", "two"], user_id="somebody")
    [found] = decode(sent(one))
    assert found.attributes == {"openinference.span.kind": "LLM", "llm.prompts": ["one", "two"]}
    assert (found.service, found.start, found.end) == ("bot", 1.7e9, 1.7e9 + 1)
    failure = Failure("ValueError", "it broke")
    [failed] = decode(sent(type(one)(**{**vars(one), "failure": failure})))
    assert failed.failure == failure


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_it_may_be_packed(pack):
    data = sent(*SPANS)
    assert decode(pack(data), packed=True) == decode(data)
    with pytest.raises(UnreadableError, match="ends in the middle"):
        decode(pack(data)[:-9], packed=True)


def test_what_unpacks_to_too_much_is_refused_before_it_is_held(monkeypatch):
    monkeypatch.setattr(store, "MOST_REQUEST", 1_000)
    with pytest.raises(TooLargeError, match="32,000,000 bytes"):
        decode(gzip.compress(bytes(10**6)), packed=True)


def test_a_span_with_too_many_attributes_is_refused(monkeypatch):
    monkeypatch.setattr(size_limits, "MOST_ATTRIBUTES", 5)
    many = span(**{f"a{number}": number for number in range(6)})
    with pytest.raises(UnreadableError, match="more than 5 attributes"):
        decode(sent(many))


@pytest.mark.parametrize(
    "change",
    [
        {"trace_id": b""},
        {"span_id": bytes(8)},
        {"span_id": b"short"},
        {"parent_span_id": b"short"},
        {"end_time_unix_nano": 2**64 - 1},
    ],
)
def test_a_request_with_a_span_that_is_none_is_refused(change):
    message = request(SPANS)
    for name, value in change.items():
        setattr(message.resource_spans[0].scope_spans[0].spans[1], name, value)
    with pytest.raises(UnreadableError, match=r"no valid id|can't be read"):
        decode(message.SerializeToString())


@given(data=st.binary(max_size=200), packed=st.booleans())
def test_any_bytes_are_read_or_refused(data, packed):
    for body in (data, sent(*SPANS)[:-20] + data):
        with suppress(UnreadableError):
            decode(body, packed=packed)
