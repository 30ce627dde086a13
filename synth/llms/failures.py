"""The errors for failed requests: each says what happened and what to do."""

import ssl
from dataclasses import dataclass, field

import httpx2
import openai

from synth.errors import ModelError
from synth.llms import messages, server_errors
from synth.llms.connection import TooMuch
from synth.llms.fallbacks import too_long
from synth.llms.messages import KindAndMessage
from synth.llms.reach import reach
from synth.llms.retries import caused_by, no_credit, no_handshake


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
    told = not reach().public_only  # else a visitor could read what other servers say
    text = message.format(
        source=facts.source,
        host=facts.host,
        what=facts.model or "this request",
        timeout=f"{facts.timeout:g} second{'s' * (facts.timeout != 1)}",
        context_window=facts.context_window,
        num_output=facts.num_output,
        status=getattr(error, "status_code", None),
        location=server_errors.location(error, facts.secret) if told else "another address",
        wait=server_errors.wait(error),
        most_bytes=sent.most_bytes if (sent := caused_by(error, TooMuch)) else None,
    )
    return kind(f"{text} {server_errors.words(error, facts.secret) if told else ''}".strip())


def _kind_and_message(error: Exception, keyed: bool) -> KindAndMessage:
    """The class of the error, and its message with placeholders for the facts."""
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, keyed)
    if caused_by(error, TooMuch):
        return messages.TOO_MUCH
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | httpx2.InvalidURL):
        return _of_connection(error)
    if isinstance(error, openai.OpenAIError | server_errors.ErrorSent):
        return messages.TOO_LONG if too_long(server_errors.complaint(error)) else messages.ERROR
    told = (told for kind, told in messages.OTHERS.items() if isinstance(error, kind))
    return next(told, messages.NO_JSON)


def _of_status(error: openai.APIStatusError, keyed: bool) -> KindAndMessage:
    status = error.status_code
    if no_credit(error):
        return messages.NO_CREDIT
    if status in (401, 403) and not keyed:
        return messages.NO_KEY
    return messages.STATUSES.get(status) or _of_class(error, keyed)


def _of_class(error: openai.APIStatusError, keyed: bool) -> KindAndMessage:
    """The class and message for a status of which nothing more is known."""
    if error.status_code < 400:
        return messages.REDIRECT
    if error.status_code >= 500:
        return messages.FAILED
    if too_long(server_errors.complaint(error)):
        return messages.TOO_LONG
    return messages.REFUSED if keyed else messages.REFUSED_BARE


def _of_connection(error: Exception) -> KindAndMessage:
    if reach().public_only:
        return messages.UNUSABLE
    if caused_by(error, ssl.SSLCertVerificationError):
        return messages.UNTRUSTED
    if no_handshake(error):
        return messages.NO_HTTPS
    if caused_by(error, httpx2.DecodingError):
        return messages.UNPACKED
    unreachable = caused_by(error, httpx2.ConnectError, httpx2.InvalidURL)
    return messages.UNREACHABLE if unreachable else messages.BROKEN
