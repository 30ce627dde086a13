"""Runs are read from servers of Phoenix and Langfuse, page by page."""

import base64
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from synth.errors import ImportedRunError
from synth.terminal.command import main
from synth.traces import size_limits
from synth.traces.servers import read_server
from tests.loopback import Handler, Loopback
from tests.traces.files import ROWS, langfuse, phoenix

KEYS = {"LANGFUSE_PUBLIC_KEY": "pk-1", "LANGFUSE_SECRET_KEY": "sk-2"}
HOST = "LANGFUSE_HOST"


class Server(Loopback):
    """A server with a page of each span; it asks for a key where it has one."""

    key = ""

    def __init__(self):
        self.asked = []
        super().__init__(Answers)
        self.address = self.base_url.removesuffix("/v1")

    def page(self, path, number):
        if path == "/v1/projects/a%20b/spans":
            rows = [phoenix(row) for row in ROWS]
            return {"data": rows[number : number + 1], "next_cursor": str(number + 1)}
        if path == "/api/public/observations":
            rows = [langfuse(row) for row in ROWS]
            meta = {"page": number, "totalPages": len(rows)}
            return {"data": rows[number - 1 : number], "meta": meta}
        return None


class Answers(Handler):
    def do_GET(self):  # noqa: N802
        url = urlsplit(self.path)
        asked = parse_qs(url.query)
        first = "1" if "observations" in url.path else "0"
        number = int(asked.get("cursor", asked.get("page", [first]))[0])
        self.fake.asked.append((url.path, number))
        page = self.fake.page(url.path, number)
        if self.fake.key and self.headers["Authorization"] != self.fake.key:
            self.send(b"{}", status=401)
        elif page is None:
            self.send(b"{}", status=404)
        else:
            self.send(json.dumps(page).encode())


@pytest.fixture
def server(monkeypatch):
    for name in (*KEYS, HOST, "PHOENIX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as server:
        yield server


def test_a_project_of_phoenix_is_read_to_its_last_page(server, monkeypatch, capsys):
    server.key = "Bearer secret-3"
    with pytest.raises(ImportedRunError, match="status 401: set PHOENIX_API_KEY"):
        read_server(server.address, "a b")
    monkeypatch.setenv("PHOENIX_API_KEY", "secret-3")
    [run] = read_server(f"{server.address}/", "a b")
    assert run.verify().equal
    assert len(server.asked) == len(ROWS) + 2
    assert main(["verify", server.address, "--project", "a b"]) == 0
    assert "same" in capsys.readouterr().out


def test_langfuse_is_asked_with_its_keys(server, monkeypatch):
    server.key = "Basic " + base64.b64encode(b"pk-1:sk-2").decode()
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    for host, project in (("", None), ("https://langfuse.example", None), (server.address, "a b")):
        monkeypatch.setenv(HOST, host)
        with pytest.raises(ImportedRunError, match="status 401: set PHOENIX_API_KEY") as refused:
            read_server(server.address, project)  # another server's, so the keys stay here
        assert "sk-2" not in str(refused.value)
    monkeypatch.setenv(HOST, f"{server.address}/")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    [run] = read_server(server.address)
    assert run.verify().equal


def test_what_is_left_on_the_server_is_said(server, monkeypatch):
    monkeypatch.setattr(size_limits, "MOST_SPANS", 700)
    [run] = read_server(server.address, "a b")
    assert run.losses[-1].startswith("The newest")


def test_what_can_not_be_read_says_why(server):
    with pytest.raises(ImportedRunError, match="status 404: name a project of Phoenix"):
        read_server(server.address)
    server.stop()
    with pytest.raises(ImportedRunError, match="can't be read"):
        read_server(server.address)
