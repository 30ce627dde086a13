"""What servers do wrong, or right in a way of their own: the rows of docs/reliability.md."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fake_openai import Answer, Failure, Late, Line, Raw, Reply, Silence, Trickle

SOON = {"retry-after": "0.001"}
_FILE = Path(__file__).with_name("recorded.json")
_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
_BOMB = gzip.compress(bytes(20_000_000))


@dataclass(frozen=True)
class Fault:
    """A reply, or the replies to a plain and to a streamed request; `timeout` in seconds.

    `sent` are arguments of the request, beside a temperature of 0.
    """

    name: str
    plain: Reply
    streamed: Reply | None = None
    timeout: float = 30
    sent: Mapping[str, Any] = field(default_factory=dict)


def events(*found: object) -> Raw:
    """A stream of these events: bytes as they are, anything else as JSON."""
    texts = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in found)
    return Raw(b"".join(b"data: %b\n\n" % text for text in texts), "text/event-stream")


def piece(text: str | None = None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}], **more}


def whole(**fields: Any) -> Raw:
    return Raw(json.dumps(fields).encode())


def whole_with(status: int, **fields: Any) -> Raw:
    return Raw(json.dumps(fields).encode(), status=status)


def choice(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": "stop", **fields}]}


def _status(status: int, message: str, code: str | None = None) -> Failure:
    return Failure(status, message, SOON, code)


_RATE = "rate_limit_exceeded"
_A_MINUTE = "Request too large on tokens per minute (TPM): Limit 6000, Requested 9549"
_HUGE = " ".join(["word"] * 2_000_000)
_ERROR = {"error": {"message": "Model crashed"}}
_DEEP_ERROR = b'{"error":' * 1_000 + b'{"message": "no"}' + b"}" * 1_000
_DEEP = b'{"choices": ' + b"[" * 200_000


def _says(status: int, **error: Any) -> Raw:
    """An error in OpenAI's form, with these fields."""
    return Raw(json.dumps({"error": error}).encode(), status=status, headers=SOON)


def _counted(**usage: Any) -> Answer:
    return Answer("hello you", usage=usage)


def _ended(reason: str | None, text: str = "one two") -> Fault:
    return Fault(f"finish_reason {json.dumps(reason)}", Answer(text, reason))


_EVENTS = "text/event-stream"
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n"
_STOPPED = events(piece("one", "stop"))
_ONE = {"content": "one"}
_PIECES = (piece("one"), piece(" two"))
_USED = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 2}}
_IN_CHOICE = {"error": {"code": 502, "message": "Provider overloaded"}}
_THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm. "}]}
_TEXT = {"type": "text", "text": "hello you"}
_SPENT = {"prompt_tokens": 11, "completion_tokens": 30}

