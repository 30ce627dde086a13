"""Requests to what a server offers beside `/v1`, under the rules of connection.py."""

import asyncio
from dataclasses import replace
from typing import Any, TypeVar

import httpx2
from pydantic import BaseModel

from synth.llms.connection import client
from synth.llms.endpoint import Endpoint

M = TypeVar("M", bound=BaseModel)

_V1 = "/v1"


class Beside:
    """The endpoints of a server by their paths; `asked` counts the requests that it answered.

    A request has `timeout` seconds and its reply at most `most_bytes`; one of
    `exchange.FAULTS` is raised for every failure, ValueError for a reply of another form.
    """

    def __init__(self, endpoint: Endpoint, timeout: float, most_bytes: int) -> None:
        address = httpx2.URL(endpoint.base_url)
        path = address.path.rstrip("/")
        root = address.copy_with(path=path.removesuffix(_V1) or "/")
        self.endpoint = endpoint
        self.v1 = _V1 if path.endswith(_V1) else ""
        self.timeout = timeout
        self.asked = 0
        self._client = client(replace(endpoint, base_url=str(root)), most_bytes)

    async def get(self, path: str, form: type[M]) -> M:
        """The reply to a GET, validated."""
        return await self._sent("GET", path, None, form)

    async def post(self, path: str, body: dict[str, Any], form: type[M]) -> M:
        """The reply to a POST, validated."""
        return await self._sent("POST", path, body, form)

    async def _sent(self, method: str, path: str, body: dict[str, Any] | None, form: type[M]) -> M:
        async with asyncio.timeout(self.timeout):
            if method == "GET":
                reply = await self._client.get(path, cast_to=httpx2.Response)
            else:
                reply = await self._client.post(path, cast_to=httpx2.Response, body=body)
        self.asked += 1
        return form.model_validate_json(reply.content)

    async def close(self) -> None:
        """Close its connections, in the loop that opened them."""
        await self._client.close()
