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
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from synth.documents.json_documents import JsonDocument, find_documents
from synth.documents.records import find_records
from synth.traces.spans import flatten, is_kept, parse

KIND = "openinference.span.kind"
_NAMES: Any = tomllib.loads(Path(__file__).with_name("vocabularies.toml").read_text("utf-8"))
"""What it is called elsewhere."""
ANSWERS: Sequence[str] = _NAMES["answers"]
"""Fields of what frameworks give that hold the answer."""
_QUESTIONS, _TEXTS = _NAMES["questions"], _NAMES["texts"]

_INSTRUCTIONS = "gen_ai.system_instructions"
_NUMBERED = re.compile(
    r"(?:gen_ai\.(?P<new>prompt|completion)|llm\.(?P<old>prompt|completion)s)"
    r"\.(?P<number>\d{1,6})\.(?P<field>role|content)"
)
_DETAILS = "gen_ai.client.inference.operation.details"
_MESSAGE_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_ANSWER_EVENTS = ("gen_ai.choice", "gen_ai.content.completion")
_PROMPT_EVENT = "gen_ai.content.prompt"
_DOCUMENTS, _DOCUMENT = "gen_ai.retrieval.documents", re.compile(r"retrieval\.documents\.")

Message = tuple[str, str]
Table = Mapping[str, Any]


def read_attributes(attributes: Table, events: Sequence[Table]) -> dict[str, Any]:
    """Return the attributes that are read, by their dotted names in OpenInference."""
    flat = flatten(attributes)
    kept = {name: value for name, value in flat.items() if is_kept(name)}
    for name, value in _translate_names(flat):
        if value not in (None, ""):
            kept.setdefault(name, value)
    if kept.get(KIND, "LLM") == "LLM":
        for name, messages in (
            ("llm.input_messages", _sent(flat, kept, events)),
            ("llm.output_messages", _answered(flat, kept, events)),
        ):
            if not any(each.startswith(f"{name}.") for each in kept):
                kept |= _number(name, messages)
    return kept


def _translate_names(flat: Table) -> Iterator[tuple[str, Any]]:
    operation = next((str(flat[name]) for name in _NAMES["operations"] if name in flat), "")
    yield KIND, _name_kind(operation)
    same = {
        name: next((flat[each] for each in others if each in flat), None)
        for name, others in _NAMES["same"].items()
    }
    yield from same.items()
    if any(map(_DOCUMENT.match, flat)):
        return
    given, made = (parse(flat.get(name, same[name])) for name in ("input.value", "output.value"))
    documents = parse(flat.get(_DOCUMENTS))
    kind = flat.get(KIND, _name_kind(operation))
    if documents is None and kind != "LLM":
        retrieves = kind == "RETRIEVER" or "Retriever" in str(flat.get("traceloop.entity.name"))
        if _is_list(made) and (retrieves or "query_bundle" in str(same["input.value"])):
            made = [parse(each) for each in made]  # each a text of JSON
            retrieves = True
        documents = made if retrieves else None
    found = _find(documents)
    if documents is None and kind != "LLM":  # what a chain was given before its calls
        found = [each for each in _find(given) if "metadata" in each.layers[0]]
    for number, document in enumerate(found):
        for field, value in _describe(document):
            yield f"retrieval.documents.{number}.document.{field}", value


def _name_kind(operation: str) -> str:
    """Name the kind of an operation as OpenInference does: those of models and of retrievers."""
    if operation in _NAMES["calls"] or operation.endswith("Generator"):
        return "LLM"
    return "RETRIEVER" if "retriev" in operation.lower() else operation.upper()


def name_method(name: str, attributes: Table) -> str:
    """Return the name of a span, with the method of LlamaIndex for OpenLLMetry's "task"."""
    owner, _, method = name.rpartition(".")
    if method != "task":
        return name
    if owner == "DefaultRefineProgram":  # which asks for a text, as others do for an object
        return f"{owner}.predict"
    given = parse(attributes.get("input.value"))
    arguments = given if _is_table(given) else {}
    known = (name for argument, name in _NAMES["methods"].items() if argument in arguments)
    return f"{owner}.{next(known, method)}"


def read_texts(value: Any) -> list[str]:
    """Return the texts of a list, or of the objects under any path in a value."""
    return [document.text for document in _find(value, strings=True)]


def _find(value: Any, *, strings: bool = False) -> list[JsonDocument]:
    try:
        return list(find_documents(value, strings=strings))
    except RecursionError:  # nothing stands as deep
        return []


