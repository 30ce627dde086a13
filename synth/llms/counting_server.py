"""The tokenizer of a llama.cpp server, which is asked for each count before a call.

Whole prompts are counted, and remembered. What a text has about is what the nearest family counts.
"""

import asyncio
from dataclasses import replace
from functools import lru_cache
from json import dumps
from typing import Any, NoReturn

import httpx2
from typing_extensions import override

from synth.errors import CountingFailed
from synth.llms.complaints import RequestFacts, as_model_error, value_at
from synth.llms.connection import FAULTS, Connection, start_work
from synth.llms.endpoint import Endpoint
from synth.text.model_tokenizers import SERVER, register, tokenizer_for
from synth.text.tokenizer import Chat, Frame, ModelTokenizer, Tokenizer
from synth.text.wording import make_utf8

_MOST_BYTES = 32_000_000
_TIMEOUT = 20.0  # seconds of a request that counts
_LARGEST = 2**31  # more tokens than any window has


class CountingServer(Tokenizer):
    """Counts texts and chats as the server does; CountingFailed where it does not answer so."""

    encodes = True

    def __init__(self, endpoint: Endpoint, model: str, name: str) -> None:
        super().__init__(name, list)
        address = httpx2.URL(endpoint.base_url)
        root = address.copy_with(path=address.path.rstrip("/").removesuffix("/v1") or "/")
        self._facts = RequestFacts(endpoint, _TIMEOUT)
        self._connection = Connection(self, replace(endpoint, base_url=str(root)), _MOST_BYTES)
        self._model = model
        self._near = tokenizer_for(model).text_only

    @override
    def estimate(self, text: str) -> int:
        return self._near.count(text)

    def ask_window(self) -> int:
        """Ask for what a prompt and its answer have together as the server runs, in tokens."""
        reply = self._ask("/props")
        return _read_tokens(reply, "default_generation_settings", "n_ctx") or self._fail(reply)

    @override
    def _count(self, text: str) -> int:
        return len(self.encode(text)) if text else 0

    @override
    def encode(self, text: str) -> list[object]:
        reply = self._ask("/tokenize", content=make_utf8(text), add_special_tokens=False)
        tokens = value_at(reply, "tokens")
        return tokens if isinstance(tokens, list) and tokens else self._fail(reply)

    def count_chat(self, chat: Chat) -> int:
        """Count the tokens of a whole chat, up to where the answer begins."""
        return self._recall(dumps(chat), lambda text: self._count_chat(chat))

    def _count_chat(self, chat: Chat) -> int:
        reply = self._ask(
            "/v1/chat/completions/input_tokens",
            messages=_messages(chat),
            add_generation_prompt=True,
        )
        return _read_tokens(reply, "input_tokens") or self._fail(reply)

    def chat_frame(self, roles: tuple[str, ...]) -> Frame:
        """Return what the server's chat template adds to messages of these roles, as a number."""
        contents = [f"Standin{number}x" for number in range(len(roles))]
        chat = tuple(zip(roles, contents, strict=True))
        extra = self.count_chat(chat) - sum(map(self.count, contents))
        reply = self._ask("/apply-template", messages=_messages(chat))
        text = value_at(reply, "prompt")
        first = text.partition(contents[0])[0] if isinstance(text, str) else ""
        before = min(self.count(first), extra)
        return Frame(("",) * (len(roles) + 1), (before, *[0] * (len(roles) - 1), extra - before))

    def _ask(self, path: str, **body: Any) -> Any:
        """Return the JSON of a reply, or what came in its place, one of FAULTS."""
        return start_work(self._reply(path, body)).result()

    async def _reply(self, path: str, body: dict[str, Any]) -> Any:
        named = {"model": self._model, **body} if body else None
        try:
            async with asyncio.timeout(_TIMEOUT):
                return await self._connection.ask(path, named)
        except FAULTS as problem:
            return problem

    def _fail(self, reply: Any) -> NoReturn:
        problem = reply if isinstance(reply, Exception) else ValueError("no count")
        raise CountingFailed(  # without the client's message, which may quote the key
            "The server did not count a text, as llama.cpp can."
            f" {as_model_error(problem, self._facts)} Or count with an encoding such as o200k_base,"
            " which is an estimate."
        )


def _messages(chat: Chat) -> list[dict[str, str]]:
    return [{"role": role, "content": make_utf8(content)} for role, content in chat]


def _read_tokens(reply: Any, *path: str) -> int | None:
    value = value_at(reply, *path)
    return value if type(value) is int and 0 < value < _LARGEST else None


class ServerTokenizer(ModelTokenizer):
    """The tokenizer and the chat template of a model as its `server` has them."""

    asks = True

    def __init__(self, server: CountingServer) -> None:
        super().__init__(server.name, server, "counted by your server", True, server.chat_frame)
        self.server = server

    @override
    def count_chat(self, chat: Chat) -> int:
        return self.server.count_chat(chat)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return self  # it reads them so


def server_tokenizer(
    model: str, api_key: str | None = None, base_url: str | None = None, place: str = ""
) -> ServerTokenizer:
    """Return the tokenizer that asks this server; the same one for the same server, key and model.

    `get_tokenizer` knows it by its name from then on, which has the server's host, or a `place`
    that doesn't change with its port. CountingFailed if it can't count.
    """
    endpoint = Endpoint.of(api_key, base_url)
    tokenizer = _connect(endpoint, model, f"{SERVER} {place or endpoint.host} {model}")
    register(tokenizer)
    return tokenizer


@lru_cache(maxsize=16)
def _connect(endpoint: Endpoint, model: str, name: str) -> ServerTokenizer:
    server = CountingServer(endpoint, model, name)
    server.count_chat([("user", "Say: ok")])
    return ServerTokenizer(server)
