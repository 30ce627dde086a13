"""Runs from where they are: the spans of a project of Phoenix, or of Langfuse, over HTTP.

Keys come from the environment, and go to the address that was given and nowhere else: no
redirect is followed. PHOENIX_API_KEY is Phoenix's. An address is Langfuse's where LANGFUSE_HOST
names it, or it is one of Langfuse's own; only there LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY go.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from synth.documents.records import Contents
from synth.errors import ImportedRunError, extra
from synth.llms.local_hosts import is_local
from synth.traces import read, size_limits
from synth.traces.imported_run import ImportedRun, Loss

if TYPE_CHECKING:
    import httpx2

_PAGE = 100  # spans
_SECONDS = 30.0  # for one page
_LANGFUSE_KEYS = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")


def read_server(address: str, project: str | None = None) -> list[ImportedRun]:
    """Read the runs in the newest spans of a server, up to 10 MB; ImportedRunError for none.

    Of Phoenix those of a project, "default" where none is named.
    """
    with extra("openai"):
        import httpx2  # noqa: PLC0415

    public, secret = (os.environ.get(name, "") for name in _LANGFUSE_KEYS)
    is_langfuse = project is None and _is_langfuse(address)
    key = os.environ.get("PHOENIX_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key and not is_langfuse else {}
    pages: list[Any] = []
    notice = ""
    size = 0
    try:
        with httpx2.Client(
            auth=(public, secret) if is_langfuse and secret else None,
            headers=headers,
            timeout=_SECONDS,
            trust_env=not is_local(address),  # no proxy is asked for what is on this machine
        ) as client:
            for text in _pages(client, address.rstrip("/"), project or "default", is_langfuse):
                size += len(text)
                if size > size_limits.MOST_BYTES or len(pages) * _PAGE >= size_limits.MOST_SPANS:
                    notice = (
                        f"The newest {len(pages) * _PAGE:,} spans were read, and older ones not."
                    )
                    break
                pages.append(json.loads(text))
    except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
        reason = str(problem) or type(problem).__name__
        raise ImportedRunError(
            f"{address} can't be read ({reason}): start it, or check the address."
        ) from problem
    runs = read(Contents(list(enumerate(pages, 1))))
    return [replace(run, notes=(*run.notes, Loss(notice))) for run in runs] if notice else runs


def _is_langfuse(address: str) -> bool:
    """Return whether this is the origin that LANGFUSE_HOST names, or one of Langfuse's own."""
    try:
        asked, named = (urlsplit(each) for each in (address, os.environ.get("LANGFUSE_HOST", "")))
    except ValueError:  # no address, which asking it says
        return False
    own = asked.scheme == "https" and f".{asked.hostname}".endswith(".langfuse.com")
    return own or (asked.scheme, asked.netloc) == (named.scheme, named.netloc)


def _pages(client: httpx2.Client, address: str, project: str, is_langfuse: bool) -> Iterator[bytes]:
    path = f"/v1/projects/{quote(project, safe='')}/spans"
    url = address + ("/api/public/observations" if is_langfuse else path)
    at: Mapping[str, Any] | None = {}
    while at is not None:
        response = client.get(url, params={"limit": _PAGE, **at})
        if response.status_code != 200:
            raise ImportedRunError(_explain(url, response.status_code, is_langfuse))
        yield response.content
        at = _next(response)


def _next(response: httpx2.Response) -> Mapping[str, Any] | None:
    """Return what asks for the page after this one; None after the last."""
    try:
        page = response.json()
        meta = page.get("meta")
    except (ValueError, AttributeError, RecursionError):
        raise ImportedRunError(
            f"{response.url} answers with no object of JSON: is it a server of Phoenix or Langfuse?"
        ) from None
    if isinstance(meta, dict) and meta.get("page", 0) < meta.get("totalPages", 0):
        return {"page": meta["page"] + 1}
    cursor = page.get("next_cursor")
    return {"cursor": cursor} if cursor and page.get("data") else None


def _explain(url: str, status: int, is_langfuse: bool) -> str:
    names = " and ".join(_LANGFUSE_KEYS) if is_langfuse else "PHOENIX_API_KEY"
    reasons = {
        401: f"set {names}",
        403: f"set {names} to a key that may read it",
        404: "name a project of Phoenix with --project, or check the address; for Langfuse set"
        f" LANGFUSE_HOST, {' and '.join(_LANGFUSE_KEYS)}",
    }
    return f"{url} answers with status {status}: {reasons.get(status, 'try again later')}."
