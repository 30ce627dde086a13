"""A server on the loopback interface that counts tokens as llama.cpp does.

Its tokenizer is cl100k_base with special tokens of its own, read as special in any text, and its
chat template names the roles as ChatML does. Every completion reports what its prompt has.

    with FakeServer(key="secret") as server:
        OpenAILLM("m", "secret", server.base_url, tokenizer="server")
        server.asked["/tokenize"]
"""

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler
from typing import Any

import tiktoken

from synth.text import encodings
from tests.loopback import Handler, Loopback

_SPECIAL = ("<|im_start|>", "<|im_end|>", "<end_of_turn>", "<odd token>")
_PLAIN = encodings.load("cl100k_base")
ENCODING = tiktoken.Encoding(
    "fake",
    pat_str=_PLAIN._pat_str,
    mergeable_ranks=_PLAIN._mergeable_ranks,
    special_tokens={token: 200_000 + n for n, token in enumerate(_SPECIAL)},
)


def tokens_of(text: str) -> list[bytes]:
    ids = ENCODING.encode(text, allowed_special="all")
    return [ENCODING.decode_single_token_bytes(number) for number in ids]


class FakeServer(Loopback):
    """The server, as a context manager; `base_url` is its address.

    `instead` are replies in the place of its own, by their paths: any bytes, or seconds to wait
    before its own. `strips` and `hidden` (tokens before each chat) are of its chat template.
    `asked` counts requests by their path.
    """

    def __init__(
        self,
        *,
        model: str = "m",
        key: str = "",
        window: int = 4_096,
        instead: dict[str, bytes | float] | None = None,
        strips: bool = False,
        hidden: int = 0,
    ) -> None:
        super().__init__(_Handler)
        self.model, self.key, self.window = model, key, window
        self.instead = dict(instead or {})
        self.strips, self.hidden = strips, hidden
        self.asked: Counter[str] = Counter()

    def chat(self, messages: list[dict[str, str]]) -> str:
        """What the model reads of these messages, without what is hidden."""
        text = "<|im_start|>system\nBe brief.<|im_end|>\n"
        for message in messages:
            content = message["content"].strip() if self.strips else message["content"]
            text += f"<|im_start|>{message['role']}\n{content}<|im_end|>\n"
        return f"{text}<|im_start|>assistant\n"

    def reply(self, path: str, body: dict[str, Any]) -> object | None:
        """What it says there; None for a path that it doesn't know."""
        match path:
            case "/v1/chat/completions":
                used = self.hidden + len(tokens_of(self.chat(body["messages"])))
                usage = {"prompt_tokens": used, "completion_tokens": 1}
                message = {"role": "assistant", "content": "ok"}
                return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
            case "/props":
                return {"default_generation_settings": {"n_ctx": self.window}}
            case "/v1/chat/completions/input_tokens":
                text = self.chat(body["messages"])
                return {"input_tokens": self.hidden + len(tokens_of(text))}
            case "/tokenize":
                return {"tokens": [7] * len(tokens_of(body["content"]))}
        return None


class _Handler(Handler, BaseHTTPRequestHandler):
    fake: FakeServer

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        fake = self.fake
        path = self.path.partition("?")[0]
        if fake.closing.is_set():
            self.close_connection = True
            return
        fake.asked[path] += 1
        if fake.key and self.headers["Authorization"] != f"Bearer {fake.key}":
            self.send(b'{"error": {"message": "wrong key"}}', status=401)
            return
        instead = fake.instead.get(path)
        if isinstance(instead, bytes):
            self.send(instead)
            return
        if isinstance(instead, float):
            fake.closing.wait(instead)
        reply = fake.reply(path, body)
        if reply is None:
            self.send(b'{"error": {"message": "no such path"}}', status=404)
        else:
            self.send(json.dumps(reply).encode())
