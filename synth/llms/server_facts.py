"""What a server says of itself: which kind it is, its true window, whether it can count.

Nothing but the chat endpoint is common to all servers, so each kind is asked in its own way
(the paths are those of llama.cpp's and vLLM's HTTP servers, Ollama's and LM Studio's own APIs).
A server that doesn't know a path, or says nothing that can be used, leaves a fact unknown.
"""

import asyncio
import re
from collections.abc import Coroutine
from typing import Any

from synth.llms import background
from synth.llms.connection import Beside, Reply
from synth.llms.endpoint import Endpoint
from synth.llms.exchange import FAULTS
from synth.llms.served import LARGEST, ServerFacts

_MOST_BYTES = 8_000_000
_PROBE = "Say: ok"
_HOSTED = re.compile(r"(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|mistral\.ai)$")


def ask_facts(
    model: str, api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> ServerFacts:
    """Ask what the server says of itself and of this model, within `timeout` seconds a request.

    No failure is raised: what can't be had is not known. Hosts that are known to have no such
    paths are not asked. SynthError if `base_url` is no web address, or for an impossible key.
    """
    endpoint = Endpoint.of(api_key, base_url)
    if _HOSTED.search(endpoint.host):
        return ServerFacts()
    return background.start(_ask(endpoint, model, timeout)).result()


async def _ask(endpoint: Endpoint, model: str, timeout: float) -> ServerFacts:
    beside = Beside(endpoint, timeout, _MOST_BYTES)
    try:
        replies = await asyncio.gather(
            _or_nothing(beside.get(f"{beside.v1}/models")),
            _or_nothing(beside.get("/props")),
            _or_nothing(beside.get("/api/v0/models")),
            _or_nothing(beside.get("/api/version")),
            _or_nothing(beside.get("/api/ps")),
            _or_nothing(beside.post("/api/show", {"model": model})),
            _or_nothing(beside.post("/tokenize", {"model": model, "content": _PROBE})),
            _or_nothing(beside.post("/tokenize", {"model": model, "prompt": _PROBE})),
        )
    finally:
        await beside.close()
    listed, props, studio, version, running, shown, pieces, counted = replies
    own = _entry(listed.get("data"), "id", model, only=True)
    window = tokens_at(props, "default_generation_settings", "n_ctx")
    if window or pieces.get("tokens"):
        trained = tokens_at(own, "meta", "n_ctx_train")
        dialect = "llama.cpp" if pieces.get("tokens") else None
        return ServerFacts(kind="llama.cpp", window=window, trained=trained, dialect=dialect)
    loaded = _entry(studio.get("data"), "id", model)
    if trained := tokens_at(loaded, "max_context_length"):
        window = tokens_at(loaded, "loaded_context_length")
        return ServerFacts(kind="LM Studio", window=window, trained=trained)
    if version.get("version"):
        entry = _entry(running.get("models"), "name", model, f"{model}:latest")
        return ServerFacts(
            kind="Ollama", window=tokens_at(entry, "context_length"), trained=_trained(shown)
        )
    dialect = "vLLM" if tokens_at(counted, "count") else None
    window = tokens_at(counted, "max_model_len") or tokens_at(own, "max_model_len")
    kind = "vLLM" if dialect or own.get("owned_by") == "vllm" else "other"
    return ServerFacts(kind=kind, window=window, dialect=dialect)


async def _or_nothing(reply: Coroutine[Any, Any, Reply]) -> Reply:
    try:
        return await reply
    except FAULTS:
        return {}


def tokens_at(reply: object, *path: str) -> int | None:
    """Return the number of tokens at a path of a reply; None where no sensible one stands there."""
    value: Any = reply
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 < value < LARGEST else None


def _entry(entries: object, field: str, *names: str, only: bool = False) -> Reply:
    """Return the entry of a list that has one of these names, or the `only` one; {} for none."""
    every = entries if isinstance(entries, list) else []
    some = [entry for entry in every if isinstance(entry, dict)]
    named = [entry for entry in some if entry.get(field) in names]
    if only and len(some) == 1:  # a server with one model takes any name
        named = some
    return named[0] if named else {}


def _trained(shown: Reply) -> int | None:
    facts = shown.get("model_info")
    names = facts if isinstance(facts, dict) else {}
    lengths = [name for name in names if name.endswith(".context_length")]
    return tokens_at(facts, lengths[0]) if lengths else None
