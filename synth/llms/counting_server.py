"""The tokenizer of a model that asks its server: llama.cpp's and vLLM's count before a call.

llama.cpp's server counts texts (`/tokenize`) and chats (`/v1/chat/completions/input_tokens`),
vLLM's both (`/tokenize`). A whole prompt is asked for, and remembered. What a text has about is
what the nearest family counts, times the factor by which this server has counted more so far.
"""

from functools import lru_cache
from json import dumps
from time import monotonic
from typing import Any

from typing_extensions import override

from synth.errors import CountingFailed
from synth.llms import background
from synth.llms.connection import Beside, Reply
from synth.llms.endpoint import Endpoint
from synth.llms.exchange import FAULTS
from synth.llms.failures import RequestFacts, as_model_error
from synth.llms.served import ServerFacts
from synth.llms.server_facts import ask_facts, tokens_at
from synth.text.frames import Frame, stand_ins
from synth.text.tokenizer import Chat, ModelTokenizer, Tokenizer
from synth.text.tokens import SERVER, register, tokenizer_for
from synth.text.wording import encodable

_MOST_BYTES = 32_000_000
_TIMEOUT = 20.0  # seconds


class CountingServer(Tokenizer):
    """Counts texts and chats as the server does; `asked` counts the requests.

    CountingFailed where the server no longer answers, which it `failed` to do last at this time of
    the monotonic clock.
    """

    def __init__(self, beside: Beside, model: str, facts: ServerFacts, name: str) -> None:
        super().__init__(name, list)
        self.failed: float | None = None
        self._beside = beside
        self._model = model
        self._is_vllm = facts.dialect == "vLLM"
        self._near = tokenizer_for(model).text_only
        self._counted = [1, 1]  # tokens of all that was asked for: the server's, and the family's

    @property
    def asked(self) -> int:
        """Requests so far."""
        return self._beside.asked

    @override
    def estimate(self, text: str) -> int:
        return self._near.count(text) * self._counted[0] // self._counted[1]

    def _learn(self, tokens: int, text: str) -> None:
        self._counted[0] += tokens
        self._counted[1] += self._near.count(text)

    def count_chat(self, chat: Chat) -> int:
        """Return the tokens of a whole chat, up to where the answer begins."""
        return self._recall(dumps(chat), lambda text: self._count_chat(chat))

    def _count_chat(self, chat: Chat) -> int:
        messages = [{"role": role, "content": encodable(content)} for role, content in chat]
        path, name = "/tokenize", "count"
        if not self._is_vllm:
            path, name = f"{self._beside.v1}/chat/completions/input_tokens", "input_tokens"
        tokens = self._number(path, {"messages": messages, "add_generation_prompt": True}, name)
        self._learn(tokens, "".join(content for _, content in chat))
        return tokens

    def chat_frame(self, roles: tuple[str, ...]) -> Frame:
        """Return what the server's chat template adds to messages of these roles, as a number."""
        contents = stand_ins(len(roles))
        chat = list(zip(roles, contents, strict=True))
        extra = self.count_chat(chat) - sum(self.counts(contents))
        return Frame(("",) * (len(roles) + 1), extra)

    @override
    def _count(self, text: str) -> int:
        if not text:
            return 0
        if self._is_vllm:
            body = {"prompt": encodable(text), "add_special_tokens": False}
            tokens = self._number("/tokenize", body, "count")
        else:
            pieces = self._post("/tokenize", {"content": encodable(text)}).get("tokens")
            tokens = len(pieces) if isinstance(pieces, list) else 0
        if not tokens:
            raise self._failure(ValueError("no tokens"))
        self._learn(tokens, text)
        return tokens

    def _number(self, path: str, body: dict[str, Any], name: str) -> int:
        tokens = tokens_at(self._post(path, body), name)
        if tokens is None:
            raise self._failure(ValueError(f"no {name}"))
        return tokens

    def _post(self, path: str, body: dict[str, Any]) -> Reply:
        work = self._beside.post(path, {"model": self._model, **body})
        try:
            return background.start(work).result()
        except FAULTS as error:
            raise self._failure(error) from None  # the SDK's message may quote the key

    def _failure(self, error: Exception) -> CountingFailed:
        endpoint, timeout = self._beside.endpoint, self._beside.timeout
        self.failed = monotonic()
        facts = RequestFacts("", endpoint.host, timeout, 0, 0, endpoint.key)
        return CountingFailed(
            f"The server did not count a text. {as_model_error(error, facts)} Or count with an"
            " encoding such as o200k_base, which is an estimate."
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
    beside = Beside(endpoint, _TIMEOUT, _MOST_BYTES)
    return ServerTokenizer(CountingServer(beside, model, facts, name), facts)
