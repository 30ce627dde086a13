"""What servers do wrong, or right in a way of their own: the rows of docs/reliability.md."""

import gzip
import json
from dataclasses import dataclass
from typing import Any

from tests.fake_openai import Answer, Failure, Late, Line, Raw, Reply, Silence, Trickle

SOON = {"retry-after-ms": "1"}
_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
_BOMB = gzip.compress(bytes(20_000_000))


@dataclass(frozen=True)
class Fault:
    """A reply, or the replies to a plain and to a streamed request; `timeout` in seconds."""

    name: str
    plain: Reply
    streamed: Reply | None = None
    timeout: float = 30


def events(*found: object) -> Raw:
    """A stream of these events: bytes as they are, anything else as JSON."""
    texts = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in found)
    return Raw(b"".join(b"data: %b\n\n" % text for text in texts), "text/event-stream")


def piece(text: str | None = None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}], **more}


def whole(**fields: Any) -> Raw:
    return Raw(json.dumps(fields).encode())


def choice(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": "stop", **fields}]}


def _status(status: int, message: str, code: str | None = None) -> Failure:
    return Failure(status, message, SOON, code)


_HUGE = " ".join(["word"] * 2_000_000)
_ERROR = {"error": {"message": "Model crashed"}}
_DEEP = b'{"choices": ' + b"[" * 200_000

FAULTS = [
    Fault("400, the context length", Failure(400, "maximum context length is 4096 tokens")),
    Fault("400, another reason", Failure(400, "no such tool")),
    Fault("400, an argument, and again", Failure(400, "unknown field: max_tokens")),
    Fault("401 that echoes the key", Failure(401, "Incorrect API key provided: sk-secret")),
    Fault("403", Failure(403, "not for you")),
    Fault("404, the model", Failure(404, "model not found")),
    Fault("404, a web page", Raw(b"<html><title>Not Found</title>", "text/html", 404)),
    Fault("405", Raw(b"Method Not Allowed", "text/plain", 405)),
    Fault("408", _status(408, "too slow")),
    Fault("409", _status(409, "conflict")),
    Fault("413, a web page", Raw(b"<title>Request Entity Too Large</title>", "text/html", 413)),
    Fault("422", Failure(422, "bad field")),
    Fault("429", _status(429, "slow down")),
    Fault("429, retry after an hour", Failure(429, "slow down", {"Retry-After": "3600"})),
    Fault("429, no credit", _status(429, "You exceeded your quota", "insufficient_quota")),
    Fault("500", _status(500, "boom")),
    Fault("502, a web page", Raw(_PAGE, "text/html", 502, SOON)),
    Fault("503, loading", _status(503, "Loading model")),
    Fault("504, nothing said", Raw(b"", "text/plain", 504, SOON)),
    Fault("302 to another host", Raw(b"", status=302, headers={"Location": "http://127.0.0.2/"})),
    Fault("307 to another host", Raw(b"", status=307, headers={"Location": "http://127.0.0.2/"})),
    Fault("307 to a file", Raw(b"", status=307, headers={"Location": "file:///etc/passwd"})),
    Fault("late, but in time", Late(0.3, Answer("hello you"))),
    Fault("late", Silence(), timeout=5),
    Fault("one byte at a time", Trickle(b"x"), Trickle(b"d", 0.02, "text/event-stream"), 5),
    Fault("pings for ever", Trickle(b" "), Trickle(b": ping\n\n", 0.02, "text/event-stream"), 5),
    Fault(
        "words for ever",
        Trickle(b"word " * 10_000, 0.001),
        Trickle(events(piece("word " * 10_000)).body, 0.001, "text/event-stream"),
    ),
    Fault("10 MB of words", Answer(_HUGE), events(piece(_HUGE, "stop"))),
    Fault("gzip that opens to 20 MB", Raw(_BOMB, headers={"Content-Encoding": "gzip"})),
    Fault("gzip that is none", Raw(b"none", headers={"Content-Encoding": "gzip"})),
    Fault("closed before the headers", Line()),
    Fault("no HTTP", Line(b"SSH-2.0-OpenSSH_9.6\r\n")),
    Fault("headers without end", Line(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000)),
    Fault(
        "closed in the body",
        Line(b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"choices"'),
        Answer("one two three", broken_after=2),
    ),
    Fault("no finish reason", Answer("one two", finish_reason=None)),
    Fault("no [DONE]", Answer("one two"), events(piece("one two", "stop"))),
    Fault("usage with one more choice", Answer("hello you", usage_choice=True)),
    Fault("an error with status 200", whole(**_ERROR)),
    Fault("an error after words", whole(**_ERROR), events(piece("one"), _ERROR)),
    Fault("no JSON after words", Raw(b"{bad"), events(piece("one"), b"{bad")),
    Fault("an empty body", Raw(b""), Raw(b"", "text/event-stream")),
    Fault("a web page", Raw(_PAGE, "text/html")),
    Fault("an array", Raw(b"[]"), events([])),
    Fault("null", Raw(b"null"), events(b"null")),
    Fault("no UTF-8", Raw(b'{"choices": "\xff"}'), events(b'{"choices": "\xff"}')),
    Fault("JSON 200,000 levels deep", Raw(_DEEP), events(_DEEP)),
    Fault(
        "a whole reply to a streamed request",
        Answer("hello you"),
        whole(**choice(message={"content": "hello you"})),
    ),
    Fault("no choices", whole(choices=[]), events({"choices": []})),
    Fault("choices are null", whole(choices=None), events({"choices": None})),
    Fault("content is null", Answer(None)),
    Fault("content is empty", Answer("")),
    Fault("content is white space", Answer(" \n")),
    Fault("only reasoning", Answer(None, more={"reasoning_content": "Hm."})),
    Fault("only a tool call", Answer(None, "tool_calls", more={"tool_calls": [{"id": "a"}]})),
    Fault("content is a list", Answer([{"type": "text", "text": "hello"}])),
    Fault("content is a number", Answer(7)),
    Fault(
        "usage is no number",
        Answer("hello you", usage={"prompt_tokens": 3.5, "completion_tokens": "many"}),
    ),
    Fault(
        "usage is negative",
        Answer("hello you", usage={"prompt_tokens": -5, "completion_tokens": -7}),
    ),
    Fault("usage is a text", Answer("hello you", usage="some")),
    Fault("refusal", Answer(None, refusal="I will not.")),
    Fault("cut off at num_output", Answer("hello you", "length")),
    Fault("num_output spent, no word", Answer("", "length")),
    Fault("content filter", Answer("so", "content_filter")),
    Fault("control characters", Answer("\u202ehello\u0000<script>")),
]

IMPOSSIBLE = [
    "",
    " \u00a0",
    "localhost:11434",
    "ftp://host/v1",
    "http://",
    "http://h:x/v1",
    "http://h:99999/v1",
    "http://exämple .de",
    "http://host\u00a0name/v1",
    "http://host name/v1",
    "http://a..b/v1",
    "http://.local/v1",
    f"http://{'a' * 300}/v1",
    "http://ho\tst/v1",
    "http://h\ud800/v1",
    "http://[::1/v1",
]
"""What is no address of a server."""
