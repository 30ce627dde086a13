"""The model that a run asks: what the settings make of it, and what is known of it."""

from __future__ import annotations

import ipaddress
import re
from socket import inet_aton
from typing import Any
from urllib.parse import urlsplit

from synth import llms
from synth.models import Price, model_facts
from ui.run import person
from ui.settings import state
from ui.settings.state import Get

SERVERS = {
    "OpenAI": "",
    "Ollama": "http://localhost:11434/v1",
    "vLLM": "http://localhost:8000/v1",
    "llama.cpp": "http://localhost:8080/v1",
    "LM Studio": "http://localhost:1234/v1",
}
_USER = re.compile(r"//[^/]*@")


def kind(get: Get = state.get) -> str:
    """The kind of model: offline, endpoint or human."""
    return str(get("model"))


def name(get: Get = state.get) -> str:
    """The name of an endpoint's model."""
    return str(get("model_name")).strip()


def label(get: Get = state.get) -> str:
    """What answers depend on beside the prompt, and no secret; a result of another is old."""
    if kind(get) != "endpoint":
        return kind(get)
    where = without_secrets(str(get("base_url")).strip()) or "the default address"
    parts = [name(get) or "no model", f"at {where}"]
    parts += [f"{of} {get(of)}" for of in ("temperature", "seed") if get(of) is not None]
    return " · ".join(parts)


def without_secrets(address: str) -> str:
    """An address without the user and the password that may stand in it."""
    return _USER.sub("//", address)


def price(get: Get = state.get) -> Price | None:
    """The list price, if it is known; what runs on a machine of one's own has none."""
    if kind(get) != "endpoint" or _at_home(str(get("base_url"))):
        return None
    return model_facts(name(get)).price


def _at_home(address: str) -> bool:
    """Whether a server stands in one's own network, where a name says nothing of a price."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # no address at all, as a run of it says
        return False
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        pass
    try:  # as resolvers read it: 127.1 is 127.0.0.1
        return ipaddress.ip_address(inet_aton(host)).is_private
    except (OSError, ValueError):
        return bool(address) and "." not in host.removesuffix(".")


def make(get: Get = state.get, **more: Any) -> llms.LLM:
    """The model; its key goes no further than into this object."""
    window, num_output = int(get("window")), int(get("num_output"))
    if kind(get) == "offline":
        return llms.ExtractiveLLM(window, num_output, get("encoding"))
    if kind(get) == "human":
        return person.begin(window, num_output, get("encoding"))
    given: dict[str, Any] = {
        "num_output": num_output,
        "temperature": get("temperature"),
        "seed": get("seed"),
        "timeout": float(get("timeout")),
    }
    return llms.OpenAILLM(
        model=name(get),
        **address(get),
        context_window=window,
        **given | more,
    )


def keyed(get: Get = state.get) -> bool:
    """Whether an API key would go with a request."""
    return kind(get) == "endpoint" and address(get)["api_key"] is not None


def address(get: Get = state.get) -> dict[str, Any]:
    """The key and the base URL, None where the environment's are meant."""
    return {
        "api_key": get("api_key").strip() or None,
        "base_url": get("base_url").strip() or None,
    }
