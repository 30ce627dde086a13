"""The route answers as OTLP over HTTP says, takes spans from whom it may, and keeps them first."""

import socket
import sys
import threading
from contextlib import closing
from http.client import HTTPConnection

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTracePartialSuccess
from starlette.applications import Starlette
from starlette.requests import Request
from uvicorn import Config, Server

from tests.eventually import SECONDS, eventually
from tests.received.otlp import request, span
from ui.received import receiver, store
from ui.received.receiver import receive
from ui.session import browser
from ui.store.store import StoreError

PROTOBUF = {"content-type": "application/x-protobuf"}
DATABASES = ["sqlite"]
BODY = request([span()]).SerializeToString()


@pytest.fixture(autouse=True)
def own_machine(monkeypatch, history):
    monkeypatch.setenv("SYNTH_OWN_MACHINE", "1")
    monkeypatch.setattr(browser.st, "get_option", {"server.address": "127.0.0.1"}.get)


async def post(*parts, peer="127.0.0.1", **headers):
    given = {name.replace("_", "-"): text for name, text in headers.items()}
    sent = {"host": "127.0.0.1:8501", **PROTOBUF, **given}
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    coming.append({"type": "http.request", "body": b"", "more_body": False})

    async def take():
        return coming.pop(0)

    raw = [(name.encode(), text.encode()) for name, text in sent.items()]
    scope = {"type": "http", "method": "POST", "path": receiver.PATH, "headers": raw}
    return await receive(Request({**scope, "client": (peer, 5)}, take))


def words(answer):
    """The words of a Status of google.rpc: the field 2, which is that of a partial success."""
    return ExportTracePartialSuccess.FromString(answer.body).error_message


async def test_what_is_taken_is_answered_with_an_empty_response():
    answer = await post(BODY[:9], BODY[9:])
    assert (answer.status_code, answer.body) == (200, b"")
    assert answer.headers["content-type"] == "application/x-protobuf"
    assert [trace.spans for trace in store.read_traces()] == [1]


async def test_spans_wait_until_what_is_loaded_first_is_whole(tmp_path, monkeypatch):
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(0.3)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    receiver.load_first("slow_to_load")
    assert (await post(BODY)).status_code == 200
    assert sys.modules.pop("slow_to_load").whole


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"\xff" * 9, {}, 400),
        (b"{}", {"content_type": "application/json"}, 415),
        (b"\x1f\x8b", {"content_encoding": "gzip"}, 400),
        (BODY, {"content_type": "text/plain"}, 415),
        (BODY, {"content_encoding": "br"}, 415),
        (BODY, {"origin": "http://127.0.0.1:8501"}, 403),
        (BODY, {"origin": "null"}, 403),
        (BODY, {"host": "evil.example:8501"}, 403),
        (BODY, {"x_forwarded_for": "127.0.0.1"}, 403),
        (BODY, {"peer": "192.0.2.9"}, 403),
    ],
)
async def test_what_is_not_taken_has_its_status_and_words(body, headers, status):
    answer = await post(body, **headers)
    assert answer.status_code == status
    assert answer.body
    assert store.read_traces() == []


async def test_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(receiver, "MOST_REQUEST", len(BODY) - 1)
    answer = await post(BODY[:9], BODY[9:])
    assert (answer.status_code, "BATCH_SIZE" in words(answer)) == (413, True)


@pytest.fixture
def port():
    config = Config(Starlette(routes=[receiver.ROUTE]), port=0, log_config=None)
    server = Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    eventually(lambda: server.started, "the server listens")
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


def send(port, body):
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    with closing(connection):
        connection.request("POST", receiver.PATH, body, PROTOBUF)
        return connection.getresponse().status


def test_a_slow_body_holds_up_nobody(port):
    with closing(socket.create_connection(("127.0.0.1", port), SECONDS)) as slow:
        head = f"POST {receiver.PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        head += f"Content-Type: application/x-protobuf\r\nContent-Length: {len(BODY)}\r\n\r\n"
        slow.sendall(head.encode() + BODY[:-1])
        assert send(port, BODY) == 200
        slow.sendall(BODY[-1:])
        assert b" 200 " in slow.recv(99)


async def test_nothing_is_confirmed_that_is_not_kept(monkeypatch):
    def full(spans):
        raise StoreError("The history in h.sqlite3 has no room on its disk: free some space.")

    monkeypatch.setattr(store, "add", full)
    answer = await post(BODY)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "h.sqlite3" not in words(answer)


@pytest.mark.parametrize("own", ["", "0", "yes"])
async def test_elsewhere_than_on_ones_own_machine_none_are_taken(own, monkeypatch):
    monkeypatch.setenv("SYNTH_OWN_MACHINE", own)
    assert (await post(BODY)).status_code == 403
    assert store.read_traces() == []
