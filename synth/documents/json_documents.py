"""JSON and JSON lines: texts, and documents as LangChain, LlamaIndex and Haystack save them.

The text of a node of LlamaIndex has the metadata above it that LlamaIndex sends with it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from synth.documents.decoding import Loaded, decode
from synth.errors import SynthError
from synth.schema import MetadataMode, Node
from synth.text.wording import short

_TEXTS = ("text", "page_content", "content", "chunk", "body", "passage")
"""The names of a field of text, in order of preference."""

_METADATA = ("metadata", "meta")
_WRAPPERS = ("node", "kwargs", "__data__", "text_resource")
"""Fields that hold the rest of the document which they stand in."""

_LISTS = ("documents", "source_nodes", "nodes", "context", "docstore/data")
_SPAN_ID = "span_id"  # in the `context` of a span, which holds no documents
_SOURCES = ("source", "file_name", "file_path", "url")
_PAGES = ("page_label", "page_number")  # LangChain's `page` is left out: it counts from 0
_IDS = ("id_", "id")
_CHOICE = ", ".join(_TEXTS)
_HIDDEN = "excluded_llm_metadata_keys"  # the field by which a node of LlamaIndex is known
_SAID = {
    _HIDDEN: list,
    "metadata_separator": str,
    "metadata_template": str,
    "text_template": str,
}
"""What a node of LlamaIndex may say of its metadata, and of which type that is."""

_MOST_VALUES = 500_000  # lists and objects, which take far more memory than their two letters
_MOST_NAMES = 12  # fields that a message names
_LONGEST = 60  # characters of a source or an id

_Layers = tuple[Mapping[str, Any], ...]
"""The objects that may tell a document's id, source and score, the innermost first."""


def read_json(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the documents of a file that is one JSON value."""
    return _parse(name, "", decode(name, data), "If each line is a value, call it .jsonl.")


def read_json_lines(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the documents of a file with a JSON value on each line."""
    for number, line in enumerate(StringIO(decode(name, data)), 1):
        yield from _parse(name, f"line {number:,}", line, "Each line must be one value.")


def _parse(name: str, location: str, text: str, remedy: str) -> Iterator[Loaded]:
    if not text.strip():
        return
    if (values := text.count("[") + text.count("{")) > _MOST_VALUES:
        raise SynthError(
            f"{_at(name, location)} holds {values:,} lists and objects, and {_MOST_VALUES:,} is the"
            " limit: take a part of it."
        )
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise SynthError(f"{_at(name, location)} is not JSON: {problem}. {remedy}") from problem
    yield from read_documents(name, location, value)


def read_documents(name: str, location: str, value: Any) -> Iterator[Loaded]:
    """Read the documents in a value from this location of a file; SynthError if it has none."""
    try:
        yield from _find(name, location, value, ())
    except RecursionError as problem:
        raise SynthError(
            f"{_at(name, location)} is nested too deeply: save each document as one object."
        ) from problem


def _find(name: str, location: str, value: Any, around: _Layers) -> Iterator[Loaded]:
    if isinstance(value, str):
        text = _add_metadata(value, around)
        yield Loaded(text, " · ".join((*_known(around), _at(name, location))), "document")
    elif isinstance(value, dict):
        yield from _in_object(name, location, _plain(value), around)
    elif isinstance(value, list):
        match value:
            case [dict(document), int() | float() as score]:  # of LangChain's vector stores
                yield from _find(name, location, document, ({"score": score},))
            case _:
                yield from _each(name, location, value)
    else:
        raise SynthError(
            f"{_at(name, location)} holds no text: give a string, or an object with the text in one"
            f" of these fields: {_CHOICE}."
        )


def _add_metadata(text: str, layers: _Layers) -> str:
    node = next((layer for layer in layers if _HIDDEN in layer), None)
    if node is None or not isinstance(node.get("metadata"), dict):
        return text
    said = {name: node[name] for name, kind in _SAID.items() if isinstance(node.get(name), kind)}
    return Node(text, node["metadata"], **said).get_content(MetadataMode.LLM)


def _in_object(
    name: str, location: str, fields: dict[str, Any], around: _Layers
) -> Iterator[Loaded]:
    metadata = [_plain(fields[key]) for key in _METADATA if isinstance(fields.get(key), dict)]
    text = next((fields[key] for key in _TEXTS if key in fields), None)
    inner = next((fields[key] for key in _WRAPPERS if isinstance(fields.get(key), dict)), None)
    if isinstance(text, str) or (text is None and inner is not None):
        yield from _find(
            name, location, inner if text is None else text, (fields, *metadata, *around)
        )
    elif text is None and (held := _describe_held(fields)) is not None:
        yield from _each(name, location, held)
    else:
        raise SynthError(
            f"{_at(name, location)} holds no text. Its fields are {_list(list(fields))}: give the"
            f" one with the text one of these names: {_CHOICE}."
        )


def _describe_held(fields: dict[str, Any]) -> Iterable[Any] | None:
    held = next((fields[key] for key in _LISTS if isinstance(fields.get(key), list | dict)), None)
    if isinstance(held, dict) and _SPAN_ID in held:
        return None
    if held is None and fields and all(isinstance(value, dict) for value in fields.values()):
        held = fields
    return held.values() if isinstance(held, dict) else held


def _each(name: str, location: str, values: Iterable[Any]) -> Iterator[Loaded]:
    for number, value in enumerate(values, 1):
        inside = f"document {number:,}"
        yield from _find(name, f"{location}, {inside}" if location else inside, value, ())


def _plain(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): one for key, one in value.items()}


def _at(name: str, location: str) -> str:
    return f"{name}, {location}" if location else name


def _known(layers: _Layers) -> Iterator[str]:
    if source := _first(layers, _SOURCES):
        page = _first(layers, _PAGES)
        yield f"{source}, page {page}" if page else source
    if identity := _first(layers, _IDS):
        yield f"id {identity}"
    if score := _first(layers, ("score",)):
        yield f"score {_round(score)}"


def _first(layers: _Layers, names: Sequence[str]) -> str:
    for field in names:
        for layer in layers:
            value = layer.get(field)
            if isinstance(value, str | int | float) and str(value).strip():
                return short(str(value), _LONGEST)
    return ""


def _round(score: str) -> str:
    try:
        return f"{float(score):.3g}"
    except ValueError:
        return score


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(name[:40] or "(no name)" for name in names[:_MOST_NAMES]) + more
