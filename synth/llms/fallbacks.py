"""What to send instead of an argument that a server or a model refuses.

OpenAI-compatible servers agree on messages and on little else. So the first request has all
arguments, and a refusal that names one of them removes or replaces it.

The answer length goes out under one name, since some refuse both at once. OpenAI's newer models
refuse `max_tokens`, so its own host gets `max_completion_tokens`. Mistral's API refuses that one
(HTTP 422, extra_forbidden), and these ignore it without a word: Ollama (ollama/ollama#7125),
llama-cpp-python (#1907), llamafile (#701), Ray Serve (ray#53922), llama.cpp before February 2026
(ggml-org/llama.cpp#19831). All of them read `max_tokens`, as do vLLM and LM Studio, so every other
host gets that; one that refuses it, as Azure does for OpenAI's newer models, gets the other name.
"""

import re
from collections.abc import Mapping, Set
from typing import Any, Literal

Arguments = dict[str, Any]
LengthName = Literal["max_completion_tokens", "max_tokens"]
Refusable = (
    LengthName | Literal["temperature", "seed", "stream_options", "json_schema", "json_object"]
)

_OTHER_NAME: Mapping[LengthName, LengthName] = {
    "max_completion_tokens": "max_tokens",
    "max_tokens": "max_completion_tokens",
}
_NAMED: tuple[Refusable, ...] = (*_OTHER_NAME, "temperature", "seed", "stream_options")
_FORMS: tuple[Refusable, ...] = ("json_schema", "json_object")
_NOTES: dict[Refusable, str] = {
    "temperature": "{model} takes no temperature: sent without.",
    "seed": "{model} takes no seed: sent without.",
    "json_schema": "{model} takes no JSON schema: asked for JSON of any form.",
    "json_object": "{model} has no JSON mode: only the prompt says what to answer.",
}
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|too (?:large|long)", re.IGNORECASE)


def too_long(complaint: str) -> bool:
    """Whether a server complains of the number of tokens, not of an argument's name."""
    return _TOO_LONG.search(complaint) is not None


def adapted(arguments: Arguments, refused: Set[Refusable]) -> Arguments:
    """The arguments, with the refused ones replaced or left out."""
    sent = {name: value for name, value in arguments.items() if name not in refused}
    for name, other in _OTHER_NAME.items():
        if name in refused and name in arguments:
            sent[other] = arguments[name]
    if "json_schema" in refused and "response_format" in sent:
        sent["response_format"] = {"type": "json_object"}
    if "json_object" in refused:
        sent.pop("response_format", None)
    return sent


def refusal(complaint: str, arguments: Arguments, refused: Set[Refusable]) -> Refusable | None:
    """The further argument that a server's complaint names, if a request can do without it."""
    if too_long(complaint):
        return None
    for name in _NAMED:
        if name in arguments and name not in refused and name in complaint:
            return name
    sent = adapted(arguments, refused)
    form: Refusable | None = sent.get("response_format", {}).get("type")
    return form if form and (form in complaint or "response_format" in complaint) else None


def length_name(host: str) -> LengthName:
    """The name under which a host is first sent the answer length."""
    return "max_completion_tokens" if host.endswith(".openai.com") else "max_tokens"


def notes(model: str, arguments: Arguments, refused: Set[Refusable]) -> tuple[str, ...]:
    """What the reader of an answer should know about arguments that were not sent."""
    wanted = {*arguments, *(_FORMS if "response_format" in arguments else ())}
    return tuple(
        note.format(model=model)
        for name, note in _NOTES.items()
        if name in refused and name in wanted
    )
