"""The errors for failed requests: each says what happened and what to do.

Placeholders in a message stand for the facts of the request.
"""

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
from synth.llms import server_errors
from synth.llms.connection import TooMuch
from synth.llms.fallbacks import caused_by, no_credit, no_handshake, too_long

_KindAndMessage = tuple[type[ModelError], str]

_UNKNOWN = (
    BadResponse,
    "{host} does not know {what}, or not this path (HTTP {status}): check the model and the base"
    " URL, which often ends in /v1.",
)
_FAILED = (BadResponse, "{source} failed (HTTP {status}): {wait}, and try again.")
_LATE = (ModelTimeout, "{source} gave up waiting (HTTP {status}): try again, or send less text.")
_STATUSES: dict[int, _KindAndMessage] = {
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
    " window, now {context_window:,}, to the model's own, or lower the answer length (num_output).",
)
_REFUSED = (
    BadResponse,
    "{source} refused the request (HTTP {status}): change what it complains of.",
)
# LiteLLM's proxy says 400, not 401, where a key is missing or wrong.
_REFUSED_BARE = (
    BadResponse,
    "{source} refused the request (HTTP {status}), and no key was sent: change what it complains"
    " of, or give an API key.",
)
_ERROR = (BadResponse, "{source} gave an error, not an answer: try again, or check the server.")
_TOO_MUCH = (
    BadResponse,
    "{source} sent more than {most_bytes:,} bytes, far more than was asked for: check the server,"
    " or raise the answer length (num_output) if answers are meant to be that long.",
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
_OTHERS: dict[type[Exception], _KindAndMessage] = {
    TimeoutError: (
        ModelTimeout,
        "{source} gave no whole answer within {timeout}: try again, or allow more.",
    ),
    RecursionError: (
        BadResponse,
        "{source} sent JSON that is nested too deeply to be read: check the server.",
    ),
    UnicodeError: (
        BadResponse,
        "{source} sent bytes that are no UTF-8 text: try again, or check the server.",
    ),
}
_NO_JSON = (
    BadResponse,
    "{source} sent no JSON where it should: check the base URL, which often ends in /v1.",
)


@dataclass(frozen=True)
class RequestFacts:
    """The facts of a request that its error may name; sizes in tokens, `timeout` in seconds.

    A request without a `model` is one for the list of models. `secret` is the key that is
    sent with it, or "".
    """

    model: str
    host: str
    timeout: float
    context_window: int
    num_output: int
    secret: str = field(repr=False)

    @property
    def source(self) -> str:
        """The model and the host, as messages name them."""
        return f"{self.model} at {self.host}" if self.model else self.host


def as_model_error(error: Exception, facts: RequestFacts) -> ModelError:
    """The ModelError for the exception that ended a request; it never has the key in it."""
    kind, message = _kind_and_message(error, keyed=bool(facts.secret))
    text = message.format(
        source=facts.source,
        host=facts.host,
        what=facts.model or "this request",
        timeout=f"{facts.timeout:g} second{'s' * (facts.timeout != 1)}",
        context_window=facts.context_window,
        num_output=facts.num_output,
        status=getattr(error, "status_code", None),
        location=server_errors.location(error, facts.secret),
        wait=server_errors.wait(error),
        most_bytes=sent.most_bytes if (sent := caused_by(error, TooMuch)) else None,
    )
    return kind(f"{text} {server_errors.words(error, facts.secret)}".strip())


def _kind_and_message(error: Exception, keyed: bool) -> _KindAndMessage:
    """The class of the error, and its message with placeholders for the facts."""
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, keyed)
    if caused_by(error, TooMuch):
        return _TOO_MUCH
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | httpx2.InvalidURL):
        return _of_connection(error)
    if isinstance(error, openai.OpenAIError | server_errors.ErrorSent):
        return _TOO_LONG if too_long(server_errors.complaint(error)) else _ERROR
    told = (told for kind, told in _OTHERS.items() if isinstance(error, kind))
    return next(told, _NO_JSON)


def _of_status(error: openai.APIStatusError, keyed: bool) -> _KindAndMessage:
    status = error.status_code
    if no_credit(error):
        return _NO_CREDIT
    if status in (401, 403) and not keyed:
        return _NO_KEY
    return _STATUSES.get(status) or _of_class(error, keyed)


def _of_class(error: openai.APIStatusError, keyed: bool) -> _KindAndMessage:
    """The class and message for a status of which nothing more is known."""
    if error.status_code < 400:
        return _REDIRECT
    if error.status_code >= 500:
        return _FAILED
    if too_long(server_errors.complaint(error)):
        return _TOO_LONG
    return _REFUSED if keyed else _REFUSED_BARE


def _of_connection(error: Exception) -> _KindAndMessage:
    if caused_by(error, ssl.SSLCertVerificationError):
        return _UNTRUSTED
    if no_handshake(error):
        return _NO_HTTPS
    if caused_by(error, httpx2.DecodingError):
        return _UNPACKED
    unreachable = caused_by(error, httpx2.ConnectError, httpx2.InvalidURL)
    return _UNREACHABLE if unreachable else _BROKEN
