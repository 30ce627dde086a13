"""What a server says of itself: which kind it is, its true window, whether it can count.

Nothing but the chat endpoint is common to all servers, so each kind is asked in its own way
(the paths are those of llama.cpp's and vLLM's HTTP servers, Ollama's and LM Studio's own APIs).
A server that doesn't know a path, or says nothing that can be used, leaves a fact unknown.
"""

import asyncio
import re
from collections.abc import Coroutine
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from synth.llms import background
from synth.llms.connection import Beside
from synth.llms.dialects import Pieces, Strings
from synth.llms.endpoint import Endpoint
from synth.llms.exchange import FAULTS
from synth.llms.served import LARGEST, DialectName, ServerFacts, Tokens

_MOST_BYTES = 8_000_000
_PROBE = "Say: ok"
_HOSTED = re.compile(r"(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|mistral\.ai)$")

T = TypeVar("T")


def ask_facts(
    model: str, api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> ServerFacts:
    """What the server says of itself and of this model, within `timeout` seconds a request.

    No failure is raised: what can't be had is not known. Hosts that are known to have no such
    paths are not asked. SynthError if `base_url` is no web address, or for an impossible key.
    """
    endpoint = Endpoint.of(api_key, base_url)
    if _HOSTED.search(endpoint.host):
        return ServerFacts()
    return background.start(_asked(endpoint, model, timeout)).result()


async def _asked(endpoint: Endpoint, model: str, timeout: float) -> ServerFacts:
    beside = Beside(endpoint, timeout, _MOST_BYTES)
    try:
        listed, props, studio, ollama, dialect = await asyncio.gather(
            _unless_it_fails(beside.get(f"{beside.v1}/models", _Listed)),
            _unless_it_fails(beside.get("/props", _Props)),
            _unless_it_fails(beside.get("/api/v0/models", _Studio)),
            _unless_it_fails(_ollama(beside, model)),
            _dialect(beside, model),
        )
    finally:
        await beside.close()
    own = listed.of(model) if listed else None
    if props is not None:
        trained = own.meta.n_ctx_train if own and own.meta else None
        return ServerFacts(
            kind="llama.cpp",
            window=props.default_generation_settings.n_ctx,
            trained=trained,
            dialect=dialect[0],
        )
    if studio is not None and any(one.max_context_length for one in studio.data):
        return studio.of(model)
    if ollama is not None:
        return ollama
    window = dialect[1] or (own.max_model_len if own else None)
    is_vllm = dialect[0] == "vLLM" or bool(own and own.owned_by == "vllm")
    return ServerFacts(kind="vLLM" if is_vllm else "other", window=window, dialect=dialect[0])


async def _unless_it_fails(reply: Coroutine[Any, Any, T]) -> T | None:
    try:
        return await reply
    except FAULTS:
        return None


async def _dialect(beside: Beside, model: str) -> tuple[DialectName | None, int | None]:
    """How the server is asked to count, and the window that it names with a count."""
    content = {"model": model, "content": [_PROBE, _PROBE], "with_pieces": True}
    pieces = await _unless_it_fails(beside.post("/tokenize", content, Pieces))
    if pieces is not None and pieces.tokens:
        return "llama.cpp", None
    prompt = {"model": model, "prompt": _PROBE, "add_special_tokens": False}
    counted = await _unless_it_fails(beside.post("/tokenize", prompt, Strings))
    return (None, None) if counted is None else ("vLLM", counted.max_model_len)


async def _ollama(beside: Beside, model: str) -> ServerFacts:
    await beside.get("/api/version", _Version)
    running = await _unless_it_fails(beside.get("/api/ps", _Running))
    shown = await _unless_it_fails(beside.post("/api/show", {"model": model}, _Shown))
    names = {model, f"{model}:latest"}
    loaded = [one for one in (running.models if running else []) if one.name in names]
    return ServerFacts(
        kind="Ollama",
        window=loaded[0].context_length if loaded else None,
        trained=shown.trained if shown else None,
    )


class _Settings(BaseModel):
    n_ctx: Tokens


class _Props(BaseModel):
    default_generation_settings: _Settings


class _Meta(BaseModel):
    n_ctx_train: Tokens | None = None


class _Model(BaseModel):
    id: str
    owned_by: str | None = None
    max_model_len: Tokens | None = None
    meta: _Meta | None = None


class _Listed(BaseModel):
    data: list[_Model] = Field(max_length=10_000)

    def of(self, model: str) -> _Model | None:
        """The entry of a model; the only one, since a server with one model takes any name."""
        named = [one for one in self.data if one.id == model]
        return named[0] if named else self.data[0] if len(self.data) == 1 else None


class _StudioModel(BaseModel):
    id: str
    loaded_context_length: Tokens | None = None
    max_context_length: Tokens | None = None


class _Studio(BaseModel):
    data: list[_StudioModel] = Field(max_length=10_000)

    def of(self, model: str) -> ServerFacts:
        """What it says of this model, if it has it."""
        own = next((one for one in self.data if one.id == model), _StudioModel(id=model))
        return ServerFacts(
            kind="LM Studio", window=own.loaded_context_length, trained=own.max_context_length
        )


class _Version(BaseModel):
    version: str


class _RunningModel(BaseModel):
    name: str
    context_length: Tokens | None = None


class _Running(BaseModel):
    models: list[_RunningModel] = Field(max_length=10_000)


class _Shown(BaseModel):
    model_info: dict[str, Any]

    @property
    def trained(self) -> int | None:
        named = [v for k, v in self.model_info.items() if k.endswith(".context_length")]
        return named[0] if named and isinstance(named[0], int) and 0 < named[0] < LARGEST else None
