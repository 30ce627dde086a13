"""JSON and JSON lines: texts, and documents as frameworks, stores and retrievers write them.

One rule for all: lists under any path of which each object holds a text, in a field of a usual
name, or in an object under a usual name. The text of a node of LlamaIndex has the metadata above it
that LlamaIndex sends with it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synth.documents.decoding import Loaded
from synth.documents.records import Record, read_contents
from synth.errors import SynthError
from synth.schema import MetadataMode, Node
from synth.text.wording import short

# Names are without case, spaces and signs: `_source`, "Page Content", `@search.score`.
TEXTS = (
    *("text", "pagecontent", "content", "chunk", "body", "passage", "chunktext", "chunkcontent"),
    *("contentwithweight", "markdown", "md", "paragraph", "snippet", "context", "document"),
)
"""The names of a field of text, in order of preference."""

_HOLDERS = (
    *("nodecontent", "node", "kwargs", "data", "textresource", "payload", "source", "properties"),
    *("entity", "fields", "segment", "document", "content", "body", "metadata", "meta"),
)
"""Objects that hold the text of the object in which they stand."""

_LISTS = ("documents", "document", "contexts", "retrievedcontexts", "context", "chunks", "texts")
"""Lists of texts; in the lists beside them stands what is known of each."""

_NO_CHUNKS = ("query", "question", "answer", "response")
_SOURCES = (
    *("source", "filename", "filepath", "url", "uri", "documentname", "documentkeyword", "title"),
    "name",
)
_PAGES = ("pagelabel", "pagenumber")  # LangChain's `page` is left out: it counts from 0
_IDS = ("id", "uuid", "chunkid", "ids")
_SCORES = ("score", "searchscore", "relevancescore", "similarity", "certainty", "scores")
_DISTANCES = ("distance", "distances")
_CHOICE = "text, page_content, content, chunk, body, passage"
_HIDDEN = "excluded_llm_metadata_keys"  # the field by which a node of LlamaIndex is known
_SAID = {
    _HIDDEN: list,
    "metadata_separator": str,
    "metadata_template": str,
    "text_template": str,
}
"""What a node of LlamaIndex may say of its metadata, and of which type that is."""

_MOST_BYTES = 40_000_000  # as UTF-8, of a file of UTF-16 that may be uploaded
_MOST_VALUES = 2_000_000  # the numbers of embeddings are most of them
_MOST_NAMES = 12  # fields that a message names
_LONGEST = 60  # characters of a source or an id


class JsonDocument(NamedTuple):
    """A text, and the objects that may tell its id, source and score, the innermost first."""

    text: str
    layers: tuple[Record, ...] = ()


def read_json(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the documents of a file of JSON: one value, or several one after the other."""
    try:
        contents = read_contents(data, most_bytes=_MOST_BYTES, most_values=_MOST_VALUES)
    except SynthError as problem:
        raise SynthError(f"{name}: {problem}") from problem
    if contents.left_out:
        at = f"{name}, line {contents.left_out[0]:,}"
        raise SynthError(f"{at} is not JSON: {contents.problem}. Take it out.")
    for line, value in contents.values:
        has_lines = line > 1 or len(contents.values) > 1
        yield from read_documents(f"{name}, line {line:,}" if has_lines else name, value)


def read_documents(place: str, value: Any) -> Iterator[Loaded]:
    """Read the documents in a value from this place of a file; SynthError if it has none."""
    try:
        documents = list(find_documents(value, place, strings=True))
    except RecursionError as problem:
        raise SynthError(
            f"{place} is nested too deeply: save each document as one object."
        ) from problem
    if not documents:
        raise _lack(place, value)
    for number, (text, layers) in enumerate(documents, 1):
        at = f"{place}, document {number:,}" if len(documents) > 1 else place
        yield Loaded(_add_metadata(text, layers), " · ".join((*_known(layers), at)), "document")


def find_documents(
    value: object, place: str = "", *, strings: bool = False
) -> Iterator[JsonDocument]:
    """Find the documents in a value; with `strings` a text of a list is one too.

    With a `place`, SynthError for an object without a text in a list of documents.
    """
    match value:
        case str() if strings:
            yield JsonDocument(value)
        case [dict(record), int() | float() as score]:  # of LangChain's vector stores
            yield from _find_in_object(record, place, ({"score": score},))
        case dict():
            yield from _find_in_object(value, place)
        case list():
            are_documents = any(isinstance(each, dict) and _read_document(each) for each in value)
            for number, each in enumerate(value, 1):
                documents = list(find_documents(each, place, strings=strings))
                if place and are_documents and not documents:
                    raise _lack(f"{place}, document {number:,}", each)
                yield from documents


