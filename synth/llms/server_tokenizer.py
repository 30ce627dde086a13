"""The tokenizer of a model that asks its server: connected, and known by its name."""

from functools import lru_cache

from synth.errors import CountingFailed
from synth.llms.connection import Beside
from synth.llms.dialects import DIALECTS
from synth.llms.endpoint import Endpoint
from synth.llms.served import ServerFacts
from synth.llms.server_facts import ask_facts
from synth.llms.server_texts import ServerTexts
from synth.text.specs import SERVER
from synth.text.tokenizer import ModelTokenizer
from synth.text.tokens import register

_MOST_BYTES = 32_000_000
_TIMEOUT = 20.0  # seconds


class ServerTokenizer(ModelTokenizer):
    """The tokenizer and the chat template of a model as its server has them.

    `facts` are what the server said of itself; how it is asked, and whether it answers, says the
    `server` that counts the texts.
    """

    def __init__(self, texts: ServerTexts, facts: ServerFacts) -> None:
        super().__init__(texts.name, texts, "counted by your server", True, texts.chat_frame)
        self.facts = facts
        self.server = texts


def server_tokenizer(
    model: str,
    api_key: str | None = None,
    base_url: str | None = None,
    facts: ServerFacts | None = None,
    owner: str = "",
    place: str = "",
) -> ServerTokenizer:
    """The tokenizer that asks this server; the same one for the same server, key and model.

    `get_tokenizer` knows it by its name from then on, which has the server's host, or a `place`
    that doesn't change with its port, and the `owner` if there is one, so that whoever shares a
    process doesn't share a key. The server is asked for its facts where none are given.
    CountingFailed if it can't count before a call, or does not answer.
    """
    endpoint = Endpoint.of(api_key, base_url)
    facts = facts or ask_facts(model, api_key, base_url)
    words = (SERVER, place or endpoint.host, model, owner)
    tokenizer = _connected(endpoint, model, facts, " ".join(filter(None, words)))
    register(tokenizer)
    return tokenizer


@lru_cache(maxsize=16)
def _connected(endpoint: Endpoint, model: str, facts: ServerFacts, name: str) -> ServerTokenizer:
    if facts.dialect is None:
        raise CountingFailed(
            f"{endpoint.host} can't count a text before a call, as llama.cpp and vLLM can, or does"
            " not answer: start it, or give an encoding such as o200k_base as the tokenizer, which"
            " is an estimate."
        )
    dialect = DIALECTS[facts.dialect](Beside(endpoint, _TIMEOUT, _MOST_BYTES), model)
    return ServerTokenizer(ServerTexts(dialect, name), facts)