ENDS = [
    *(_ended(reason) for reason in ("stop", "STOP", "eos_token", "end_turn", "COMPLETE")),
    *(_ended(reason) for reason in ("length", "max_tokens", "MAX_TOKENS", "model_length")),
    *(_ended(reason) for reason in ("insufficient_system_resource", "abort", "SAFETY")),
    *(_ended(reason) for reason in ("RECITATION", "content_filter", "cancelled", "tool_calls")),
    _ended(""),
    Fault("no finish_reason", Answer("one two", None)),
    Fault("no finish_reason, no usage, [DONE]", Answer("one two", None, usage=None)),
    Fault("no finish_reason, a usage, no [DONE]", Answer("one two", None), events(*_PIECES, _USED)),
    Fault("a finish_reason, no [DONE]", Answer("one two"), events(piece("one two", "stop"))),
    Fault(
        "a usage in every piece, then nothing",
        Answer("one two", None),
        events(*(one | {"usage": {"prompt_tokens": 11}} for one in _PIECES)),
    ),
    Fault("nothing after two pieces", Answer("one two", None), events(*_PIECES)),
    Fault(
        "an error inside the choice",
        whole(**choice(message={"content": "one"}, **_IN_CHOICE)),
        events(piece("one"), choice(delta={}, **_IN_CHOICE)),
    ),
    Fault("an error after words", whole(**_ERROR), events(piece("one"), _ERROR)),
    Fault(
        "the message so far beside each delta",
        Answer("one two"),
        events(
            choice(message={"content": "one"}, delta={"content": "one"}, finish_reason=None),
            choice(message={"content": "one two"}, delta={"content": " two"}),
        ),
    ),
    Fault('finish_reason "load", no text', Answer("", "load")),
    Fault("a usage first, then nothing", Answer("one", None), events(_USED, piece("one"))),
    Fault(
        "[DONE], then a broken connection",
        Answer("one"),
        Line(_HEAD + events(piece("one", "stop"), b"[DONE]").body),
    ),
    Fault("a stop, then a broken connection", Answer("one"), Line(_HEAD + _STOPPED.body)),
    Fault(
        "an error in Groq's own field",
        Answer("one"),
        events(piece("one"), {"choices": [], "x_groq": {"error": "over capacity"}}, b"[DONE]"),
    ),
    Fault(
        "a byte order mark, pings, blank data",
        Answer("one"),
        Raw(b"\xef\xbb\xbf" + events(piece("one"), {"type": "ping"}, b"", b"[DONE]").body, _EVENTS),
    ),
    Fault("events that call themselves JSON", Answer("one"), Raw(_STOPPED.body)),
    Fault("JSON that calls itself text", Raw(whole(**choice(message=_ONE)).body, "text/plain")),
    Fault(
        "an error under its own name",
        whole(**_ERROR),
        Raw(events(piece("one")).body + b'error: {"message": "Model crashed"}\n\n', _EVENTS),
    ),
    Fault("usage with one more choice", Answer("hello you", usage_choice=True)),
    Fault(
        "a whole reply to a streamed request",
        Answer("hello you"),
        whole(**choice(message={"content": "hello you"})),
    ),
    Fault(
        "closed in the body",
        Line(b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"choices"'),
        Answer("one two three", broken_after=2),
    ),
    Fault("num_output spent, no word", Answer("", "length")),
]
COUNTS = [
    Fault("zero tokens beside a text", _counted(prompt_tokens=0, completion_tokens=0)),
    Fault(
        "zero after 40",
        _counted(prompt_tokens=40, completion_tokens=3),
        events(
            piece("one", usage={"prompt_tokens": 40, "completion_tokens": 1}),
            piece(" two", "stop"),
            {"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 2}},
        ),
    ),
    Fault("a total alone", _counted(total_tokens=14)),
    Fault("true and false", _counted(prompt_tokens=True, completion_tokens=False)),
    Fault("whole numbers as 11.0", _counted(prompt_tokens=11.0, completion_tokens=3.0)),
    Fault("numbers that are none", _counted(prompt_tokens=3.5, completion_tokens="many")),
    Fault("negative numbers", _counted(prompt_tokens=-5, completion_tokens=-7)),
    Fault("more tokens than there are", _counted(prompt_tokens=10**30, completion_tokens=3)),
    Fault("input_tokens and output_tokens", _counted(input_tokens=11, output_tokens=3)),
    Fault(
        "Groq's usage",
        Answer("hello you"),
        events(piece("hello you", "stop", x_groq={"usage": _USED["usage"]})),
    ),
    Fault("a total, and no output", _counted(prompt_tokens=11, total_tokens=81)),
    Fault(
        "more reasoning than output",
        _counted(**_SPENT, completion_tokens_details={"reasoning_tokens": 5000}),
    ),
    Fault("more cached than prompt", _counted(**_SPENT, cache_read_input_tokens=800)),
    Fault("a usage that is a text", Answer("hello you", usage="some")),
    Fault("a usage that is null", Answer("hello you", usage=None)),
]
REASONING = [
    Fault(
        "reasoning_content beside the text", Answer("hello you", more={"reasoning_content": "Hm."})
    ),
    Fault("reasoning beside the text", Answer("hello you", more={"reasoning": "Hm."})),
    Fault("a thinking part and a text part", Answer([_THOUGHT, _TEXT])),
    Fault(
        "Databricks' reasoning part",
        Answer([{"type": "reasoning", "summary": [{"type": "text", "text": "Hm."}]}, _TEXT]),
    ),
    Fault("texts in a list", Answer(["hello", " you"])),
    Fault("a thinking part alone", Answer([_THOUGHT], "length")),
    Fault("only reasoning", Answer(None, more={"reasoning_content": "Hm."})),
    Fault("only reasoning, cut off", Answer("", "length", more={"reasoning": "Hm."})),
    Fault(
        "OpenAI's details",
        _counted(
            **_SPENT,
            completion_tokens_details={"reasoning_tokens": 27},
            prompt_tokens_details={"cached_tokens": 8},
        ),
    ),
    Fault("reasoning in the total alone", _counted(**_SPENT, total_tokens=61)),
    Fault("DeepSeek's prompt_cache_hit_tokens", _counted(**_SPENT, prompt_cache_hit_tokens=8)),
    Fault("Anthropic's cache_read_input_tokens", _counted(**_SPENT, cache_read_input_tokens=8)),
    Fault("Moonshot's cached_tokens", _counted(**_SPENT, cached_tokens=8)),
    Fault(
        "llama.cpp's timings",
        whole(**choice(message={"content": "hello you"}), usage=_SPENT, timings={"cache_n": 8}),
        events(piece("hello you", "stop", usage=_SPENT, timings={"cache_n": 8})),
    ),
]
COMPLAINTS = [
    Fault("400, maximum context length", Failure(400, "maximum context length is 4096 tokens")),
    Fault(
        "400, context_length_exceeded", _says(400, message="No.", code="context_length_exceeded")
    ),
    Fault(
        "400, exceed_context_size_error",
        _says(400, message="the request exceeds", type="exceed_context_size_error", n_ctx=512),
    ),
    Fault(
        "400, prompt is too long", Failure(400, "prompt is too long: 2125 tokens > 2000 maximum")
    ),
    Fault("500, the context window", _status(500, "exceeds the available context size")),
    Fault(
        "400, max_tokens is too large",
        _says(400, message="max_tokens is too large: 9. At most 8.", param="max_tokens"),
    ),
    Fault("400, a range of max_tokens", Failure(400, "the valid range of max_tokens is [1, 8]")),
    Fault("400, a range of temperature", Failure(400, "temperature must be in range (0, +inf)")),
    Fault(
        "400, no such reasoning_effort",
        _says(
            400,
            message="'reasoning_effort' does not support 'high'. Supported values are: 'low'.",
            param="reasoning_effort",
            code="unsupported_value",
        ),
        sent={"reasoning_effort": "high"},
    ),
    Fault("400, an argument, and again", Failure(400, "unknown field: max_tokens")),
    Fault("400, another reason", Failure(400, "no such tool")),
    Fault("400, context in another sense", Failure(400, "the context of this tool is unknown")),
    Fault("422", Failure(422, "bad field")),
    Fault(
        "422, FastAPI's detail", whole_with(422, detail=[{"loc": ["body", "n"], "msg": "bad n"}])
    ),
    Fault("413, tokens per minute", _says(413, message=_A_MINUTE, type="tokens", code=_RATE)),
    Fault("429, tokens per minute", _says(429, message=_A_MINUTE, type="tokens", code=_RATE)),
    Fault("429", _status(429, "slow down")),
    Fault("429, retry after an hour", Failure(429, "slow down", {"Retry-After": "3600"})),
    Fault("429, no credit", _status(429, "You exceeded your quota", "insufficient_quota")),
    Fault("429, Moonshot's quota", _says(429, message="no", type="exceeded_current_quota_error")),
    Fault("402", Failure(402, "Insufficient Balance", SOON)),
    Fault("400, Alibaba's arrears", _says(400, message="Access denied", code="Arrearage")),
    Fault("500, the system's role", _status(500, "Jinja Exception: System role not supported")),
    Fault("400, a developer's message", Failure(400, "Developer instruction is not enabled")),
    Fault("401 that echoes the key", Failure(401, "Incorrect API key provided: sk-secret")),
    Fault("403", Failure(403, "not for you")),
    Fault("404, the model", Failure(404, "model not found")),
    Fault("404, a web page", Raw(b"<html><title>Not Found</title>", "text/html", 404)),
    Fault("405", Raw(b"Method Not Allowed", "text/plain", 405)),
    Fault("408", _status(408, "too slow")),
    Fault("409", _status(409, "conflict")),
    Fault("413, a web page", Raw(b"<title>Request Entity Too Large</title>", "text/html", 413)),
    Fault("500", _status(500, "boom")),
    Fault("502, a web page", Raw(_PAGE, "text/html", 502, SOON)),
    Fault("503, loading", _status(503, "Loading model")),
    Fault("503, the provider's words", _says(503, message="error", metadata={"raw": "overloaded"})),
    Fault("504, nothing said", Raw(b"", "text/plain", 504, SOON)),
    Fault("200, an error", whole(**_ERROR)),
    Fault("200, an object of an error", whole(object="error", message="no such model")),
    Fault(
        "400, no such argument, all fine ones",
        Failure(400, "Unsupported parameter: top_k. This model supports: temperature, max_tokens."),
    ),
    Fault("400, a maximum", Failure(400, "max_tokens 64 is not supported, the maximum is 32")),
    Fault("400, Kimi's temperature", Failure(400, "invalid temperature: only 1 is allowed")),
    Fault(
        "400, xAI's effort",
        Failure(400, "Model grok does not support parameter reasoningEffort."),
        sent={"reasoning_effort": "low"},
    ),
    Fault(
        "400, no stream",
        Answer("hello you"),
        _says(400, message="You must be verified to stream", param="stream"),
    ),
    Fault("400, vLLM's decoder prompt", Failure(400, "longer than the maximum model length of 9")),
    Fault("400, DashScope's range", Failure(400, "<400> Range of input length should be [1, 9]")),
    Fault("403, no balance", Failure(403, "Sorry, your account balance is insufficient")),
    Fault("429, Zhipu's balance", _says(429, message="余额不足", code="1113")),
    Fault("429, wait in its words", Failure(429, "Please retry in 34.07s.")),
    Fault("429, an odd limit", _status(429, "your rate limit, requested 5000 tokens")),
    Fault(
        "429, an odd time", Failure(429, "no", {"Retry-After": "Fri, 31 Dec 9999 23:59:59 -2359"})
    ),
    Fault("200, with a code of 429", whole(error={"message": "Rate limit", "code": 429})),
    Fault("200, MiniMax", whole(choices=None, base_resp={"status_msg": "insufficient balance"})),
    Fault("400, an error 1,000 levels deep", Raw(_DEEP_ERROR, status=400)),
    Fault("400, Google's list", Raw(b'[{"error": {"message": "bad"}}]', status=400)),
    Fault("200, Cloudflare's errors", whole(success=False, errors=[{"message": "no quota"}])),
    Fault("200, a detail", whole(detail="not allowed here")),
    Fault("200, error_msg", whole(error_code=17, error_msg="daily limit reached")),
    Fault("200, a message alone", whole(message="Service down", status="down")),
]
OTHERS = [
    Fault("302 to another host", Raw(b"", status=302, headers={"Location": "http://127.0.0.2/"})),
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
    Fault("no JSON after words", Raw(b"{bad"), events(piece("one"), b"{bad")),
    Fault("an empty body", Raw(b""), Raw(b"", "text/event-stream")),
    Fault("a web page", Raw(_PAGE, "text/html")),
    Fault("an array", Raw(b"[]"), events([])),
    Fault("null", Raw(b"null"), events(b"null")),
    Fault("no UTF-8", Raw(b'{"choices": "\xff"}'), events(b'{"choices": "\xff"}')),
    Fault("JSON 200,000 levels deep", Raw(_DEEP), events(_DEEP)),
    Fault("no choices", whole(choices=[]), events({"choices": []})),
    Fault("choices are null", whole(choices=None), events({"choices": None})),
    Fault("content is null", Answer(None)),
    Fault("content is white space", Answer(" \n")),
    Fault("only a tool call", Answer(None, "tool_calls", more={"tool_calls": [{"id": "a"}]})),
    Fault("content is a number", Answer(7)),
    Fault("content is an image", Answer([{"type": "image_url", "image_url": "x"}])),
    Fault("refusal", Answer(None, refusal="I will not.")),
    Fault("control characters", Answer("\u202ehello\u0000<script>")),
]
_RECORDED = {  # of a real server of llama.cpp, as it sent them
    name: Raw(reply["body"].encode(), reply["content_type"], reply["status"])
    for name, reply in json.loads(_FILE.read_text("utf-8"))["replies"].items()
}
LLAMA_CPP = [
    Fault(f"{plain}; {streamed}", _RECORDED[plain], _RECORDED[streamed])
    for plain, streamed in {
        "plain": "streamed",
        "schema": "streamed without usage",
        "cut": "streamed and cut",
        "longer than the window": "longer than the window, streamed",
    }.items()
] + [
    Fault(name, _RECORDED[name])
    for name in (
        *("temperature that is a word", "unknown response_format", "schema that is none"),
        *("two choices", "an image", "wrong key", "wrong path", "schema, cut"),
    )
]
FAULTS = {
    "ends": ENDS,
    "counts": COUNTS,
    "reasoning": REASONING,
    "complaints": COMPLAINTS,
    "no answer at all": OTHERS,
    "llama.cpp, recorded": LLAMA_CPP,
}
"""The faults of each kind; what a reply to a request for an object means has a table of its own."""

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
