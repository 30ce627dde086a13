"""The messages for requests without an answer, each with its class of error.

A message says what happened and what to do; placeholders stand for the facts of the request.
"""

from synth.errors import (
    AuthFailed,
    BadResponse,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
)

KindAndMessage = tuple[type[ModelError], str]

UNKNOWN = (
    BadResponse,
    "{host} does not know {what}, or not this path (HTTP {status}): check the model and the base"
    " URL, which often ends in /v1.",
)
FAILED = (BadResponse, "{source} failed (HTTP {status}): {wait}, and try again.")
LATE = (ModelTimeout, "{source} gave up waiting (HTTP {status}): try again, or send less text.")
STATUSES: dict[int, KindAndMessage] = {
    401: (AuthFailed, "{host} refused the API key (HTTP 401): check it."),
    403: (
        AuthFailed,
        "{host} does not allow {what} to this key (HTTP 403): take another key or model.",
    ),
    404: UNKNOWN,
    405: UNKNOWN,
    408: LATE,
    409: FAILED,
    429: (RateLimited, "{host} takes no more requests for now (HTTP 429): {wait}, and try again."),
    503: (
        BadResponse,
        "{source} is not ready (HTTP 503), perhaps still loading: {wait}, and try again.",
    ),
    504: LATE,
}
REDIRECT = (
    BadResponse,
    "{host} refers to {location} (HTTP {status}), where nothing was sent: if you trust that"
    " address, make it the base URL.",
)
NO_KEY = (
    AuthFailed,
    "{host} did not take the request (HTTP {status}), and no key was sent: give an API key.",
)
NO_CREDIT = (
    RateLimited,
    "{host} says that the account has no credit left (HTTP {status}): add some, or take another"
    " key.",
)
TOO_LONG = (
    BadResponse,
    "{source} has no room for the prompt and {num_output:,} output tokens: set the context"
    " window, now {context_window:,}, to the model's own, or lower the answer length (num_output).",
)
REFUSED = (
    BadResponse,
    "{source} refused the request (HTTP {status}): change what it complains of.",
)
# LiteLLM's proxy says 400, not 401, where a key is missing or wrong.
REFUSED_BARE = (
    BadResponse,
    "{source} refused the request (HTTP {status}), and no key was sent: change what it complains"
    " of, or give an API key.",
)
ERROR = (BadResponse, "{source} gave an error, not an answer: try again, or check the server.")
TOO_MUCH = (
    BadResponse,
    "{source} sent more than {most_bytes:,} bytes, far more than was asked for: check the server,"
    " or raise the answer length (num_output) if answers are meant to be that long.",
)
UNREACHABLE = (
    ModelUnreachable,
    "{host} can't be reached: check that the server runs and the base URL.",
)
UNUSABLE = (
    ModelUnreachable,
    "{host} gave no answer that can be used: check the base URL, and that the whole internet"
    " reaches the server by https with a certificate that it trusts.",
)
UNTRUSTED = (
    ModelUnreachable,
    "{host} has a certificate that can't be verified: check the base URL, or have the"
    " certificate trusted where this runs.",
)
NO_HTTPS = (
    ModelUnreachable,
    "{host} does not speak https: check the port, or begin the base URL with http://.",
)
BROKEN = (
    ModelUnreachable,
    "{host} broke off, or speaks no HTTP: try again, and check the server and the base URL.",
)
UNPACKED = (
    BadResponse,
    "{source} sent a compressed reply that can't be unpacked: try again, or check the server.",
)
OTHERS: dict[type[Exception], KindAndMessage] = {
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
NO_JSON = (
    BadResponse,
    "{source} sent no JSON where it should: check the base URL, which often ends in /v1.",
)
