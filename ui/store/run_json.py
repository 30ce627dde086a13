"""A run, and its JSON there and back: in rows, and in files, where no field is of the server."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from synth.errors import ImportedRunError, SynthError
from synth.export.calls import trace_from_json, trace_to_json
from synth.export.files import Many, to_text, wrong_field
from synth.runs.trace import Trace
from synth.text.wording import make_utf8
from synth.words.run_words import without_servers_words
from ui.settings import by_name, schema
from ui.settings.model import asking_nobody
from ui.settings.request import Request
from ui.store.tables import RunInfo

KIND = "run"

_request = TypeAdapter(Request)
_LEVEL = 1  # of zlib; the usual 6 saves a sixth of the bytes and takes five times as long


@dataclass(frozen=True)
class Run:
    """A run: its trace so far, what it was asked, and what only the app knows of it."""

    info: RunInfo
    request: Request
    trace: Trace


def packed(value: Any) -> bytes:
    """Make bytes of a JSON value; every text comes back to the letter."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), check_circular=False)
    return zlib.compress(text.encode("ascii"), _LEVEL)


def unpacked(body: bytes) -> Any:
    """Read the JSON value of these bytes; ImportedRunError for bytes that were damaged."""
    try:
        return json.loads(zlib.decompress(body))
    except (zlib.error, ValueError) as error:
        raise ImportedRunError(f"A row of the history is damaged ({error}).") from error


def digest(request: Request) -> str:
    """Return a hash of a request but for its price: equal requests have the same."""
    unpriced = replace(request, model=replace(request.model, price=None, priced_as=""))
    return hashlib.sha256(json.dumps(request_to_json(unpriced)).encode("ascii")).hexdigest()


def column_text(text: str) -> str:
    """Leave out what a database's own text can't hold, for lists and for searching."""
    return make_utf8(text).replace("\0", "")


def request_to_json(request: Request) -> dict[str, Any]:
    """Make a JSON object of a request."""
    written: dict[str, Any] = _request.dump_python(request)
    written["model"] |= dict(written["model"].pop("options"))
    return written


def request_from_json(data: Any) -> Request:
    """Read the request of a JSON object; ImportedRunError that names the field that is wrong."""
    try:
        if isinstance(data, dict) and isinstance(data.get("model"), dict):
            data = data | {"model": _with_options(data["model"])}
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
    given = [name for name in schema.SENT if model.get(name) is not None]
    options = [(name, by_name.read(name, model[name])) for name in given]
    rest = {name: value for name, value in model.items() if name not in schema.SENT}
    return rest | {"options": options}


def trace_of(request: Request, data: Any) -> Trace:
    """Read the trace that a run of this request has in JSON; ImportedRunError for other data."""
    try:
        setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    except SynthError as error:  # such as a custom mode that is not loaded any more
        raise ImportedRunError(f"The run can't be read. {error}") from error
    return trace_from_json(data, setup)


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    note: str
    edited: Many[int]
    request: dict[str, Any]
    run: dict[str, Any]


def write_file(run: Run) -> str:
    """Make the text of a file of a run; of an endpoint it has the name of the model alone."""
    request = replace(
        run.request,
        model=replace(run.request.model, address=""),
        tokenizer=asking_nobody(run.request.tokenizer),
    )
    fields = {
        "name": run.info.name,
        "note": run.info.note,
        "edited": sorted(run.info.edited),
        "request": request_to_json(request),
        "run": trace_to_json(without_servers_words(run.trace)),
    }
    return to_text(KIND, fields)


def from_fields(data: Mapping[str, Any]) -> Run:
    """Read the JSON object of a file; ImportedRunError that names the field that is wrong."""
    try:
        fields = _Fields.model_validate(data)
    except ValidationError as error:
        raise wrong_field(error, "file") from error
    request = request_from_json(fields.request)
    if request.model.address:
        raise ImportedRunError(
            "The request has a wrong field, model.address: an address is never shared."
        )
    request = replace(request, tokenizer=asking_nobody(request.tokenizer))
    trace = without_servers_words(trace_of(request, fields.run))
    edited = frozenset(fields.edited).intersection(call.number for call in trace.calls)
    return Run(RunInfo(edited=edited, name=fields.name, note=fields.note), request, trace)