def _describe(document: JsonDocument) -> Iterator[tuple[str, Any]]:
    yield "content", document.text
    for field, names in (("id", ("id", "id_")), ("score", ("score",))):
        values = (each[name] for each in document.layers for name in names if name in each)
        yield field, next(values, None)
    metadata = document.layers[0].get("metadata")
    yield "metadata", json.dumps(metadata) if _is_table(metadata) else None


def _number(name: str, messages: Sequence[Message]) -> dict[str, str]:
    numbered = {}
    for number, (role, text) in enumerate(messages):
        numbered[f"{name}.{number}.message.role"] = role
        numbered[f"{name}.{number}.message.content"] = text
    return numbered


def _sent(flat: Table, kept: Table, events: Sequence[Table]) -> list[Message]:
    flat, events = _with_details(flat, events)
    system = read_messages(parse(flat.get(_INSTRUCTIONS)), "system")
    messages = (
        read_messages(parse(flat.get("gen_ai.input.messages")))
        or _numbered(flat, "prompt")
        or [*_in_events(events, answers=False)]
        or _with_roles(kept.get("input.value"), "user")
    )
    return [*system, *messages] if messages else []


def _answered(flat: Table, kept: Table, events: Sequence[Table]) -> list[Message]:
    flat, events = _with_details(flat, events)
    messages = (
        read_messages(parse(flat.get("gen_ai.output.messages")), "assistant")
        or _numbered(flat, "completion")
        or [*_in_events(events, answers=True)]
        or _with_roles(kept.get("output.value"), "assistant")
    )
    return [message for message in messages if message[1]]


def _with_details(flat: Table, events: Sequence[Table]) -> tuple[Table, Sequence[Table]]:
    """Return attributes with those that stand in an event, and the events, or those in a list."""
    listed = parse(flat.get("events"))  # pydantic-ai has them as an attribute
    if _is_list(listed):
        events = [{"event": each.get("event.name"), **each} for each in listed if _is_table(each)]
    details = [event for event in events if event.get("event") == _DETAILS]
    return {name: value for each in (*details, flat) for name, value in each.items()}, events


def _with_roles(text: Any, role: str) -> list[Message]:
    """Read messages where their roles are named; what a framework was given has none."""
    value = parse(text)
    has_roles = next(find_records(value, _has_role), None) is not None
    return read_messages(value, role) if has_roles else []


def _has_role(record: Table) -> bool:
    return "role" in record and any(name in record for name in ("message", *_TEXTS))


def find_question(value: Any) -> str:
    """Return the question in what a span was given; empty where none is found."""
    if isinstance(value, str):
        return value
    if text := find_text(value, _QUESTIONS):
        return text
    messages = [text for role, text in read_messages(value) if role == "user" and text]
    inner = parse(messages[-1]) if messages else ""
    return (find_text(inner, _QUESTIONS) if _is_table(inner) else "") or "".join(messages[-1:])


def find_text(value: Any, names: Sequence[str]) -> str:
    """Return the text of the first object under any path that has one by such a name."""

    def texts(record: Table) -> list[str]:
        return [record[name] for name in names if isinstance(record.get(name), str)]

    found = next(find_records(value, lambda record: bool(texts(record))), None)
    return "" if found is None else texts(found.records[0])[0]


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _numbered(flat: Table, kind: str) -> list[Message]:
    rows: dict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in flat.items():
        field = _NUMBERED.fullmatch(name)
        if field and kind in (field["new"], field["old"]):
            rows[int(field["number"])][field["field"]] = parse(value)
    role = "user" if kind == "prompt" else "assistant"
    messages = (read_messages({"content": "", **row}, role) for _, row in sorted(rows.items()))
    return [message for each in messages for message in each]


def _in_events(events: Sequence[Table], *, answers: bool) -> Iterator[Message]:
    for event in events:
        name = str(event.get("event"))
        body = next((parse(event[each]) for each in _NAMES["bodies"] if event.get(each)), event)
        if name in _ANSWER_EVENTS:
            if answers:
                yield from read_messages(body, "assistant")
        elif not answers and (own := _MESSAGE_EVENT.fullmatch(name)):
            yield from read_messages(body, own[1])
        elif not answers and name == _PROMPT_EVENT:
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
    roles = _NAMES["roles"]
    role = str(value.get("role") or roles.get(str(value.get("type"))) or role)
    role = roles.get(role, role)
    holder = next((name for name in _NAMES["holders"] if value.get(name) not in (None, "")), None)
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
