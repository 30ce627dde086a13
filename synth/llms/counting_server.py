"""A server that counts: what it says of itself, and the tokenizer that asks it before a call.

Each kind of server is asked in its own way: by the paths of llama.cpp's and vLLM's HTTP servers, of
Ollama's and LM Studio's own APIs. Whole prompts are counted, and remembered. What a text has about
is what the nearest family counts, times the factor by which this server has counted more so far.
"""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from json import dumps
from time import monotonic
from typing import Any, NoReturn

import httpx2
from typing_extensions import override

from synth.errors import CountingFailed
from synth.llms import background
from synth.llms.complaints import ErrorReply, value_at
from synth.llms.connection import FAULTS, Connection
from synth.llms.endpoint import Endpoint, authorization
from synth.llms.failures import RequestFacts, as_model_error
from synth.llms.served import LARGEST, ServerFacts
from synth.text.chat_templates import Frame, stand_ins
from synth.text.tokenizer import Chat, ModelTokenizer, Tokenizer
from synth.text.tokens import SERVER, register, tokenizer_for
from synth.text.wording import make_utf8

_MOST_BYTES = 32_000_000
_TIMEOUT = 20.0  # seconds of a request that counts
_PROBE = {"content": "Say: ok", "prompt": "Say: ok"}  # as llama.cpp and as vLLM calls it
_HOSTED = re.compile(r"(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|mistral\.ai)$")


Request = tuple[str, dict[str, Any] | None]
"""A path, and what is posted there; None for a GET."""


class Server:
    """The replies of a server by their paths; `facts` are those of a request for its errors."""

    def __init__(self, endpoint: Endpoint, model: str, timeout: float) -> None:
        address = httpx2.URL(endpoint.base_url)
        path = address.path.rstrip("/")
        root = address.copy_with(path=path.removesuffix("/v1") or "/")
        self.v1 = "/v1" if path.endswith("/v1") else ""
        self.model = model
        self.facts = RequestFacts(endpoint, timeout)
        rooted = replace(endpoint, base_url=str(root))
        self._connection = Connection(self, rooted, authorization(endpoint), _MOST_BYTES)

    def ask(self, *requests: Request) -> list[Any]:
        """Send these at once, and return the replies: JSON, or the one of FAULTS in its place."""
        return background.start(self._replies(requests)).result()

    async def _replies(self, requests: Iterable[Request]) -> list[Any]:
        return await asyncio.gather(*(self._reply(*request) for request in requests))

    async def _reply(self, path: str, body: dict[str, Any] | None) -> Any:
        named = None if body is None else {"model": self.model, **body}
        try:
            async with asyncio.timeout(self.facts.timeout):
                return await self._connection.ask(path, named)
        except FAULTS as problem:
            return problem


def _tokens(reply: Any, *path: str) -> int | None:
    value = value_at(reply, *path)
    return value if type(value) is int and 0 < value < LARGEST else None


def _read_count(reply: Any) -> int:
    """Return the tokens of a text by the reply to it: their number, or as many as are listed."""
    tokens = value_at(reply, "tokens")
    return _tokens(reply, "count") or (len(tokens) if isinstance(tokens, list) else 0)


def _entry(entries: Any, *names: str, only: bool = False) -> Any:
    every = entries if isinstance(entries, list) else []
    named = [
        entry
        for entry in every
        if value_at(entry, "id") in names or value_at(entry, "name") in names
    ]
    return next(iter(every if only and len(every) == 1 else named), None)


