"""The address of requests and their key: the rules that keep a key from other servers."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx2

from synth.errors import AuthFailed, MissingKey, SynthError

_SECRET = re.compile(r"key|token|secret|sig|pass|auth|code", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}


OPENAI = "https://api.openai.com/v1"
LISTED = "SYNTH_ENDPOINTS"
"""The environment variable that lists the only addresses to which this process sends."""


@dataclass(frozen=True)
class Endpoint:
    """An address and its key; `host` is what messages call it, without any password."""

    base_url: str
    host: str
    key: str = field(repr=False)
    needs_key: bool

    @classmethod
    def of(cls, api_key: str | None, base_url: str | None) -> Endpoint:
        """Return the endpoint of these arguments, completed from the environment.

        A `base_url` that was passed in never gets the environment's key: whoever chooses the
        address must not be sent somebody else's key. SynthError if it is no web address, or not
        one of those in SYNTH_ENDPOINTS, to the letter, where that is set.
        """
        address = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).strip()
        url = _url(address)
        listed = os.environ.get(LISTED, "").split()
        if listed and address not in listed:
            raise SynthError(
                f"This server sends to no address but {' or '.join(listed)}: take one of these, or"
                " another model."
            )
        host = f"{url.host}:{url.port}" if url.port else url.host
        key = api_key or (None if base_url else os.environ.get("OPENAI_API_KEY")) or ""
        return cls(address, host, key.strip(), address == OPENAI)

    @property
    def secrets(self) -> str:
        """List what no message may show, a line each: the key, and secrets of an address."""
        url = _url(self.base_url)
        values = [value for name, value in url.params.items() if _SECRET.search(name)]
        return "\n".join(filter(None, [self.key, quote(self.key, safe=""), url.password, *values]))

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of each request: the key, or a word in its place, which some want."""
        return {"Authorization": f"Bearer {self.key or 'none'}"}

    def check_key(self) -> None:
        """Raise MissingKey or AuthFailed where a request could only fail."""
        if self.needs_key and not self.key:
            raise MissingKey(
                f"{self.host} needs an API key and got none: give one, or the base URL of a"
                " server that needs none."
            )
        if not self.key.isascii() or not self.key.isprintable():
            problem = AuthFailed("The API key has characters that no key has: copy it again.")
            problem.sent = False
            raise problem


def origin(address: str) -> str:
    """Return scheme, host and port, alike however one writes a server; SynthError for none."""
    url = _url(address.strip())
    host = url.raw_host.decode("ascii")  # letters of another alphabet don't look like ours there
    host = f"[{host}]" if ":" in host else host
    port = "" if url.port in (None, _PORTS[url.scheme]) else f":{url.port}"
    return f"{url.scheme}://{host}{port}"


def _url(address: str) -> httpx2.URL:
    try:
        url = httpx2.URL(address)
        host = url.raw_host.decode("ascii")
        # The resolver checks this too, but it would fail in the middle of a request.
        possible = bool(host.encode("idna")) and (":" in host or "%" not in host)
    except (httpx2.InvalidURL, ValueError):
        possible = False
    if not possible or url.scheme not in ("http", "https") or not 0 <= (url.port or 0) <= 65535:
        raise SynthError(
            "The base URL must be a full address, such as http://localhost:11434/v1. The name of"
            " its host has no space, no % and at most 63 characters between two dots."
        )
    return url
