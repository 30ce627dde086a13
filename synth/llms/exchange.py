"""One call of an endpoint: its requests, until one is answered, and what a reply says."""

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from time import monotonic
from typing import Any

import httpx2

from synth.errors import BadResponse
from synth.llms.chat_completions import (
    DONE,
    PATH,
    CallRequest,
    Piece,
    Usage,
    find_refused,
    note_refused,
    read_piece,
    write_body,
)
from synth.llms.complaints import (
    NO_ANSWER,
    ErrorReply,
    RequestFacts,
    as_model_error,
    caused_by,
    hide_key,
    is_error,
    pause,
)
from synth.llms.connection import FAULTS, Connection, Tell
from synth.runs.ends import is_cut, is_known
from synth.runs.steps import Completion, Retry

_UNCOUNTED = "The server gave no usable count of its tokens: those here are counted here."
_LINGER = 0.2  # seconds for what a server sends after the end of its stream
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.InvalidURL)


class Reading:
    """Gathers one answer from a reply, or from the pieces of a streamed one.

    `source` names the model and its host in messages, in which `hide` takes out the key; an answer
    is the model's own text and is left as it is.
    """

    def __init__(self, source: str, hide: Callable[[str], str]) -> None:
        self._source = source
        self._hide = hide
        self._is_chosen = False
        self._is_complete = False
        self._reason: str | None = None
        self._is_counted = False
        self._usage = Usage()
        self._text = StringIO()
        self._reasoning = StringIO()
        self._refusal = StringIO()
        self._other = ""

    @property
    def has_begun(self) -> bool:
        """Return whether anything has arrived that was paid for."""
        parts = (self._text, self._reasoning, self._refusal)
        return self._is_counted or any(part.tell() > 0 for part in parts)

    @property
    def has_ended(self) -> bool:
        """Return whether the server has said that the answer is all there."""
        return self._is_complete or (self._reason is not None and is_known(self._reason))

    def explain_garbled(self) -> BadResponse:
        """Return the error for a reply that can't be read, from its start or after some text."""
        if not self._text.tell():
            return BadResponse(
                f"{self._source} sent no answer of a model: check the base URL, which often ends"
                " in /v1."
            )
        return BadResponse(
            f"{self._source} sent something after {self._text.tell():,} characters that is no"
            " piece of an answer: try again, or check the server."
        )

    def add(self, piece: Piece) -> str:
        """Add a piece, and return its text."""
        if piece.usage is not None:
            self._is_counted = True
            self._usage = _take_larger(self._usage, piece.usage)
        # A usage ends a stream if nothing comes after it: it may be the first piece, or in each.
        self._is_complete = piece.usage is not None and not piece.is_answer
        if not piece.is_answer:
            return ""
        self._is_chosen = True
        # LiteLLM sends the usage with one more choice, which has no reason.
        self._reason = piece.finish_reason or self._reason
        self._other = piece.other or self._other
        self._refusal.write(piece.refusal)
        self._reasoning.write(piece.reasoning)
        self._text.write(piece.text)
        return piece.text

    def end(self) -> None:
        """Take the reply for complete: it came as a whole, or its stream said that it ends."""
        self._is_complete = True

    def reply(self, notes: tuple[str, ...] = ()) -> Completion:
        """Return what has come so far, with the notes."""
        text, reasoning, usage = self._text.getvalue(), self._reasoning.getvalue(), self._usage
        prompt, output = usage.prompt or None, usage.output
        if text or reasoning:  # which took tokens: a count of 0 is none
            output = output or None
        if self._is_counted and (prompt is None or output is None):
            notes = (*notes, _UNCOUNTED)
        return Completion(
            text,
            prompt,
            output,
            self._reason,
            notes,
            reasoning,
            usage.reasoning,
            usage.cached,
            usage.written,
        )

    def completion(self, notes: tuple[str, ...]) -> Completion:
        """Return the whole answer; BadResponse with it as its reply where it is none."""
        reply = self.reply(notes)
        if problem := self._problem(reply):
            error = BadResponse(f"{self._source} {problem}")
            error.reply = reply
            raise error
        return reply

    def _problem(self, reply: Completion) -> str | None:
        """Return why the reply is no answer, in words that follow the name of its source."""
        refusal, other = self._hide(self._refusal.getvalue()), self._hide(self._other)
        has_text = bool(reply.text.strip())
        causes: dict[str, object] = {
            "no answer": not self._is_chosen,
            "refusal": refusal,
            "other": other and not has_text,
            "odd end": not is_known(self._reason),
            "broken off": self._reason is None and not self._is_complete,
            "spent": is_cut(self._reason) and not has_text,
            "reasoning": reply.reasoning and not has_text,
            "empty": not has_text,
        }
        cause = next((cause for cause, applies in causes.items() if applies), None)
        if cause is None:
            return None
        reason, size = self._hide(self._reason or ""), f"{len(reply.text):,} characters"
        return NO_ANSWER[cause].format(refusal=refusal, other=other, reason=reason, size=size)


def _take_larger(before: Usage, after: Usage) -> Usage:
    """Return the larger of each count: a last piece may take an earlier one back."""
    return Usage(
        *(
            max((count for count in pair if count is not None), default=None)
            for pair in zip(vars(before).values(), vars(after).values(), strict=True)
        )
    )


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
