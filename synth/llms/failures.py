"""The OpenAI SDK's exceptions as ours, told in a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass

from synth.errors import (
    AuthFailed,
    BadResponse,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
)
from synth.llms.fallbacks import too_long

_LONGEST = 500  # characters of a server's own words

# By the name of the exception's class or of its nearest base class, so that only the module
# that talks to the SDK must import it.
_FAILURES: dict[str, tuple[type[ModelError], str]] = {
    "APITimeoutError": (
        ModelTimeout,
        "{source} gave no answer within {timeout:g} seconds: try again, or allow more.",
    ),
    "APIConnectionError": (
        ModelUnreachable,
        "{host} can't be reached or broke off: check that the server runs and the base URL.",
    ),
    "AuthenticationError": (AuthFailed, "{host} refused the API key: {said}"),
    "PermissionDeniedError": (AuthFailed, "{host} does not allow {model} to this key: {said}"),
    "RateLimitError": (RateLimited, "{host} takes no more requests for now: {wait}{said}"),
    "NotFoundError": (
        BadResponse,
        "{host} does not know {model}, or not this path: check the model and the base URL. {said}",
    ),
    "OpenAIError": (BadResponse, "{source} gave an error, not an answer: {said}"),
    "ValueError": (
        BadResponse,
        "{source} sent no JSON where it should: check the base URL, which often ends in /v1.",
    ),
}
_TOO_LONG = (
    "{source} has no room for the prompt and {num_output:,} output tokens: set the"
    " context window, now {context_window:,}, to the model's own, or lower num_output. {said}"
)


@dataclass(frozen=True)
class Facts:
    """What a message may say of the endpoint; sizes in tokens, `timeout` in seconds."""

    model: str
    host: str
    timeout: float
    context_window: int
    num_output: int

    @property
    def source(self) -> str:
        """Who answers, or does not."""
        return f"{self.model} at {self.host}"


def complaint(error: Exception) -> str:
    """All that a server said of a request, for looking up what it was about."""
    return f"{error} {getattr(error, 'body', '')}"


def as_model_error(error: Exception, facts: Facts, secret: str) -> ModelError:
    """Our error for one of the SDK's, or of the parsing of a reply; never with the secret."""
    said = _said(error).replace(secret, "[key]") if secret else _said(error)
    kind, message = next(
        _FAILURES[base.__name__] for base in type(error).__mro__ if base.__name__ in _FAILURES
    )
    if kind is BadResponse and too_long(complaint(error)):
        message = _TOO_LONG
    text = message.format(
        **vars(facts), source=facts.source, said=said[:_LONGEST], wait=_wait(error)
    )
    return kind(text.strip())


def _said(error: Exception) -> str:
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body
    return " ".join(str(body or error).split())


def _wait(error: Exception) -> str:
    response = getattr(error, "response", None)
    seconds = "" if response is None else response.headers.get("retry-after", "")
    return f"wait {seconds} seconds. " if seconds.isdigit() else ""
