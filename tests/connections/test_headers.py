"""The headers of every response, and that no page of another origin gets in."""

import socketserver
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from benchmarks.served import served
from benchmarks.visitor import Visitor
from server import Guarded


@pytest.mark.parametrize("path", ["/", "/compare", "/_stcore/health", "/favicon.png"])
def test_a_response_says_what_a_page_may_do(app_url: str, path: str):
    with urllib.request.urlopen(app_url + path) as response:
        headers = response.headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/x/_stcore/metrics"])
def test_what_the_server_measures_is_nobody_elses(app_url: str, path: str):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(app_url + path)


async def test_a_response_to_a_request_that_fails_has_them_too():
    def fails(_):
        raise OSError("/home/somebody")

    app = Starlette(routes=[Route("/", fails)], middleware=[Middleware(Guarded)])
    inside = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=inside, base_url="http://testserver") as client:
        response = await client.get("/")
    assert (response.status_code, response.text) == (500, "Internal Server Error")
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]


BANNER = """
from streamlit.web import bootstrap
bootstrap.load_config_options({"server_headless": True})
bootstrap._print_url(False)
"""
"""What a server says at its start that listens to every address; it is not made to listen here."""


class Proxy(socketserver.ThreadingTCPServer):
    """The proxy by which every request of a server would go out; it keeps what is asked."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), socketserver.StreamRequestHandler)
        self.asked = []

    def finish_request(self, request, client_address):
        self.asked.append(request.recv(1_000))


@pytest.fixture
def proxy(monkeypatch):
    with Proxy() as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{found.server_address[1]}")
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.setenv(name, "127.0.0.1")
        yield found
        found.shutdown()


async def test_a_page_of_another_origin_is_turned_away_without_a_question(proxy):
    with served("server.py") as server:
        async with Visitor(server.url, "marker-700000") as visitor:
            await visitor.open()
        socket = f"ws{server.url.removeprefix('http')}/_stcore/stream"
        for origin in ("http://evil.example", "http://203.0.113.9:8501", "null"):
            with pytest.raises(InvalidStatus, match="403"):
                await connect(socket, origin=origin)
    assert proxy.asked == []


def test_a_server_starts_without_a_question(proxy):
    said = subprocess.run([sys.executable, "-c", BANNER], check=True, capture_output=True).stdout
    assert b"URL: http://localhost:8501" in said
    assert proxy.asked == []