def ask_facts(
    model: str, api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> ServerFacts:
    """Ask what the server says of itself and of this model, within `timeout` seconds.

    No failure is raised: what can't be had is not known. Hosts that are known to have no such
    paths are not asked. SynthError if `base_url` is no web address, or for an impossible key.
    """
    endpoint = Endpoint.of(api_key, base_url)
    if _HOSTED.search(endpoint.host):
        return ServerFacts()
    server = Server(endpoint, model, timeout)
    paths = (f"{server.v1}/models", "/props", "/api/v0/models", "/api/version", "/api/ps")
    listed, props, studio, version, running, shown, counted = server.ask(
        *((path, None) for path in paths), ("/api/show", {}), ("/tokenize", _PROBE)
    )
    own = _entry(
        value_at(listed, "data"), model, only=True
    )  # a server with one model takes any name
    window = _tokens(props, "default_generation_settings", "n_ctx")
    is_vllm = _tokens(counted, "count") is not None
    counts = _read_count(counted) > 0 and not is_vllm
    if window or counts:
        return ServerFacts(
            kind="llama.cpp",
            window=window,
            trained=_tokens(own, "meta", "n_ctx_train"),
            dialect="llama.cpp" if counts else None,
        )
    loaded = _entry(value_at(studio, "data"), model)
    if trained := _tokens(loaded, "max_context_length"):
        window = _tokens(loaded, "loaded_context_length")
        return ServerFacts(kind="LM Studio", window=window, trained=trained)
    if value_at(version, "version"):
        entry = _entry(value_at(running, "models"), model, f"{model}:latest")
        architecture = str(value_at(shown, "model_info", "general.architecture"))
        trained = _tokens(shown, "model_info", f"{architecture}.context_length")
        return ServerFacts(kind="Ollama", window=_tokens(entry, "context_length"), trained=trained)
    window = _tokens(counted, "max_model_len") or _tokens(own, "max_model_len")
    kind = "vLLM" if is_vllm or value_at(own, "owned_by") == "vllm" else "other"
    return ServerFacts(kind=kind, window=window, dialect="vLLM" if is_vllm else None)


class CountingServer(Tokenizer):
    """Counts texts and chats as the server does.

    CountingFailed where the server no longer answers, which it `failed` to do last at this time of
    the monotonic clock.
    """

    def __init__(self, server: Server, is_vllm: bool, name: str) -> None:
        super().__init__(name, list)
        self.failed: float | None = None
        self._server = server
        self._is_vllm = is_vllm
        self._near = tokenizer_for(server.model).text_only
        self._seen = [1, 1]  # tokens of all that was asked for: the server's, and the family's

    @override
    def estimate(self, text: str) -> int:
        return self._near.count(text) * self._seen[0] // self._seen[1]

    def _learn(self, tokens: int, text: str) -> int:
        self._seen[0] += tokens
        self._seen[1] += self._near.count(text)
        return tokens

    @override
    def _count(self, text: str) -> int:
        if not text:
            return 0
        body = {"prompt" if self._is_vllm else "content": make_utf8(text)}
        [reply] = self._server.ask(("/tokenize", {**body, "add_special_tokens": False}))
        return self._learn(_read_count(reply) or self._fail(reply), text)

    def count_chat(self, chat: Chat) -> int:
        """Count the tokens of a whole chat, up to where the answer begins."""
        return self._recall(dumps(chat), lambda text: self._count_chat(chat))

    def _count_chat(self, chat: Chat) -> int:
        messages = [{"role": role, "content": make_utf8(content)} for role, content in chat]
        path, name = f"{self._server.v1}/chat/completions/input_tokens", "input_tokens"
        if self._is_vllm:
            path, name = "/tokenize", "count"
        [reply] = self._server.ask((path, {"messages": messages, "add_generation_prompt": True}))
        tokens = _tokens(reply, name)
        if isinstance(reply, ErrorReply) and reply.status == 404:  # an older llama.cpp
            [applied] = self._server.ask(("/apply-template", {"messages": messages}))
            text = {"content": value_at(applied, "prompt"), "add_special": True}
            [reply] = self._server.ask(("/tokenize", text))
            tokens = _read_count(reply)
        return self._learn(tokens or self._fail(reply), "".join(content for _, content in chat))

    def chat_frame(self, roles: tuple[str, ...]) -> Frame:
        """Return what the server's chat template adds to messages of these roles, as a number."""
        contents = stand_ins(len(roles))
        chat = list(zip(roles, contents, strict=True))
        extra = self.count_chat(chat) - sum(map(self.count, contents))
        return Frame(("",) * (len(roles) + 1), extra)

    def _fail(self, reply: Any) -> NoReturn:
        problem = reply if isinstance(reply, Exception) else ValueError("no count")
        self.failed = monotonic()
        raise CountingFailed(  # without the client's message, which may quote the key
            f"The server did not count a text. {as_model_error(problem, self._server.facts)} Or"
            " count with an encoding such as o200k_base, which is an estimate."
        )


class ServerTokenizer(ModelTokenizer):
    """The tokenizer and the chat template of a model as its `server` has them.

    `facts` are what the server said of itself.
    """

    asks = True

    def __init__(self, server: CountingServer, facts: ServerFacts) -> None:
        super().__init__(server.name, server, "counted by your server", True, server.chat_frame)
        self.facts = facts
        self.server = server

    @override
    def count_chat(self, chat: Chat) -> int:
        return self.server.count_chat(chat)

    @override
    def with_special_tokens(self) -> Tokenizer:
        return self  # it reads them so


def server_tokenizer(
    model: str,
    api_key: str | None = None,
    base_url: str | None = None,
    facts: ServerFacts | None = None,
    owner: str = "",
    place: str = "",
) -> ServerTokenizer:
    """Return the tokenizer that asks this server; the same one for the same server, key and model.

    `get_tokenizer` knows it by its name from then on, which has the server's host, or a `place`
    that doesn't change with its port, and the `owner` if there is one, so that whoever shares a
    process doesn't share a key. The server is asked for its facts where none are given.
    CountingFailed if it can't count before a call, or does not answer.
    """
    endpoint = Endpoint.of(api_key, base_url)
    facts = facts or ask_facts(model, api_key, base_url)
    words = (SERVER, place or endpoint.host, model, owner)
    tokenizer = _connect(endpoint, model, facts, " ".join(filter(None, words)))
    register(tokenizer)
    return tokenizer


@lru_cache(maxsize=16)
def _connect(endpoint: Endpoint, model: str, facts: ServerFacts, name: str) -> ServerTokenizer:
    if facts.dialect is None:
        raise CountingFailed(
            f"{endpoint.host} can't count a text before a call, as llama.cpp and vLLM can, or does"
            " not answer: start it, or give an encoding such as o200k_base as the tokenizer, which"
            " is an estimate."
        )
    server = Server(endpoint, model, _TIMEOUT)
    return ServerTokenizer(CountingServer(server, facts.dialect == "vLLM", name), facts)
