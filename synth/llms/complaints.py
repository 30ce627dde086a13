"""The complaints of servers: what they are about, whether another try could help, what to do.

Status, code, type and parameter decide; the words of a message only where servers have no code for
a kind of complaint. What servers say is data (complaints.toml).
"""

from __future__ import annotations

import random
import re
import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from synth import errors
from synth.errors import ModelError
from synth.lazy import defer
from synth.llms.endpoint import Endpoint
from synth.text.wording import counted

SHORTEST = 8
"""Characters of a key, or of a part of one, from which on it is hidden.

Shorter ones are words such as "ollama", which people type where a server wants any key at all.
"""
_LONGEST = 500  # characters of a server's message that are shown
_DEEPEST = 10  # levels of an error's JSON
_HEAD = 5_000  # characters that are read; the title of a web page stands in them
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_MESSAGES = ("message", "detail", "error", "error_msg", "msg", "errors", "base_resp", "status_msg")
_FILE = tomllib.loads(Path(__file__).with_name("complaints.toml").read_text("utf-8"))
CODES = {name: frozenset(codes) for name, codes in _FILE["codes"].items()}
"""What servers call their complaints, in small letters."""
PHRASES = {
    name: re.compile("|".join(phrases), re.IGNORECASE) for name, phrases in _FILE["phrases"].items()
}
"""What servers say of what they have no code for."""
_OVER_THE_LIMIT = re.compile(
    r"limit:? *(\d[\d,]{0,15}).{0,40}?requested:? *(\d[\d,]{0,15})", re.IGNORECASE
)
_SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)")
_SAYS_WAIT = re.compile(rf"(?:again|retry) (?:in|after) {_SECONDS.pattern} ?s", re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype|html|head|title|body|\?xml)\b", re.IGNORECASE)
_STATUSES: dict[int, str] = {int(status): kind for status, kind in _FILE["statuses"].items()}
_ADVICE: dict[str, tuple[str, str]] = _FILE["advice"]  # by a complaint's kind
NO_ANSWER: dict[str, str] = _FILE["no answer"]
"""Why a reply is no answer, in words that follow the name of its source."""
_NO_REPLY: dict[str, tuple[str, str]] = _FILE["no reply"]  # by what ended the request
_PASSING = {408, 409, 429}  # and those from 500 on
_FIRST_WAIT, _MOST_WAIT = 0.5, 8.0  # seconds before a further request where the server names none

E = TypeVar("E", bound=Exception)


def value_at(reply: Any, *path: str) -> Any:
    """Return what stands at a path of a reply's JSON; None where nothing does."""
    for name in path:
        reply = reply.get(name) if isinstance(reply, dict) else None
    return reply


def hide_key(key: str, text: str) -> str:
    """Return the beginning of a text, with [key] for each eight characters in a row of the key.

    >>> hide_key("sk-1234567", "no such key: SK-123456...")
    'no such key: [key]...'
    """
    text = text[:_HEAD]
    secret = key.casefold()
    pieces = {secret[at : at + SHORTEST] for at in range(len(secret) - SHORTEST + 1)}
    hidden: set[int] = set()
    for at in range(len(text)):
        if text[at : at + SHORTEST].casefold() in pieces:
            hidden.update(range(at, at + SHORTEST))
    marked = "".join("\0" if at in hidden else letter for at, letter in enumerate(text))
    return re.sub("\0+", "[key]", marked)


class ErrorReply(Exception):
    """A reply is an error, by its status or by what its `body` says, which is JSON or text."""

    def __init__(
        self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"HTTP {status}")
        self.body = body
        self.status = status
        self.headers = headers or {}

    @defer
    def complaint(self) -> Complaint:
        """Read once what the reply complains of."""
        return Complaint.of(self)


class TooMuch(Exception):
    """A reply has more bytes than a whole answer could; its text says how many."""


