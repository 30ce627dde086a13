"""A chat endpoint on the loopback interface: it follows a script and keeps what it was sent.

    with FakeOpenAI(Answer("hello"), Failure(429, "slow down", {"Retry-After": "20"})) as server:
        OpenAILLM("m", "key", server.base_url).complete(prompt)
        server.requests[0].body["messages"]

The replies go out in their order, the last one again and again. `refuses` maps an argument
(or a `response_format` type) to the message with which the endpoint rejects it; `models` are
what it lists.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import Handler, Loopback

USAGE = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}


@dataclass(frozen=True)
class Answer:
    """A chat completion; as a stream, one piece a word, unless it is `broken_after` so many.

    `more` are further fields of the message. With `usage_choice` the last piece of a stream
    holds a choice beside the usage, as LiteLLM sends it.
    """

    text: object
    finish_reason: str | None = "stop"
    refusal: str | None = None
    broken_after: int | None = None
    usage: object = field(default_factory=lambda: USAGE)
    more: Mapping[str, object] = field(default_factory=dict)
    usage_choice: bool = False


@dataclass(frozen=True)
class Words:
    """An answer of so many words, each a token, that ends early at `obeys` alone.

    Ollama obeys `max_tokens` and nothing else (ChatCompletionRequest of its openai/openai.go); a
    server may obey neither name. `prompt_tokens` are what it says of the prompt.
    """

    count: int
    obeys: str = "max_tokens"
    prompt_tokens: int = 11

    def answer_to(self, body: Mapping[str, Any]) -> Answer:
        most = min(self.count, body.get(self.obeys, self.count))
        usage = {"prompt_tokens": self.prompt_tokens, "completion_tokens": most}
        reason = "length" if most < self.count else "stop"
        return Answer(" ".join(["word"] * most), reason, usage=usage)


@dataclass(frozen=True)
class Reader:
    """A server that says how many tokens it read, each a word, and answers from these alone.

    Of a prompt that its `window` does not hold it reads the last words without a word, as Ollama
    does: from 0.30 on, which `halves` it, about half a window. `frame` words
    of a chat template stand before the prompt; `says` may be another count than the true one.
    """

    window: int
    reply: Callable[[str], str] = lambda text: "It is so."
    frame: int = 0
    halves: bool = False
    says: Callable[[int], int | None] = lambda tokens: tokens

    def answer_to(self, body: Mapping[str, Any]) -> Answer:
        words = ["<frame>"] * self.frame
        words += " ".join(message["content"] for message in body["messages"]).split()
        most = self.window - (self.window - 4) // 2 if self.halves else self.window
        read = words[-most:] if len(words) > self.window - self.halves else words
        text = self.reply(" ".join(read))
        usage = {"prompt_tokens": self.says(len(read)), "completion_tokens": len(text.split())}
        return Answer(text, usage=usage if usage["prompt_tokens"] is not None else None)


@dataclass(frozen=True)
class Failure:
    """An error status with a message in OpenAI's form."""

    status: int
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str | None = None


@dataclass(frozen=True)
class Raw:
    """Any bytes at all, as the body of a reply."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trickle:
    """The same piece again and again, with `pause` seconds between, until the client leaves."""

    piece: bytes
    pause: float = 0.02
    content_type: str = "application/json"


@dataclass(frozen=True)
class Late:
    seconds: float
    reply: Answer | Failure


@dataclass(frozen=True)
class Line:
    """Any bytes at all, headers too; then the connection is closed."""

    data: bytes = b""


@dataclass(frozen=True)
class Silence:
    """No reply before the server is closed."""


Reply = Answer | Words | Reader | Failure | Raw | Trickle | Late | Line | Silence


@dataclass(frozen=True)
class Request:
    path: str
    authorization: str | None
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


class FakeOpenAI(Loopback):
    """The endpoint, as a context manager; `base_url` is its address."""

    def __init__(
        self,
        *replies: Reply,
        refuses: Mapping[str, str] | None = None,
        models: Sequence[str] | Raw = (),
    ) -> None:
        super().__init__(_Handler)
        self.requests: list[Request] = []
        self.models = models
        self._replies = replies
        self._refuses = dict(refuses or {})
        self._lock = threading.Lock()
        self._answered = 0

    def reply_to(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            sent = {*request.body, request.body.get("response_format", {}).get("type")}
            for name, message in self._refuses.items():
                if name in sent:
                    return Failure(400, message)
            self._answered += 1
            return self._replies[min(self._answered, len(self._replies)) - 1]


class _Handler(Handler, BaseHTTPRequestHandler):
    fake: FakeOpenAI

    def do_GET(self) -> None:
        key, headers = self.headers["Authorization"], dict(self.headers)
        self.fake.requests.append(Request(self.path, key, {}, headers))
        models = self.fake.models
        if not isinstance(models, Raw):
            data = [{"id": name, "object": "model"} for name in models]
            models = Raw(json.dumps({"object": "list", "data": data}).encode())
        self.send(models.body, models.content_type, models.status, models.headers)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(self.path, self.headers["Authorization"], body, dict(self.headers))
        self._reply(self.fake.reply_to(request), body)

    def _reply(self, reply: Reply, body: Mapping[str, Any]) -> None:
        match reply:
            case Silence():
                self.fake.closing.wait()
                self.close_connection = True
            case Late(seconds, later):
                self.fake.closing.wait(seconds)
                self._reply(later, body)
            case Line(data):
                self.wfile.write(data)
                self.close_connection = True
            case Words() | Reader():
                self._reply(reply.answer_to(body), body)
            case Trickle():
                self._trickle(reply)
            case Failure(status, message, headers, code):
                error = {"error": {"message": message, "type": "x", "param": None, "code": code}}
                self.send(json.dumps(error).encode(), "application/json", status, headers)
            case Raw(data, content_type, status, headers):
                self.send(data, content_type, status, headers)
            case Answer() if body.get("stream"):
                self._stream(reply, usage="stream_options" in body)
            case Answer():
                said = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
                choice = {"message": {**said, **reply.more}, "finish_reason": reply.finish_reason}
                whole = {"object": "x", "choices": [choice], "usage": reply.usage}
                self.send(json.dumps(whole).encode())

    def _trickle(self, reply: Trickle) -> None:
        self._begin(reply.content_type)
        while not self.fake.closing.wait(reply.pause):
            self._chunk(reply.piece)

    def _stream(self, answer: Answer, *, usage: bool) -> None:
        self._begin("text/event-stream")
        text = answer.text
        for number, part in enumerate(text.split(" ") if isinstance(text, str) else [text]):
            if number == answer.broken_after:
                self.close_connection = True  # with no last chunk: the client sees the break
                return
            piece = f" {part}" if isinstance(part, str) and number else part
            said = {"refusal": answer.refusal, **answer.more} if number == 0 else {}
            self._event([{"delta": {"content": piece, **said}}])
        if answer.finish_reason:
            self._event([{"delta": {}, "finish_reason": answer.finish_reason}])
        if usage:
            self._event([{"index": 0, "delta": {}}] if answer.usage_choice else [], answer.usage)
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _begin(self, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _event(self, choices: Sequence[object], usage: object = None) -> None:
        event = {"object": "chat.completion.chunk", "choices": choices, "usage": usage}
        self._chunk(f"data: {json.dumps(event)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
