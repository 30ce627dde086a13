"""What ends a request, as our errors: each says what happened and what to do."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field

import httpx2
import openai

from synth.errors import (
    AuthFailed,
    BadResponse,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
)
from synth.llms import said
from synth.llms.connection import TooMuch
from synth.llms.fallbacks import too_long
from synth.llms.retries import came_of, no_credit, no_handshake

Told = tuple[type[ModelError], str]

_UNKNOWN = (
    BadResponse,
    "{host} does not know {what}, or not this path (HTTP {status}): check the model and the base"
    " URL, which often ends in /v1.",
)
_FAILED = (BadResponse, "{source} failed (HTTP {status}): {wait}, and try again.")
_LATE = (ModelTimeout, "{source} gave up waiting (HTTP {status}): try again, or send less text.")
_STATUSES: dict[int, Told] = {
    401: (AuthFailed, "{host} refused the API key (HTTP 401): check it."),
    403: (
        AuthFailed,
        "{host} does not allow {what} to this key (HTTP 403): take another key or model.",
    ),
    404: _UNKNOWN,
    405: _UNKNOWN,
    408: _LATE,
    409: _FAILED,
    429: (RateLimited, "{host} takes no more requests for now (HTTP 429): {wait}, and try again."),
    503: (
        BadResponse,
        "{source} is not ready (HTTP 503), perhaps still loading: {wait}, and try again.",
    ),
    504: _LATE,
}
_REDIRECT = (
    BadResponse,
    "{host} refers to {location} (HTTP {status}), where nothing was sent: if you trust that"
    " address, make it the base URL.",
)
_NO_KEY = (
    AuthFailed,
    "{host} did not take the request (HTTP {status}), and no key was sent: give an API key.",
)
_NO_CREDIT = (
    RateLimited,
    "{host} says that the account has no credit left (HTTP {status}): add some, or take another"
    " key.",
)
_TOO_LONG = (
    BadResponse,
    "{source} has no room for the prompt and {num_output:,} output tokens: set the context"
    " window, now {context_window:,}, to the model's own, or lower num_output.",
)
_REFUSED = (
    BadResponse,
    "{source} refused the request (HTTP {status}): change what it complains of.",
)
_ERROR = (BadResponse, "{source} gave an error, not an answer: try again, or check the server.")
_TOO_MUCH = (
    BadResponse,
    "{source} sent more than {most_bytes:,} bytes, far more than was asked for: check the server,"
    " or raise num_output if answers are meant to be that long.",
)
_UNREACHABLE = (
    ModelUnreachable,
    "{host} can't be reached: check that the server runs and the base URL.",
)
_UNTRUSTED = (
    ModelUnreachable,
    "{host} has a certificate that can't be verified: check the base URL, or have the"
    " certificate trusted where this runs.",
)
_NO_HTTPS = (
    ModelUnreachable,
    "{host} does not speak https: check the port, or begin the base URL with http://.",
)
_BROKEN = (
    ModelUnreachable,
    "{host} broke off, or speaks no HTTP: try again, and check the server and the base URL.",
)
_UNPACKED = (
    BadResponse,
    "{source} sent a compressed reply that can't be unpacked: try again, or check the server.",
)
_OTHERS: tuple[tuple[type[Exception], Told], ...] = (
    (
        TimeoutError,
        (
            ModelTimeout,
            "{source} gave no whole answer within {timeout:g} seconds: try again, or allow more.",
        ),
    ),
    (
        RecursionError,
        (
            BadResponse,
            "{source} sent JSON that is nested too deeply to be read: check the server.",
        ),
    ),
    (
        UnicodeError,
        (
            BadResponse,
            "{source} sent bytes that are no UTF-8 text: try again, or check the server.",
        ),
    ),
)
_NO_JSON = (
    BadResponse,
    "{source} sent no JSON where it should: check the base URL, which often ends in /v1.",
)


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
        timeout=facts.timeout,
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
        return _TOO_MUCH
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | httpx2.InvalidURL):
        return _of_connection(error)
    if isinstance(error, openai.OpenAIError | said.ErrorSent):
        return _TOO_LONG if too_long(said.complaint(error)) else _ERROR
    return next((told for kind, told in _OTHERS if isinstance(error, kind)), _NO_JSON)


def _of_status(error: openai.APIStatusError, keyed: bool) -> Told:
    status = error.status_code
    if no_credit(error):
        return _NO_CREDIT
    if status in (401, 403) and not keyed:
        return _NO_KEY
    if status in _STATUSES:
        return _STATUSES[status]
    if status < 400:
        return _REDIRECT
    if status >= 500:
        return _FAILED
    return _TOO_LONG if too_long(said.complaint(error)) else _REFUSED


def _of_connection(error: Exception) -> Told:
    if came_of(error, ssl.SSLCertVerificationError):
        return _UNTRUSTED
    if no_handshake(error):
        return _NO_HTTPS
    if came_of(error, httpx2.DecodingError):
        return _UNPACKED
    unreachable = came_of(error, httpx2.ConnectError, httpx2.InvalidURL)
    return _UNREACHABLE if unreachable else _BROKEN
