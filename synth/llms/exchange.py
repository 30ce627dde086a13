"""One call of an endpoint: its requests, until one is answered or none may be sent again."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import httpx2
import openai

from synth.llms.background import Tell
from synth.llms.connection import TooMuch
from synth.llms.failures import RequestFacts, as_model_error
from synth.llms.fallbacks import Arguments, Refusable, adapted, caused_by, notes, pause, refusal
from synth.llms.replies import Reading
from synth.llms.server_errors import ErrorSent, complaint
from synth.runs.steps import Completion, Retry

FAULTS = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    TooMuch,
    ErrorSent,
    TimeoutError,
    RecursionError,
    ValueError,
)
"""What a server, or an address, can make of a request."""

_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.InvalidURL)
_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)


class Exchange:
    """The requests of one call; all of them together have `facts.timeout` seconds.

    Arguments that are `refused` are left out; those that a successful request had to leave
    out are added to them.
    """

    def __init__(
        self,
        client: Callable[[], openai.AsyncOpenAI],
        wanted: Arguments,
        facts: RequestFacts,
        refused: set[Refusable],
        max_retries: int,
        *,
        streamed: bool,
    ) -> None:
        self._client = client
        self._wanted = wanted | _STREAMED if streamed else wanted
        self._facts = facts
        self._known = refused
        self._refused = set(refused)
        self._max_retries = max_retries
        self._retries = 0
        self._streamed = streamed
        self._ends = monotonic() + facts.timeout
        self._next: Retry | None = None
        self._reached = False

    async def go_on(self, tell: Tell) -> Completion | Retry:
        """Take the next step, which is a request or the wait before one, and yield its text.

        ModelError once no further request could help or there is no time for one.
        """
        if self._next is not None and self._next.wait:
            await asyncio.sleep(self._next.wait)
            self._next = Retry(self._next.problem, self._next.tries)
            return self._next
        reading = Reading(self._facts.source, self._facts.secret)
        try:
            async with asyncio.timeout(self._ends - monotonic()):
                await self._request(adapted(self._wanted, self._refused), reading, tell)
                return reading.completion(notes(self._facts.model, self._wanted, self._refused))
        except FAULTS as error:
            self._next = self._after(error, reading)
            return self._next

    async def _request(self, sent: Arguments, reading: Reading, tell: Tell) -> None:
        # Not through `chat.completions`, which builds objects that would be read once more.
        posted: dict[str, Any] = {"path": "/chat/completions", "cast_to": object, "body": sent}
        if not self._streamed:
            reply = await self._client().post(**posted)
            self._known |= self._refused
            reading.add(reply)
            return
        stream = await self._client().post(
            **posted, stream=True, stream_cls=openai.AsyncStream[object]
        )
        self._known |= self._refused
        async with stream:
            # An error, or the answer of a server that can't stream, comes as a whole.
            kind = stream.response.headers.get("content-type", "").lower()
            if "json" in kind or "html" in kind:
                await stream.response.aread()
                tell(reading.add(stream.response.text))
                return
            async for piece in stream:
                if text := reading.add(piece):
                    tell(text)

    def _after(self, error: Exception, reading: Reading) -> Retry:
        """The next step after a request that failed; ModelError if there is none."""
        problem = as_model_error(error, self._facts)
        self._reached |= caused_by(error, *_NOT_CONNECTED) is None
        problem.sent = self._reached
        if reading.begun:
            unreadable = isinstance(error, ValueError | RecursionError)
            raise (reading.garbled() if unreadable else problem) from None
        tries = 2 if self._next is None else self._next.tries + 1
        if isinstance(error, _REFUSALS):
            refused = refusal(complaint(error), self._wanted, self._refused)
            if refused is not None:
                self._refused.add(refused)
                return Retry(problem, tries)
        seconds = pause(error, self._retries)
        spent = self._retries == self._max_retries
        if seconds is None or spent or monotonic() + seconds >= self._ends:
            raise problem from None  # not "from error": the SDK's message may quote the key
        self._retries += 1
        return Retry(problem, tries, seconds)
