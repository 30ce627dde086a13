"""Where requests may go: anywhere, to listed addresses, or to what the whole internet reaches.

A server for others restricts this once, for all of its process. Every endpoint is checked when it
is made (`Endpoint.of`), and every client asks here how it connects (`connection.py`).
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from ipaddress import IPv4Address, IPv6Address

import httpx2
from typing_extensions import override

from synth.errors import SynthError

_PORTS = (None, 443, 8443)  # None is https's own
_PATIENCE = 6.0  # seconds for a name and its connections, and until a failure of them is told
_MOST = 3  # addresses of a name that are tried
# As many as calls at once, so that a name whose own servers are slow keeps no other one waiting.
_lookups = ThreadPoolExecutor(256, "lookup")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052
_GLOBAL = ipaddress.IPv6Network("2000::/3")  # RFC 4291; all else is reserved or of one network

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Wait = Callable[[float], Awaitable[None]]


def is_public(address: Address) -> bool:
    """Whether the whole internet reaches an address, and any IPv4 address that is wrapped in it."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if (wrapped := _wrapped(address)) is not None:
        return is_public(wrapped)
    return address in _GLOBAL and address.is_global


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address to which packets for this one go: mapped, 6to4, Teredo or NAT64."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]


async def resolved(host: str, port: int) -> list[str]:
    """All addresses of a name, as the resolver of this machine gives them."""
    look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_lookups, look)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


class PublicTransport(httpx2.AsyncBaseTransport):
    """Connects to the very addresses that were checked, as the one host of all its requests.

    A name is asked for once a request, and refused unless all its addresses are public. Whatever
    keeps a connection from being made is the same ConnectError, after the same time.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, resolve: Resolve, wait: Wait) -> None:
        self._inner, self._resolve, self._wait = inner, resolve, wait

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        now = asyncio.get_running_loop().time
        end = now() + _PATIENCE
        for address in await self._addresses(request.url):
            patience = (end - now()) / 2  # as long again may TLS take
            try:
                return await self._inner.handle_async_request(_to(address, request, patience))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        await self._wait(end - now())
        # Raised out here, it has no cause, so nobody can be told which of them it was.
        raise httpx2.ConnectError("no connection", request=request)

    async def _addresses(self, url: httpx2.URL) -> list[str]:
        """The addresses of the host; none if it has none, or one that is not public."""
        try:
            async with asyncio.timeout(_PATIENCE / 2):
                found = await self._resolve(_host(url), url.port or 443)
            public = all(is_public(ipaddress.ip_address(one)) for one in found)
        except (OSError, ValueError):  # TimeoutError is an OSError; a name may be no possible one
            return []
        return list(found[:_MOST]) if public else []

    @override
    async def aclose(self) -> None:
        await self._inner.aclose()


def _to(address: str, request: httpx2.Request, patience: float) -> httpx2.Request:
    """The request, to be sent to an address; TLS and the Host header still name the host."""
    timeout = {"connect": patience, "read": None, "write": None, "pool": None}
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions=request.extensions | {"sni_hostname": _host(request.url), "timeout": timeout},
    )


def _host(url: httpx2.URL) -> str:
    return url.raw_host.decode("ascii")


@cache
def trusted(*, by_environment: bool) -> ssl.SSLContext:
    """Whose certificates are believed, read once: it takes as long as a dozen requests here."""
    return httpx2.create_ssl_context(trust_env=by_environment)


def _direct() -> httpx2.AsyncBaseTransport:
    return httpx2.AsyncHTTPTransport(verify=trusted(by_environment=False), trust_env=False)


@dataclass(frozen=True)
class Reach:
    """Where requests may go: to any address, or to those in `listed` alone, to the letter.

    With `public_only` they go over https to what the whole internet reaches, by no proxy of the
    environment, and messages tell nothing but the status of what came back; `resolve` and
    `connect` are how names are asked for and connections made, `wait` lets the time of a failure
    pass.
    """

    listed: frozenset[str] | None = None
    public_only: bool = False
    resolve: Resolve = resolved
    connect: Callable[[], httpx2.AsyncBaseTransport] = _direct
    wait: Wait = asyncio.sleep

    def check(self, url: httpx2.URL, address: str) -> None:
        """SynthError for an address that is out of reach by its letters alone."""
        if self.listed is not None and address not in self.listed:
            raise SynthError(
                "This server sends to the endpoints that its operator lists, and to no other"
                " address: choose one by its name, or another model."
            )
        if self.public_only and (
            url.scheme != "https" or url.port not in _PORTS or url.userinfo or "%" in url.host
        ):
            raise SynthError(
                "This server sends to addresses that begin with https://, without a password, on"
                " port 443 or 8443: take such a base URL, or another model."
            )

    def transport(self) -> httpx2.AsyncBaseTransport | None:
        """How a client connects; None where it may connect as it likes."""
        if not self.public_only:
            return None
        return PublicTransport(self.connect(), self.resolve, self.wait)


ANYWHERE = Reach()


class _Holds:
    reach = ANYWHERE


def reach() -> Reach:
    """Where requests of this process may go."""
    return _Holds.reach


def restrict(to: Reach) -> None:
    """Let requests of this process go there alone, from now on."""
    _Holds.reach = to
