"""Whether a failed request may be sent again, when, and without which arguments.

OpenAI-compatible servers agree on messages and on little else. So the first request has all
arguments, and a refusal that names one of them removes or replaces it.

The answer length goes out under one name, since some refuse both at once. OpenAI's newer models
refuse `max_tokens`, so its own host gets `max_completion_tokens`. Mistral's API refuses that one
(HTTP 422, extra_forbidden), and these ignore it without a word: Ollama (ollama/ollama#7125),
llama-cpp-python (#1907), llamafile (#701), Ray Serve (ray#53922), llama.cpp before February 2026
(ggml-org/llama.cpp#19831). All of them read `max_tokens`, as do vLLM and LM Studio, so every other
host gets that; one that refuses it, as Azure does for OpenAI's newer models, gets the other name.
"""

import random
import re
import ssl
from collections.abc import Mapping, Set
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeVar

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


Arguments = dict[str, Any]
LengthName = Literal["max_completion_tokens", "max_tokens"]
Refusable = (
    LengthName | Literal["temperature", "seed", "stream_options", "json_schema", "json_object"]
)

_OTHER_NAME: Mapping[LengthName, LengthName] = {
    "max_completion_tokens": "max_tokens",
    "max_tokens": "max_completion_tokens",
}
_NAMED: tuple[Refusable, ...] = (*_OTHER_NAME, "temperature", "seed", "stream_options")
_FORMS: tuple[Refusable, ...] = ("json_schema", "json_object")
_NOTES: dict[Refusable, str] = {
    "temperature": "{model} takes no temperature: sent without.",
    "seed": "{model} takes no seed: sent without.",
    "json_schema": "{model} takes no JSON schema: asked for JSON of any form.",
    "json_object": "{model} has no JSON mode: only the prompt says what to answer.",
}
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|too (?:large|long)", re.IGNORECASE)


def too_long(complaint: str) -> bool:
    """Whether a server complains of the number of tokens, not of an argument's name."""
    return _TOO_LONG.search(complaint) is not None


def adapted(arguments: Arguments, refused: Set[Refusable]) -> Arguments:
    """The arguments, with the refused ones replaced or left out."""
    sent = {name: value for name, value in arguments.items() if name not in refused}
    for name, other in _OTHER_NAME.items():
        if name in refused and name in arguments:
            sent[other] = arguments[name]
    if "json_schema" in refused and "response_format" in sent:
        sent["response_format"] = {"type": "json_object"}
    if "json_object" in refused:
        sent.pop("response_format", None)
    return sent


def refusal(complaint: str, arguments: Arguments, refused: Set[Refusable]) -> Refusable | None:
    """The further argument that a server's complaint names, if a request can do without it."""
    if too_long(complaint):
        return None
    for name in _NAMED:
        if name in arguments and name not in refused and name in complaint:
            return name
    sent = adapted(arguments, refused)
    form: Refusable | None = sent.get("response_format", {}).get("type")
    return form if form and (form in complaint or "response_format" in complaint) else None


def length_name(host: str) -> LengthName:
    """The name under which a host is first sent the answer length."""
    return "max_completion_tokens" if host.endswith(".openai.com") else "max_tokens"


def notes(model: str, arguments: Arguments, refused: Set[Refusable]) -> tuple[str, ...]:
    """What the reader of an answer should know about arguments that were not sent."""
    wanted = {*arguments, *(_FORMS if "response_format" in arguments else ())}
    return tuple(
        note.format(model=model)
        for name, note in _NOTES.items()
        if name in refused and name in wanted
    )
