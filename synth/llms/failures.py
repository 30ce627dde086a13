"""The errors for failed requests: what the server said, and one sentence of what to do."""

import random
import ssl
from dataclasses import dataclass
from typing import TypeVar

import httpx2

from synth.errors import (
    AuthFailed,
    BadResponse,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
)
from synth.llms.complaints import ErrorReply, Kind, hide_key
from synth.llms.connection import TooMuch
from synth.llms.endpoint import Endpoint
from synth.text.wording import counted

E = TypeVar("E", bound=Exception)

_FIRST, _LONGEST = 0.5, 8.0  # seconds before a further request where the server names none

# What to do about what a server complains of.
_ADVICE: dict[Kind, tuple[type[ModelError], str]] = {
    "redirect": (BadResponse, "Nothing was sent there: make it the base URL if you trust it."),
    "credit": (RateLimited, "The account has no credit left: add some, or take another key."),
    "limit": (RateLimited, "Its limit is reached: {wait} and try again, or send less in a call."),
    "key": (AuthFailed, "Check the API key, and what it allows."),
    "window": (
        BadResponse,
        "It has no room for the prompt and {num_output:,} output tokens: set the context window,"
        " now {context_window:,}, to the model's own, or lower the answer length (num_output).",
    ),
    "system message": (BadResponse, "Write the template without a message of the system."),
    "unknown": (BadResponse, "Check the model and the base URL, which often ends in /v1."),
    "late": (ModelTimeout, "It gave up waiting: try again, or send less text."),
    "failed": (BadResponse, "The server failed: {wait}, and try again."),
    "refused": (BadResponse, "Change what it complains of."),
}
_NO_KEY = " No key was sent: perhaps it wants one."
# What ended a request that got no reply, and what to do.
_NO_REPLY: tuple[tuple[tuple[type[Exception], ...], type[ModelError], str], ...] = (
    (
        (TooMuch,),
        BadResponse,
        "sent {too_much}, far more than was asked for: check the server, or raise the answer length"
        " (num_output) if answers are meant to be that long.",
    ),
    (
        (ssl.SSLError,),
        ModelUnreachable,
        "can't be reached by https: check its certificate and port, and whether the base URL should"
        " begin with http://.",
    ),
    (
        (httpx2.ConnectError, httpx2.InvalidURL),
        ModelUnreachable,
        "can't be reached: check that the server runs and the base URL.",
    ),
    (
        (httpx2.DecodingError, RecursionError, ValueError),
        BadResponse,
        "sent no JSON that can be read: check the base URL, which often ends in /v1.",
    ),
    (
        (TimeoutError,),
        ModelTimeout,
        "gave no whole answer within {timeout:g} s: try again, or allow more.",
    ),
    (
        (Exception,),
        ModelUnreachable,
        "broke off, or speaks no HTTP: try again, and check the server and the base URL.",
    ),
)


@dataclass(frozen=True)
class RequestFacts:
    """What the error of a request may name; sizes in tokens, `timeout` in seconds.

    A request for facts of a server, or for its models, has no `model`.
    """

    endpoint: Endpoint
    timeout: float
    model: str = ""
    context_window: int = 0
    num_output: int = 0

    @property
    def source(self) -> str:
        """Name the model and the host, as messages do."""
        host = self.endpoint.host
        return f"{self.model} at {host}" if self.model else host


def as_model_error(error: Exception, facts: RequestFacts) -> ModelError:
    """Return the ModelError for the exception that ended a request; it never has the key in it."""
    if isinstance(error, ErrorReply):
        return _of_complaint(error, facts)
    if isinstance(error, TimeoutError):  # a call whose time is up has no other cause
        error = TimeoutError()
    kind, sentence = next(
        (kind, sentence) for causes, kind, sentence in _NO_REPLY if caused_by(error, *causes)
    )
    words = sentence.format(timeout=facts.timeout, too_much=caused_by(error, TooMuch))
    return kind(f"{facts.source} {words}")


def _of_complaint(error: ErrorReply, facts: RequestFacts) -> ModelError:
    complaint = error.complaint
    kind, advice = _ADVICE[complaint.kind]
    quote = complaint.quote(facts.endpoint.secrets)
    if complaint.kind == "redirect":
        quote = hide_key(facts.endpoint.secrets, error.headers.get("location", "another address"))
    what = f"HTTP {error.status}" if error.status >= 300 else "an error in place of an answer"
    seconds = round(complaint.seconds or 0)
    advice = advice.format(
        context_window=facts.context_window,
        num_output=facts.num_output,
        wait=f"wait {counted(seconds, 'second')}" if seconds else "wait a little",
    )
    if not facts.endpoint.key and error.status in (400, 401, 403):  # LiteLLM's proxy says 400
        advice += _NO_KEY
    return kind(f"{facts.source}: {what}{f', “{quote}”' if quote else ''}. {advice}")


def pause(error: Exception, retries: int) -> float | None:
    """Return the seconds to wait after so many tries; None if no further try could help."""
    if isinstance(error, ErrorReply):
        if error.complaint.is_hopeless or error.complaint.seconds is not None:
            return None if error.complaint.is_hopeless else error.complaint.seconds
    else:
        is_broken = caused_by(error, httpx2.NetworkError, httpx2.RemoteProtocolError)
        if not is_broken or caused_by(error, ssl.SSLError):
            return None
    return min(_FIRST * 2.0**retries, _LONGEST) * random.uniform(0.75, 1)


def caused_by(error: Exception, *kinds: type[E]) -> E | None:
    """Return the error or its cause, whichever is first of one of these kinds; else None."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, kinds):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None
