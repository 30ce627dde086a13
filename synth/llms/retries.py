"""Whether a failed request may be sent again, and when."""

import random
import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx2
import openai

E = TypeVar("E", bound=Exception)

_STATUSES = {408, 409, 429}  # and those from 500 on, as in OpenAI's SDK
_FIRST, _LONGEST = 0.5, 8.0  # seconds to wait where the server names none


def pause(error: Exception, retries: int) -> float | None:
    """Seconds to wait after so many tries; None if no further try could help."""
    if isinstance(error, openai.APIStatusError):
        passing = error.status_code in _STATUSES or error.status_code >= 500
        hopeless = no_credit(error) or error.response.headers.get("x-should-retry") == "false"
        asked = retry_after(error)
    else:
        passing = caused_by(error, httpx2.NetworkError, httpx2.RemoteProtocolError) is not None
        hopeless, asked = no_handshake(error), None
    if hopeless or not passing:
        return None
    if asked is not None:
        return asked
    return min(_FIRST * 2.0**retries, _LONGEST) * random.uniform(0.75, 1)


def no_credit(error: openai.APIStatusError) -> bool:
    """Whether the account has no credit left, so that waiting does not help."""
    return error.status_code == 429 and "insufficient_quota" in str(error.body)


def no_connection(error: Exception) -> bool:
    """Whether there was no connection over which the request could have left."""
    return (
        caused_by(error, httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.InvalidURL) is not None
    )


def no_handshake(error: Exception) -> bool:
    """Whether the two sides could not agree on https."""
    return bool(caused_by(error, httpx2.ConnectError) and caused_by(error, ssl.SSLError))


def caused_by(error: Exception, *kinds: type[E]) -> E | None:
    """The error or its cause, whichever is first of one of these kinds; else None."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, kinds):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None


def retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds to wait that the server's headers name; None if they name none."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        then = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())
