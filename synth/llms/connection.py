"""The HTTP client, and the event loop in a thread of its own where every request waits.

The client follows no redirect, limits the size of a reply, and repeats nothing. OpenAI's SDK is not
used, since it hides what a call needs to know here: that a stream has come to its `[DONE]`, and
each request that is sent again, which a cap counts and a person may stop. In the loop a request can
be cancelled at any moment; a thread that waits for a socket can't be.
"""

import asyncio
import json
import re
import ssl
import threading
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, suppress
from functools import cache
from queue import SimpleQueue
from typing import Any, TypeVar

import httpx2

from synth.errors import ModelUnreachable
from synth.llms.complaints import ErrorReply, TooMuch
from synth.llms.endpoint import Endpoint
from synth.llms.local_hosts import is_this_machine

T = TypeVar("T")

Tell = Callable[[str], None]
Work = Callable[[Tell], Coroutine[Any, Any, T]]


_starting = threading.Lock()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="synth-requests", daemon=True).start()
    return loop


def start_work(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin the work in that loop; cancelling the future ends it."""
    with _starting:  # the first calls of a run may come from several threads at once
        loop = _loop()
    return asyncio.run_coroutine_threadsafe(work, loop)


def follow_work(work: Work[T]) -> Iterator[str | T]:
    """Yield what the work does, and then its result; a caller that stops reading ends the work."""
    arrived: SimpleQueue[str | Future[T]] = SimpleQueue()
    future = start_work(work(arrived.put))
    future.add_done_callback(arrived.put)
    try:
        while isinstance(piece := arrived.get(), str):
            yield piece
        yield future.result()
    finally:
        future.cancel()


FAULTS = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    ErrorReply,
    TooMuch,
    TimeoutError,
    RecursionError,  # JSON that is nested too deeply
    ValueError,
    ExceptionGroup,  # of a proxy that is none
)
"""What a server, or an address, can make of a request."""


@cache
def _load_trusted() -> ssl.SSLContext:
    """Return whose certificates are believed, read once: it takes as long as a dozen requests."""
    return httpx2.create_ssl_context()


# After a byte order mark, perhaps. Older llama.cpp has a field of its own for errors.
_FIELD = re.compile(rb"(?:\xef\xbb\xbf)?(?:data|event|id|retry|error)?:")
_DATA = re.compile(rb"(?:\xef\xbb\xbf)?(?:data|error): ?")


class ServerReply:
    """Reads a reply no further than `most_bytes`, which are counted unpacked."""

    def __init__(self, response: httpx2.Response, most_bytes: int) -> None:
        self._response = response
        self._most_bytes = most_bytes
        self.is_whole = False

    async def read(self) -> bytes:
        """Read the whole body."""
        return b"".join([piece async for piece in self._pieces()])

    async def events(self) -> AsyncGenerator[str]:
        """Yield the data of each server-sent event; its other fields and comments are left out.

        A body that is no stream of events, whatever it calls itself, is one and `is_whole`.
        """
        data: list[bytes] = []
        has_begun = False
        async with aclosing(self._lines()) as lines:
            async for line in lines:
                if not has_begun and line.strip():
                    has_begun = True
                    if not _FIELD.match(line):
                        self.is_whole = True
                        yield b"\n".join([line, *[rest async for rest in lines]]).decode()
                        return
                if field := _DATA.match(line):
                    data.append(line[field.end() :])
                elif not line and data:
                    yield b"\n".join(data).decode()
                    data.clear()
        if data:
            yield b"\n".join(data).decode()

    async def _lines(self) -> AsyncGenerator[bytes]:
        rest = bytearray()
        async with aclosing(self._pieces()) as pieces:
            async for piece in pieces:
                rest += piece
                if b"\n" in piece:
                    *lines, rest = rest.split(b"\n")
                    for line in lines:
                        yield bytes(line.removesuffix(b"\r"))
        yield bytes(rest.removesuffix(b"\r"))

    async def _pieces(self) -> AsyncGenerator[bytes]:
        count = 0
        async with aclosing(self._response.aiter_bytes()) as pieces:
            async for piece in pieces:
                count += len(piece)
                if count > self._most_bytes:
                    raise TooMuch(f"more than {self._most_bytes:,} bytes")
                yield piece


class Connection:
    """Sends requests to one endpoint, whose key it checks; closed once its `owner` is gone."""

    def __init__(self, owner: object, endpoint: Endpoint, most_bytes: int) -> None:
        endpoint.check_key()
        address = httpx2.URL(endpoint.base_url)
        self._most_bytes = most_bytes
        try:
            self._client = httpx2.AsyncClient(
                base_url=address.copy_with(query=None, fragment=None),
                params=dict(address.params),
                headers=endpoint.headers,
                timeout=None,
                limits=httpx2.Limits(max_connections=None),
                verify=_load_trusted(),
                trust_env=not is_this_machine(address.host),  # the environment has the proxies
            )
        except (ImportError, OSError, ValueError) as problem:
            raise ModelUnreachable(
                "A proxy, or the certificates, that the environment names can't be used:"
                f" {problem}. Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE."
            ) from problem
        closing = self._client.aclose
        weakref.finalize(owner, lambda: start_work(closing())).atexit = False

    @asynccontextmanager
    async def open(
        self, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncIterator[ServerReply]:
        """Send a body as JSON, or ask without one; ErrorReply for a status of no success."""
        request = self._client.build_request("GET" if body is None else "POST", path, json=body)
        # Whoever answers must be the host that the page names.
        response = await self._client.send(request, stream=True, follow_redirects=False)
        reply = ServerReply(response, self._most_bytes)
        try:
            if not response.is_success:
                content: Any = (await reply.read()).decode(errors="replace")
                with suppress(ValueError, RecursionError):  # it may be no JSON
                    content = json.loads(content)
                raise ErrorReply(content, response.status_code, response.headers)
            yield reply
        finally:
            await response.aclose()

    async def ask(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Ask for the JSON of the reply; one of FAULTS is raised for any other reply."""
        async with self.open(path, body) as reply:
            return json.loads((await reply.read()).decode())
