"""A saved run as a file: versioned JSON of named fields alone, read back to the same run.

No field holds a key, a password or anything else of the server that made the run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from synth.errors import ImportedRunError
from synth.export import MOST_BYTES, call_from_json, call_to_json
from synth.trace import Trace
from ui.history.saved_run import SavedRun
from ui.history.written import request_from_json, request_to_json
from ui.request.request import Request

VERSION: Literal[1] = 1


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    kind: Literal["run"]
    version: Literal[1]
    name: str
    note: str
    edited: list[int]
    request: dict[str, Any]
    calls: list[dict[str, Any]]
    response: str | None
    error: str | None
    error_kind: str | None
    stopped: bool
    seconds: float


@dataclass(frozen=True)
class RunFile:
    """What a file says of a run. `edited` are the calls whose answers a person wrote."""

    name: str
    note: str
    request: Request
    trace: Trace
    edited: frozenset[int]


def written(run: SavedRun) -> str:
    """The run as JSON text; every character is escaped that a strict reader might refuse."""
    trace = run.trace
    file = _File(
        kind="run",
        version=VERSION,
        name=run.summary.name,
        note=run.summary.note,
        edited=sorted(run.edited),
        request=request_to_json(run.request),
        calls=[call_to_json(call) for call in trace.calls],
        response=trace.response,
        error=trace.error,
        error_kind=trace.error_kind,
        stopped=trace.stopped,
        seconds=trace.seconds,
    )
    return json.dumps(file.model_dump(), ensure_ascii=True, indent=1)


def read(text: str) -> RunFile:
    """The run that `written` made a file of; ImportedRunError that says what is wrong with it."""
    if len(text) > MOST_BYTES:
        raise ImportedRunError(
            f"The file has {len(text):,} characters, and {MOST_BYTES:,} is the limit: choose the"
            " file of a run."
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportedRunError(
            f"This file is no JSON ({error}): choose the file of a run."
        ) from error
    _require_known_version(data)
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        raise ImportedRunError(f"The file has a wrong field, {field}: {first['msg']}.") from error
    request = request_from_json(file.request)
    setup = request.synthesizer().setup(request.query, request.chunks)
    calls = tuple(call_from_json(call, setup) for call in file.calls)
    numbers = [call.number for call in calls]
    if numbers != sorted(set(numbers)):
        raise ImportedRunError(f"The calls of this run are numbered {numbers}: that can't be.")
    end = (file.response, file.error, file.error_kind, file.stopped, file.seconds)
    edited = frozenset(file.edited).intersection(numbers)
    return RunFile(file.name, file.note, request, Trace(setup, calls, *end), edited)


def _require_known_version(data: Any) -> None:
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise ImportedRunError(
            f"This file has version {version}, and this program reads versions up to {VERSION}:"
            " update the program."
        )
