"""Requests and calls as bytes for the database, and back.

They are compressed JSON. In the prompts of calls the texts of chunks are left out: their origins
say which characters of which chunk they are.
"""

import hashlib
import json
import zlib
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from synth.errors import ImportedRunError
from synth.export.calls import call_from_json, call_to_json
from synth.export.files import wrong_field
from synth.runs.calls import CallRecord, Setup
from synth.text.wording import encodable
from ui.settings import paths, schema
from ui.settings.records import without_measure
from ui.settings.request import Request

_request = TypeAdapter(Request)
_OLDER = {"query": "query_str", "chunks": "text_chunks"}
_LEVEL = 1  # of zlib; the usual 6 saves a sixth of the bytes and takes five times as long
_TEXT_LIMIT = 200  # characters of a name in a column


def packed(value: Any) -> bytes:
    """A JSON value as bytes; every text comes back to the letter."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), check_circular=False)
    return zlib.compress(text.encode("ascii"), _LEVEL)


def unpacked(body: bytes) -> Any:
    """The JSON value of these bytes; ImportedRunError for bytes that were damaged."""
    try:
        return json.loads(zlib.decompress(body))
    except (zlib.error, ValueError) as error:
        raise ImportedRunError(f"A row of the history is damaged ({error}).") from error


def digest(body: bytes) -> str:
    """The SHA-256 of these bytes, in hex."""
    return hashlib.sha256(body).hexdigest()


def shown(text: str) -> str:
    """The text without what a database's own text can't hold, for lists and for searching."""
    return encodable(text).replace("\0", "")


def searched_notes(name: str, note: str) -> str:
    """What a search looks through of the name and the note of a run."""
    return f"{name}\n{note}".casefold()


def name(text: str) -> str:
    """The text as a name in a column, cut off at 200 characters."""
    return shown(text)[:_TEXT_LIMIT]


def request_to_json(request: Request) -> dict[str, Any]:
    """The request as a JSON object."""
    written: dict[str, Any] = _request.dump_python(request)
    written["model"] |= dict(written["model"].pop("options"))
    return written


def request_from_json(data: Any) -> Request:
    """The request of a JSON object; ImportedRunError that names the field that is wrong."""
    if isinstance(data, dict):  # older programs wrote other names
        data = {_OLDER.get(name, paths.renamed(name)): value for name, value in data.items()}
        if isinstance(data.get("tokenizer"), str):
            data["tokenizer"] = without_measure(data["tokenizer"])
    try:
        if isinstance(data, dict) and isinstance(data.get("model"), dict):
            data["model"] = _with_options(data["model"])
        request = _request.validate_python(data)
    except ValidationError as error:
        raise wrong_field(error, "request") from error
    counts = {len(request.text_chunks), len(request.positions), len(request.scores)}
    if len(counts) > 1:
        raise ImportedRunError(
            f"The request has {len(request.text_chunks):,} chunks, {len(request.positions):,}"
            f" positions and {len(request.scores):,} scores: each chunk needs one of both."
        )
    return request


def _with_options(model: dict[str, Any]) -> dict[str, Any]:
    """The fields of a model, whose options stand in JSON beside its name; None is left out."""
    options = [
        (name, paths.read(name, model[name])) for name in schema.SENT if model.get(name) is not None
    ]
    rest = {name: value for name, value in model.items() if name not in schema.SENT}
    return rest | {"options": options}


def pack_request(request: Request) -> bytes:
    """The request without its chunks, which are kept apart."""
    return packed(request_to_json(replace(request, text_chunks=())) | {"text_chunks": None})


def unpack_request(body: bytes, chunks: list[str]) -> Request:
    """The request that `pack_request` wrote, with its chunks."""
    data = unpacked(body)
    data.pop("chunks", None)
    return request_from_json(data | {"text_chunks": chunks})


def pack_call(call: CallRecord) -> bytes:
    """The call without the chunk texts in its prompt."""
    data = call_to_json(call)
    for message in data["messages"]:
        for span in message["spans"]:
            span["text"] = _between(span)
    return packed(data)


def unpack_call(body: bytes, setup: Setup) -> CallRecord:
    """The call that `pack_call` wrote, of a run with this setup."""
    data = unpacked(body)
    for message in data["messages"]:
        for span in message["spans"]:
            span["text"] = _whole(span, setup.chunks)
    return call_from_json(data, setup)


def _from_chunks(span: dict[str, Any]) -> list[dict[str, Any]]:
    return [origin for origin in span["origins"] if origin["kind"] == "chunk"]


def _between(span: dict[str, Any]) -> str:
    """What stands before, between and after the texts of chunks."""
    rest, end = [], 0
    for origin in _from_chunks(span):
        rest.append(span["text"][end : origin["at"]])
        end = origin["at"] + origin["end"] - origin["start"]
    return "".join([*rest, span["text"][end:]])


def _whole(span: dict[str, Any], chunks: tuple[str, ...]) -> str:
    """The text with the texts of chunks in their places again."""
    whole, taken = "", 0
    for origin in _from_chunks(span):
        gap = origin["at"] - len(whole)
        whole += span["text"][taken : taken + gap]
        # Without its chunk the origin is refused when the call is read.
        chunk = "".join(chunks[origin["number"] - 1 : origin["number"]])
        whole += chunk[origin["start"] : origin["end"]]
        taken += gap
    return whole + span["text"][taken:]
