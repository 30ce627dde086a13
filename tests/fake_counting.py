"""Servers on the loopback interface that count tokens: llama.cpp, vLLM, Ollama, LM Studio.

Their tokenizer is cl100k_base with special tokens of its own, read as special in any text, and
their chat template names the roles as ChatML does. Every completion reports what its prompt has.

    with FakeServer("llama.cpp", key="secret") as server:
        OpenAILLM("m", "secret", server.base_url, tokenizer="server")
        server.asked["/tokenize"]
"""

import json
from collections import Counter
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

import tiktoken

from synth.text import encodings
from tests.loopback import Handler, Loopback

Kind = Literal["llama.cpp", "vLLM", "Ollama", "LM Studio", "other"]

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
    """One of these servers, as a context manager; `base_url` is its address.

    `without` are paths that it doesn't know, `instead` replies in the place of its own: any bytes,
    or seconds to wait before its own. `strips` and `hidden` (tokens before each chat) are of its
    chat template, and a `window` of Ollama's cuts. `asked` counts requests by their path.
    """

    def __init__(
        self,
        kind: Kind,
        *,
        model: str = "m",
        key: str = "",
        window: int = 4_096,
        trained: int = 8_192,
        without: Iterable[str] = (),
        instead: dict[str, bytes | float] | None = None,
        strips: bool = False,
        hidden: int = 0,
    ) -> None:
        super().__init__(_Handler)
        self.kind, self.model, self.key = kind, model, key
        self.window, self.trained = window, trained
        self.without, self.instead = set(without), dict(instead or {})
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
        if path.endswith("/chat/completions"):
            return self._completion(body)
        if path == "/v1/models":
            return {"data": [self._listed()]}
        own = {
            "llama.cpp": self._llama_cpp,
            "vLLM": self._vllm,
            "Ollama": self._ollama,
            "LM Studio": self._lm_studio,
        }
        return own[self.kind](path, body) if self.kind in own else None

    def _listed(self) -> dict[str, object]:
        if self.kind == "llama.cpp":
            meta = {"n_ctx_train": self.trained}
            return {"id": self.model, "owned_by": "llamacpp", "meta": meta}
        if self.kind == "vLLM":
            return {"id": self.model, "owned_by": "vllm", "max_model_len": self.window}
        return {"id": self.model, "owned_by": "library"}

    def _completion(self, body: dict[str, Any]) -> object:
        used = self.hidden + len(tokens_of(self.chat(body["messages"])))
        if self.kind == "Ollama":
            used = min(used, self.window)
        usage = {"prompt_tokens": used, "completion_tokens": 1}
        message = {"role": "assistant", "content": "ok"}
        return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}

    def _llama_cpp(self, path: str, body: dict[str, Any]) -> object | None:
        match path:
            case "/props":
                return {"default_generation_settings": {"n_ctx": self.window}}
            case "/apply-template":
                return {"prompt": self.chat(body["messages"])}
            case "/v1/chat/completions/input_tokens":
                text = self.chat(body["messages"])
                return {"input_tokens": self.hidden + len(tokens_of(text))}
            case "/tokenize":
                added = self.hidden if body.get("add_special") else 0
                return {"tokens": [7] * (added + len(tokens_of(body.get("content", ""))))}
        return None

    def _vllm(self, path: str, body: dict[str, Any]) -> object | None:
        if path != "/tokenize" or not {"prompt", "messages"} & body.keys():
            return None
        text = body["prompt"] if "prompt" in body else self.chat(body["messages"])
        hidden = self.hidden if "messages" in body else 0
        return {"count": hidden + len(tokens_of(text)), "max_model_len": self.window}

    def _ollama(self, path: str, body: dict[str, Any]) -> object | None:
        match path:
            case "/api/version":
                return {"version": "0.12.0"}
            case "/api/ps":
                return {"models": [{"name": self.model, "context_length": self.window}]}
            case "/api/show" if body["model"] == self.model:
                return {
                    "model_info": {
                        "general.architecture": "llama",
                        "llama.context_length": self.trained,
                    }
                }
        return None

    def _lm_studio(self, path: str, _: dict[str, Any]) -> object | None:
        if path != "/api/v0/models":
            return None
        lengths = {"loaded_context_length": self.window, "max_context_length": self.trained}
        return {"data": [{"id": "other"}, {"id": self.model, **lengths}]}


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
        reply = None if path in fake.without else fake.reply(path, body)
        if reply is None:
            self.send(b'{"error": {"message": "no such path"}}', status=404)
        else:
            self.send(json.dumps(reply).encode())
