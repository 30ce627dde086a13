"""A run as a file: versioned JSON of named fields alone, read back to the same run.

No field holds a key, a password or an address, or anything else of the server that made the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy import select

from synth.errors import ImportedRunError
from synth.export.calls import trace_from_json, trace_to_json
from synth.export.files import Many, kind_and_fields, to_text, wrong_field
from synth.runs.trace import Trace
from synth.words.call_words import without_servers_words
from ui.history import history as opened
from ui.history.problems import HistoryError
from ui.history.saved_run import SavedRun
from ui.history.tables import RUN
from ui.history.written import request_from_json, request_to_json
from ui.settings.model import asking_nobody
from ui.settings.request import Request

KIND = "run"


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    note: str
    edited: Many[int]
    request: dict[str, Any]
    run: dict[str, Any]


@dataclass(frozen=True)
class RunFile:
    """What a file says of a run. `edited` are the calls whose answers a person wrote."""

    request: Request
    trace: Trace
    edited: frozenset[int] = frozenset()
    name: str = ""
    note: str = ""

    @classmethod
    def of(cls, run: SavedRun) -> RunFile:
        """The file of a saved run."""
        summary = run.summary
        return cls(run.request, run.trace, run.edited, summary.name, summary.note)

    def named(self, run: str | None) -> RunFile:
        """The file with the name and the note that the saved run of this id has, if it has any."""
        if run is None:
            return self
        row = None
        # The run is here without it.
        with suppress(HistoryError), opened.history().read() as connection:
            row = connection.execute(
                select(RUN.c.name, RUN.c.note).where(RUN.c.id == run)
            ).one_or_none()
        return self if row is None else replace(self, name=row.name, note=row.note)

    def fields(self) -> dict[str, Any]:
        """The run as a JSON object; of an endpoint it has the name of the model alone."""
        request = replace(
            self.request,
            model=replace(self.request.model, address=""),
            tokenizer=asking_nobody(self.request.tokenizer),
        )
        fields = _Fields(
            name=self.name,
            note=self.note,
            edited=sorted(self.edited),
            request=request_to_json(request),
            run=trace_to_json(without_servers_words(self.trace)),
        )
        return fields.model_dump()


def written(run: RunFile) -> str:
    """The run as the text of a file."""
    return to_text(KIND, run.fields())


def read(text: str) -> RunFile:
    """The run that `written` made a text of; ImportedRunError that says what is wrong with it."""
    kind, fields = kind_and_fields(text)
    if kind != KIND:
        raise ImportedRunError(f"This file holds a {kind[:40]}, not a run: choose another one.")
    return from_fields(fields)


def from_fields(data: Mapping[str, Any]) -> RunFile:
    """The run of a JSON object; ImportedRunError that names the field that is wrong."""
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
    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    trace = without_servers_words(trace_from_json(fields.run, setup))
    edited = frozenset(fields.edited).intersection(call.number for call in trace.calls)
    return RunFile(request, trace, edited, fields.name, fields.note)