@dataclass(frozen=True)
class Complaint:
    """What an error reply says: its message, its `codes` in small letters, and the parameter.

    `kind` is what it is about, one of those that complaints.toml has advice for. `seconds` is how
    long the server asks to wait, None where it does not; where it `is_hopeless`, the same request
    would fail again.
    """

    kind: str
    message: str
    codes: frozenset[str]
    parameter: str
    seconds: float | None
    is_hopeless: bool

    @classmethod
    def of(cls, error: ErrorReply) -> Complaint:
        """Read what servers write in their several forms."""
        codes: set[str] = set()
        parameter = ""
        body = error.body
        for _ in range(_DEEPEST):
            if isinstance(body, list):  # as FastAPI and Google have them
                body = body[0] if body else ""
            elif isinstance(body, dict):
                codes |= {str(body.get(name))[:100].lower() for name in ("code", "type")}
                parameter = str(body.get("param") or body.get("loc") or parameter)
                body = _words(body)
        message = " ".join(str(body or "")[:_HEAD].split())
        # OpenRouter and LiteLLM send the status of a provider in a reply of success.
        inner = [int(code) for code in codes if re.fullmatch(r"[45]\d\d", code)]
        status = inner[0] if error.status < 300 and inner else error.status
        kind = _kind(status, codes, message)
        over = _OVER_THE_LIMIT.search(message) if kind == "limit" else None
        is_hopeless = (
            kind in ("credit", "window", "system message")
            or not (status in _PASSING or status >= 500)
            or error.headers.get("x-should-retry") == "false"
            or (over is not None and _number(over[2]) > _number(over[1]))
        )
        header = error.headers.get("retry-after", "")  # few send a date, which is not read
        wait = _SECONDS.fullmatch(header) or _SAYS_WAIT.search(message)
        seconds = float(wait[1]) if wait else None
        return cls(kind, message, frozenset(codes), parameter, seconds, is_hopeless)

    def quote(self, secret: str) -> str:
        """Return the beginning of the message without the secret; of a web page its title."""
        text = hide_key(secret, self.message)
        if _PAGE.match(text):
            title = _TITLE.search(text)
            return f"a web page, {title[1].strip()[:100]}" if title else "a web page"
        return text[:_LONGEST].rstrip(".")


def _words(body: Mapping[str, Any]) -> Any:
    """Return what stands for the message in the JSON of an error; all of it if nothing does."""
    raw = value_at(body, "metadata", "raw")  # where OpenRouter has the words of the provider
    words = raw or next((body[name] for name in _MESSAGES if body.get(name)), None)
    return words or (str(body) if body else "")


def is_error(body: Any, *, is_answer: bool) -> bool:
    """Return whether the JSON of a reply of success speaks of an error, in any of its forms.

    In one that is no answer a message alone does so, too.
    """
    if not isinstance(body, dict):
        return False
    names = ("error", "detail", "error_msg", "errors") if is_answer else _MESSAGES
    return body.get("object") == "error" or any(body.get(name) for name in names)


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))


def _kind(status: int, codes: set[str], message: str) -> str:
    rules: tuple[tuple[object, str], ...] = (
        (300 <= status < 400, "redirect"),
        (codes & CODES["credit"] or PHRASES["credit"].search(message), "credit"),
        (codes & CODES["limit"], "limit"),
        (codes & CODES["window"], "window"),
        (PHRASES["key"].search(message), "key"),
        (codes & CODES["unknown"] or "Unsupported parameter" in message, "refused"),
        (status in _STATUSES, _STATUSES.get(status, "failed")),
        (PHRASES["window"].search(message), "window"),
        (PHRASES["system"].search(message), "system message"),
        (status >= 500, "failed"),
    )
    return next((kind for applies, kind in rules if applies), "refused")


@dataclass(frozen=True)
class RequestFacts:
    """What the error of a request may name: tokens, seconds, and the `model` if a call asks one."""

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
    causes: dict[str, tuple[type[Exception], ...]] = {
        "too much": (TooMuch,),
        "certificate": (ssl.SSLError,),
        "nobody there": (httpx2.ConnectError, httpx2.InvalidURL),
        "no JSON": (httpx2.DecodingError, RecursionError, ValueError),
        "late": (TimeoutError,),
        "broken off": (Exception,),
    }
    cause = next(name for name, kinds in causes.items() if caused_by(error, *kinds))
    kind, words = _NO_REPLY[cause]
    words = words.format(timeout=facts.timeout, too_much=caused_by(error, TooMuch))
    problem: ModelError = getattr(errors, kind)(f"{facts.source} {words}")
    return problem


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
        advice += " No key was sent: perhaps it wants one."
    message = f"{facts.source}: {what}{f', “{quote}”' if quote else ''}. {advice}"
    problem: ModelError = getattr(errors, kind)(message)
    return problem


def pause(error: Exception, retries: int) -> float | None:
    """Return the seconds to wait after so many tries; None if no further try could help."""
    if isinstance(error, ErrorReply):
        if error.complaint.is_hopeless or error.complaint.seconds is not None:
            return None if error.complaint.is_hopeless else error.complaint.seconds
    else:
        is_broken = caused_by(error, httpx2.NetworkError, httpx2.RemoteProtocolError)
        if not is_broken or caused_by(error, ssl.SSLError):
            return None
    return min(_FIRST_WAIT * 2.0**retries, _MOST_WAIT) * random.uniform(0.75, 1)


def caused_by(error: Exception, *kinds: type[E]) -> E | None:
    """Return the error or its cause, whichever is first of one of these kinds; else None."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, kinds):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None
