"""The attributes of a span in OpenInference's names, whichever names it was recorded with.

    gen_ai.*                     OpenTelemetry's own: messages as JSON in attributes, or in events;
                                 older: numbered attributes, an event for each message
    traceloop.*, llm.request.*   OpenLLMetry, which has messages in older names of gen_ai.*
    input.value, output.value    what a provider was sent and gave, of a call of any framework

Of all attributes only those that are read go on, so that no key, address or name of a person that
an application recorded beside them goes any further.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from synth.traces.spans import flatten, is_kept, parse

KIND = "openinference.span.kind"
_KINDS = {
    "chat": "LLM",
    "text_completion": "LLM",
    "completion": "LLM",
    "generate_content": "LLM",
    "retrieval": "RETRIEVER",
    "rerank": "RERANKER",
    "execute_tool": "TOOL",
    "tool": "TOOL",
    "invoke_agent": "AGENT",
    "agent": "AGENT",
    "workflow": "CHAIN",
    "task": "CHAIN",
    "embeddings": "EMBEDDING",
}
_OPERATIONS = ("gen_ai.operation.name", "llm.request.type", "traceloop.span.kind")
_SAME = {
    "llm.model_name": ("gen_ai.request.model", "gen_ai.response.model"),
    "llm.token_count.prompt": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "llm.token_count.completion": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    "input.value": (
        "gen_ai.retrieval.query.text",
        "gen_ai.tool.call.arguments",
        "traceloop.entity.input",
    ),
    "output.value": ("gen_ai.tool.call.result", "traceloop.entity.output"),
}
"""Attributes of OpenInference, and what they are called elsewhere."""

_INPUTS = ("gen_ai.system_instructions", "gen_ai.input.messages")
_OUTPUTS = ("gen_ai.output.messages",)
_NUMBERED = re.compile(
    r"(?:gen_ai\.(?P<new>prompt|completion)|llm\.(?P<old>prompts|completions))"
    r"\.(?P<number>\d{1,6})\.(?P<field>role|content)"
)
_MESSAGE_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_ANSWER_EVENTS = ("gen_ai.choice", "gen_ai.content.completion")
_WHOLE_EVENTS = ("gen_ai.content.prompt", "gen_ai.content.completion")
_BODIES = ("gen_ai.event.content", "gen_ai.prompt", "gen_ai.completion", "body")
_EVENT_LISTS = ("events", "all_messages_events")  # pydantic-ai has events as an attribute
_DOCUMENTS = "gen_ai.retrieval.documents"

_HOLDERS = (
    "messages",
    "contents",
    "choices",
    "candidates",
    "message",
    "generations",
    "input",
    "output",
    "prompt",
    "args",
)
"""Fields of what providers are sent and give that hold messages."""

_TEXTS = ("content", "text", "parts", "response", "result")
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "system": "system"}

Message = tuple[str, str]
Table = Mapping[str, Any]


def read_attributes(attributes: Table, events: Sequence[Table]) -> dict[str, Any]:
    """Return the attributes that are read, by their dotted names in OpenInference."""
    flat = flatten(attributes)
    found = {name: value for name, value in flat.items() if is_kept(name)}
    for name, value in _translate(flat, events):
        if value not in (None, ""):
            found.setdefault(name, value)
    return found


def _translate(flat: Table, events: Sequence[Table]) -> Iterator[tuple[str, Any]]:
    for name in _OPERATIONS:
        yield KIND, _KINDS.get(str(flat.get(name)))
    for name, others in _SAME.items():
        yield name, next((flat[each] for each in others if each in flat), None)
    parsed = (parse(flat.get(name)) for name in _EVENT_LISTS)
    listed = [each for each in chain.from_iterable(filter(_is_list, parsed)) if _is_table(each)]
    events = [{"event": each.get("event.name"), **each} for each in listed] or events
    details = chain.from_iterable(event.items() for event in events)
    whole = {name: value for name, value in details if name in (*_INPUTS, *_OUTPUTS)} | dict(flat)
    numbered = _numbered(flat)
    given = [
        *_in_attributes(whole, _INPUTS),
        *(numbered["prompt"] or _in_events(events, answers=False)),
    ]
    answers = [
        *_in_attributes(whole, _OUTPUTS),
        *(numbered["completion"] or _in_events(events, answers=True)),
    ]
    for name, messages in (("llm.input_messages", given), ("llm.output_messages", answers)):
        for number, (role, text) in enumerate(messages):
            yield f"{name}.{number}.message.role", role
            yield f"{name}.{number}.message.content", text
    documents = parse(flat.get(_DOCUMENTS))
    for number, document in enumerate(documents if _is_list(documents) else ()):
        for field, value in document.items() if _is_table(document) else ():
            text = json.dumps(value, ensure_ascii=False) if _is_table(value) else value
            yield f"retrieval.documents.{number}.document.{field}", text


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _in_attributes(flat: Table, names: Iterable[str]) -> Iterator[Message]:
    for name in names:
        role = "system" if name == _INPUTS[0] else "user"
        yield from read_messages(parse(flat.get(name)), role)


def _numbered(flat: Table) -> dict[str, list[Message]]:
    rows: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    for name, value in flat.items():
        if field := _NUMBERED.fullmatch(name):
            kind = field["new"] or field["old"].removesuffix("s")
            rows[kind, int(field["number"])][field["field"]] = parse(value)
    messages: dict[str, list[Message]] = {"prompt": [], "completion": []}
    for (kind, _), row in sorted(rows.items()):
        role = "user" if kind == "prompt" else "assistant"
        messages[kind] += read_messages({"content": "", **row}, role)
    return messages


def _in_events(events: Sequence[Table], *, answers: bool) -> Iterator[Message]:
    for event in events:
        name = str(event.get("event"))
        body = next((parse(event[each]) for each in _BODIES if each in event), event)
        if name in _ANSWER_EVENTS:
            if answers:
                yield from read_messages(body, "assistant")
        elif not answers and (own := _MESSAGE_EVENT.fullmatch(name)):
            yield from read_messages(body, own[1])
        elif not answers and name == _WHOLE_EVENTS[0]:
            yield from read_messages(body, "user")


def read_messages(value: Any, role: str = "user") -> list[Message]:
    """Read the roles and texts of what a provider was sent or gave, in any provider's form."""
    if isinstance(value, str):
        return [(role, value)]
    if isinstance(value, list):
        if all(_is_table(each) and "role" not in each and _is_part(each) for each in value):
            return [(role, _text(value))] if value else []
        return [message for each in value for message in read_messages(parse(each), role)]
    if not isinstance(value, dict):
        return []
    role = str(value.get("role") or _ROLES.get(str(value.get("type"))) or role)
    role = _ROLES.get(role, role)
    holder = next((name for name in _HOLDERS if value.get(name) not in (None, "")), None)
    if "content" not in value and holder is not None:
        config = value.get("config")
        system = config.get("system_instruction") if isinstance(config, dict) else None
        return read_messages(system, "system") + read_messages(parse(value[holder]), role)
    return [(role, _text(value))]


def _is_part(value: Table) -> bool:
    return "type" in value or "text" in value


def _text(value: Any) -> str:
    """Return the text of a message's content: one text, or parts one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(_text, value)))
    if not isinstance(value, dict):
        return ""
    name = next((name for name in _TEXTS if name in value), None)
    return "" if name is None else _text(value[name])