def _find_in_object(
    record: Record, place: str, around: tuple[Record, ...] = ()
) -> Iterator[JsonDocument]:
    document = _read_document(record, around)
    if document is not None and document.text.strip():
        yield document
        return
    inner: list[JsonDocument] = []
    for name, value in record.items():
        if isinstance(value, list) and plain(name) in _LISTS:
            inner += _align(value, record)
        if plain(name) not in _NO_CHUNKS:
            inner += find_documents(value, place)
    yield from inner or filter(None, [document])


def _read_document(record: Record, around: tuple[Record, ...] = ()) -> JsonDocument | None:
    """Read an object as one document, unless it has no text or is a message of a chat."""
    fields = {plain(name): value for name, value in record.items()}
    if "role" in fields:
        return None
    layers = (record, *around)
    texts = (_join_blocks(fields.get(name)) for name in TEXTS)
    text = next((text for text in texts if text is not None), None)
    for holder in _HOLDERS if not (text or "").strip() else ():
        held = _open(fields.get(holder))
        if held is not None and (document := _read_document(held, layers)) is not None:
            return document
    return None if text is None else JsonDocument(text, layers)


def _join_blocks(value: Any) -> str | None:
    """Return a text, also one in blocks as APIs of models have it; None for anything else."""
    match value:
        case str():
            return value
        case [{"type": _, "text": str()}, *_]:
            return "\n".join(str(block["text"]) for block in value if "text" in block)
    return None


def _open(value: object) -> Record | None:
    """Return an object, also one that stands as JSON in a text."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _align(texts: Sequence[Any], record: Record) -> Iterator[JsonDocument]:
    """Give each text of a list what stands at its place in the lists beside it."""
    beside = {
        name: values
        for name, values in record.items()
        if isinstance(values, list) and len(values) == len(texts)
    }
    for number, text in enumerate(texts):
        own = {name: values[number] for name, values in beside.items()}
        if isinstance(text, list):  # of one query of several
            yield from _align(text, own)
        elif isinstance(text, str):
            yield JsonDocument(text, (own, record))


def _add_metadata(text: str, layers: Sequence[Record]) -> str:
    node = next((layer for layer in layers if _HIDDEN in layer), None)
    if node is None or not isinstance(node.get("metadata"), dict):
        return text
    said = {name: node[name] for name, kind in _SAID.items() if isinstance(node.get(name), kind)}
    return Node(text, node["metadata"], **said).get_content(MetadataMode.LLM)


def _lack(place: str, value: object) -> SynthError:
    """Say of a value without a text which fields it has, or the first object of a list in it."""
    waiting = [value]
    for each in waiting:
        if isinstance(each, list) and each and isinstance(each[0], dict):
            value = each[0]
            break
        waiting += each.values() if isinstance(each, dict) else ()
    if not isinstance(value, dict):
        remedy = "give a string, or an object with the text in one of these fields"
        return SynthError(f"{place} holds no text: {remedy}: {_CHOICE}.")
    return SynthError(
        f"{place} holds no text. Its fields are {_list(list(value))}: give the one with the text"
        f" one of these names: {_CHOICE}."
    )


def plain(name: str) -> str:
    """Write a name without its case, spaces and signs."""
    return re.sub(r"[\W_]+", "", name).lower()


def _known(layers: Sequence[Record]) -> Iterator[str]:
    """Tell a document's source, id and score, from the nearest object that has them."""
    fields: dict[str, str] = {}
    waiting: list[Record] = list(layers)
    for layer in waiting:
        for name, value in layer.items():
            if isinstance(value, dict):
                waiting.append(value)
            elif isinstance(value, str | int | float) and str(value).strip():
                fields.setdefault(plain(name), short(str(value), _LONGEST))
    if source := _first(fields, _SOURCES):
        page = _first(fields, _PAGES)
        yield f"{source}, page {page}" if page else source
    if identity := _first(fields, _IDS):
        yield f"id {identity}"
    if score := _first(fields, _SCORES):
        yield f"score {_round(score)}"
    elif distance := _first(fields, _DISTANCES):
        yield f"distance {_round(distance)}"


def _first(fields: Mapping[str, str], names: Sequence[str]) -> str:
    return next((fields[name] for name in names if name in fields), "")


def _round(score: str) -> str:
    try:
        return f"{float(score):.3g}"
    except ValueError:
        return score


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(name[:40] or "(no name)" for name in names[:_MOST_NAMES]) + more
