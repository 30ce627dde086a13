"""What ends a request, as our errors: each says what happened and what to do."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field

import httpx2
import openai

from synth.errors import ModelError
from synth.llms import messages, said
from synth.llms.connection import TooMuch
from synth.llms.fallbacks import too_long
from synth.llms.messages import Told
from synth.llms.retries import came_of, no_credit, no_handshake


@dataclass(frozen=True)
class Facts:
    """What a message may say of a request; sizes in tokens, `timeout` in seconds.

    A request without a `model` asks the server itself for something. `secret` is the key that
    goes with it, or nothing.
    """

    model: str
    host: str
    timeout: float
    context_window: int
    num_output: int
    secret: str = field(repr=False)

    @property
    def source(self) -> str:
        """Who answers, or does not."""
        return f"{self.model} at {self.host}" if self.model else self.host


def as_model_error(error: Exception, facts: Facts) -> ModelError:
    """Our error for what ended a request; never with the key."""
    kind, message = _told(error, keyed=bool(facts.secret))
    text = message.format(
        source=facts.source,
        host=facts.host,
        what=facts.model or "this request",
        timeout=f"{facts.timeout:g} second{'s' * (facts.timeout != 1)}",
        context_window=facts.context_window,
        num_output=facts.num_output,
        status=getattr(error, "status_code", None),
        location=said.location(error),
        wait=said.wait(error),
        most_bytes=sent.most_bytes if (sent := came_of(error, TooMuch)) else None,
    )
    return kind(f"{text} {said.words(error, facts.secret)}".strip())


def _told(error: Exception, keyed: bool) -> Told:
    """The kind of error, and its message with places for the facts."""
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, keyed)
    if came_of(error, TooMuch):
        return messages.TOO_MUCH
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | httpx2.InvalidURL):
        return _of_connection(error)
    if isinstance(error, openai.OpenAIError | said.ErrorSent):
        return messages.TOO_LONG if too_long(said.complaint(error)) else messages.ERROR
    return next(
        (told for kind, told in messages.OTHERS if isinstance(error, kind)), messages.NO_JSON
    )


def _of_status(error: openai.APIStatusError, keyed: bool) -> Told:
    status = error.status_code
    if no_credit(error):
        return messages.NO_CREDIT
    if status in (401, 403) and not keyed:
        return messages.NO_KEY
    return messages.STATUSES.get(status) or _of_class(error, keyed)


def _of_class(error: openai.APIStatusError, keyed: bool) -> Told:
    """What a status of which nothing more is known means."""
    if error.status_code < 400:
        return messages.REDIRECT
    if error.status_code >= 500:
        return messages.FAILED
    if too_long(said.complaint(error)):
        return messages.TOO_LONG
    return messages.REFUSED if keyed else messages.REFUSED_BARE


def _of_connection(error: Exception) -> Told:
    if came_of(error, ssl.SSLCertVerificationError):
        return messages.UNTRUSTED
    if no_handshake(error):
        return messages.NO_HTTPS
    if came_of(error, httpx2.DecodingError):
        return messages.UNPACKED
    unreachable = came_of(error, httpx2.ConnectError, httpx2.InvalidURL)
    return messages.UNREACHABLE if unreachable else messages.BROKEN
