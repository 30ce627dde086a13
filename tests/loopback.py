"""What the fake servers on the loopback interface have in common."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Handler(BaseHTTPRequestHandler):
    fake: Any
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # what follows the headers would wait for 40 ms

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""

    def handle(self) -> None:
        with suppress(OSError):  # the client has left
            super().handle()

    def send(
        self,
        data: bytes,
        content_type: str = "application/json",
        status: int = 200,
        headers: Mapping[str, str] = {},
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    """Closes at its end the connections that clients keep, so that its threads end."""

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self._open: set[Any] = set()
        self.connections = 0

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        self.connections += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for request in self._open.copy():
            with suppress(OSError):  # its client has left
                request.shutdown(socket.SHUT_RDWR)


class Loopback:
    """A fake server, as a context manager; `base_url` is its address."""

    def __init__(self, handler: type[Handler]) -> None:
        self.closing = threading.Event()
        own = type("Own", (handler,), {"fake": self})
        self._server = _Server(own)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def connections(self) -> int:
        return self._server.connections

    def stop(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
