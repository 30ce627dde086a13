"""One call of an endpoint: its requests, until one is answered or none may be sent again."""

import asyncio
import json
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

import httpx2

from synth.llms.background import Tell
from synth.llms.chat_completions import (
    DONE,
    PATH,
    CallRequest,
    find_refused,
    note_refused,
    read_piece,
    write_body,
)
from synth.llms.complaints import ErrorReply, hide_key, is_error
from synth.llms.connection import FAULTS, Connection
from synth.llms.failures import RequestFacts, as_model_error, caused_by, pause
from synth.llms.replies import Reading
from synth.runs.steps import Completion, Retry

_LINGER = 0.2  # seconds for what a server sends after the end of its stream
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.InvalidURL)


@dataclass
class Exchange:
    """The requests of one call; all of them together have `facts.timeout` seconds.

    Arguments that are `refused` are left out; those that a successful request had to leave out are
    added to them.
    """

    connection: Connection
    request: CallRequest
    facts: RequestFacts
    refused: set[str]
    max_retries: int
    _retries: int = field(default=0, init=False)
    _next: Retry | None = field(default=None, init=False)
    _is_reached: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._left_out = set(self.refused)
        self._ends = monotonic() + self.facts.timeout

    async def go_on(self, tell: Tell) -> Completion | Retry:
        """Take the next step, which is a request or the wait before one, and tell its text.

        ModelError once no further request could help or there is no time for one.
        """
        if self._next is not None and self._next.wait:
            await asyncio.sleep(self._next.wait)
            self._next = Retry(self._next.problem, self._next.tries)
            return self._next
        reading = Reading(self.facts.source, partial(hide_key, self.facts.endpoint.secrets))
        body = write_body(self.request, self.facts.endpoint.host, self._left_out)
        try:
            async with asyncio.timeout(self._ends - monotonic()):
                await self._request(body, reading, tell)
        except FAULTS as error:
            if isinstance(error, ErrorReply) or not reading.has_ended:
                self._next = self._after(error, reading, body)
                return self._next
        return reading.completion(note_refused(self.request, self._left_out))

    async def _request(self, body: dict[str, Any], reading: Reading, tell: Tell) -> None:
        async with (
            self.connection.open(PATH, body) as reply,
            aclosing(reply.events()) as events,
        ):
            self.refused |= self._left_out
            async for data in events:
                if data.strip() == DONE:
                    reading.end()
                    break
                if data.strip() and not data.lstrip().startswith(":"):
                    text = self._add(data, reading)
                    if text and self.request.streamed:
                        tell(text)
            if reply.is_whole:
                reading.end()
            with suppress(*FAULTS):  # a connection that was read to its end serves again
                async with asyncio.timeout(_LINGER):
                    async for _ in events:
                        pass

    def _add(self, data: str, reading: Reading) -> str:
        """Add what came to the answer, and return its text; other events are left out."""
        value = json.loads(data)
        piece = read_piece(value)
        text = reading.add(piece) if piece is not None else ""
        if is_error(value, is_answer=piece is not None):
            raise ErrorReply(value)
        if not isinstance(value, dict):
            raise reading.explain_garbled()
        if piece is not None and piece.error:
            raise ErrorReply(piece.error)
        return text

    def _after(self, error: Exception, reading: Reading, body: dict[str, Any]) -> Retry:
        """Return the next step after a request that failed; ModelError if there is none."""
        problem = as_model_error(error, self.facts)
        self._is_reached |= caused_by(error, *_NOT_CONNECTED) is None
        problem.sent = self._is_reached
        if reading.has_begun:
            if isinstance(error, ValueError | RecursionError):
                problem = reading.explain_garbled()
            problem.reply = reading.reply()
            raise problem from None
        tries = 2 if self._next is None else self._next.tries + 1
        if isinstance(error, ErrorReply):
            refused = find_refused(error.complaint, body, self._left_out)
            if refused is not None:
                self._left_out.add(refused)
                return Retry(problem, tries)
        seconds = pause(error, self._retries)
        is_spent = self._retries == self.max_retries
        if seconds is None or is_spent or monotonic() + seconds >= self._ends:
            raise problem from None  # not "from error": a client's message may quote the key
        self._retries += 1
        return Retry(problem, tries, seconds)
