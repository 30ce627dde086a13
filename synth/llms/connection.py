"""The HTTP client: it follows no redirect and limits the size of a reply."""

import ssl
import weakref
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx2
import openai
from typing_extensions import override

from synth.llms import background
from synth.llms.endpoint import Endpoint

_NO_KEY = "none"  # the SDK insists on one
# The SDK adds what OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS say.
_NEEDED = {
    *("accept", "accept-encoding", "authorization", "connection"),
    *("content-length", "content-type", "host", "user-agent"),
}


class TooMuch(Exception):
    """A reply has more than `most_bytes`."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(f"more than {most_bytes:,} bytes")
        self.most_bytes = most_bytes


def client(endpoint: Endpoint, most_bytes: int) -> openai.AsyncOpenAI:
    """A client without retries or timeouts of its own; a reply of more bytes is TooMuch.

    MissingKey or AuthFailed for a key that every server refuses.
    """
    endpoint.check_key()
    address = httpx2.URL(endpoint.base_url)
    return openai.AsyncOpenAI(
        api_key=endpoint.key or _NO_KEY,
        base_url=address.copy_with(query=None, fragment=None),
        default_query=dict(address.params),
        timeout=None,
        max_retries=0,
        http_client=_Bounded(most_bytes, endpoint),
    )


def close_with(owner: object, sdk_client: openai.AsyncOpenAI) -> None:
    """Close a client in the loop that opened its connections, once its owner is gone."""
    weakref.finalize(owner, lambda: background.start(sdk_client.close())).atexit = False


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates are believed, read once: it takes as long as a dozen requests here."""
    return httpx2.create_ssl_context()


class _Bounded(openai.DefaultAsyncHttpxClient):
    """Reads at most so many bytes of a reply, counted after decompression.

    To an address that was chosen it sends no header of the environment.
    """

    def __init__(self, most_bytes: int, endpoint: Endpoint) -> None:
        # Whoever answers must be the host that the page names.
        super().__init__(follow_redirects=False, verify=_trusted())
        self._most_bytes = most_bytes
        self._endpoint = endpoint

    @override
    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        if self._endpoint.chosen:
            for name in request.headers.keys() - _NEEDED:
                del request.headers[name]
            request.headers["authorization"] = f"Bearer {self._endpoint.key or _NO_KEY}"
        received = await super().send(request, stream=True, **options)
        headers = httpx2.Headers(received.headers)
        headers.pop("content-encoding", None)  # what `_Body` hands on is decompressed
        response = httpx2.Response(
            received.status_code,
            headers=headers,
            stream=_Body(received, self._most_bytes),
            request=request,
            extensions=received.extensions,
        )
        if not stream:
            try:
                await response.aread()
            finally:
                await response.aclose()
        return response


class _Body(httpx2.AsyncByteStream):
    def __init__(self, received: httpx2.Response, most_bytes: int) -> None:
        self._received = received
        self._most_bytes = most_bytes

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for piece in self._received.aiter_bytes():
            read += len(piece)
            if read > self._most_bytes:
                raise TooMuch(self._most_bytes)
            yield piece

    @override
    async def aclose(self) -> None:
        await self._received.aclose()
