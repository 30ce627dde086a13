"""A server on the loopback interface that counts tokens as llama.cpp does: here, by characters.

Its chat template names the roles as ChatML does. Every completion reports what its prompt has.
"""

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import Handler, Loopback


class CountingServer(Loopback):
    """The server, as a context manager; `base_url` is its address.

    `instead` are replies in the place of its own, by their paths. `hidden` tokens stand before each
    chat. `asked` counts requests by their path.
    """

    def __init__(self, window: int = 4_096, hidden: int = 0) -> None:
        super().__init__(_Handler)
        self.window, self.hidden = window, hidden
        self.instead: dict[str, bytes] = {}
        self.asked: Counter[str] = Counter()

    def reply(self, path: str, body: dict[str, Any]) -> object:
        """What it says there; None for a path that it doesn't know."""
        if path == "/props":
            return {"default_generation_settings": {"n_ctx": self.window}}
        if path == "/tokenize":
            return {"tokens": list(body["content"])}
        chat = "".join(f"<|{one['role']}|>{one['content'].strip()}" for one in body["messages"])
        tokens = self.hidden + len(f"{chat}<|assistant|>")
        if path == "/apply-template":
            return {"prompt": f"{chat}<|assistant|>"}
        if path == "/v1/chat/completions/input_tokens":
            return {"input_tokens": tokens}
        usage = {"prompt_tokens": tokens, "completion_tokens": 2}
        message = {"role": "assistant", "content": "ok"}
        return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}


class _Handler(Handler, BaseHTTPRequestHandler):
    fake: CountingServer

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        self.fake.asked[self.path] += 1
        reply = self.fake.instead.get(self.path)
        self.send(reply or json.dumps(self.fake.reply(self.path, body)).encode())
