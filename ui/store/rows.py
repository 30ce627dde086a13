"""What the store holds: its tables, and a run as a row and as JSON, there and back.

Times are seconds since 1970 in UTC. Texts that must come back to the letter are in bodies, as
compressed JSON: a database's own text holds neither a NUL nor half a surrogate pair, which a model
may well send. A file of a run has no field of the server.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from time import time
from types import NoneType
from typing import Any, Literal, Self, get_args, get_type_hints
from uuid import uuid4

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from synth.errors import ImportedRunError, SynthError
from synth.export.files import Many, to_text, trace_from_json, trace_to_json, wrong_field
from synth.runs.calls import Spent
from synth.runs.trace import Trace
from synth.text.wording import make_utf8
from synth.words.run_words import without_servers_words
from ui.settings import schema
from ui.settings.model import asking_nobody
from ui.settings.request import Request
from ui.settings.schema import RECORDED

State = Literal["running", "done", "failed", "stopped", "interrupted", "incomplete"]
"""How a run stands; only one that an application sent is incomplete, and it is in no row."""

RUNNING: State = "running"

RunKind = Literal["made here", "from a file", "received"]
"""Where a run comes from; an application sent one that was received."""


class _Time(sa.TypeDecorator[datetime]):
    impl = sa.Double
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> float | None:
        return None if value is None else value.timestamp()

    def process_result_value(self, value: float | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else datetime.fromtimestamp(value, UTC)


_TYPES: dict[Any, Any] = {int: sa.Integer, float: sa.Double, bool: sa.Boolean, datetime: _Time}


@dataclass(frozen=True, kw_only=True)
class RunInfo:
    """What only the app knows of a run, beside its request and its trace: a row of the table.

    A run whose server died is "running" in its row, and "interrupted" to readers. `has_key`: it was
    started with an API key; `by_person`: a person answers. `seconds`, `requests` and tokens are of
    all attempts, while an answer from a log or a cache adds to `calls` alone. What is under way
    counts with the longest answer. `dollars` is None if the price is unknown, as of what others
    paid. A person wrote the answers of `edited` calls; lists leave them empty.
    """

    id: str = field(default_factory=lambda: uuid4().hex)
    workspace: str = ""
    page: str = ""
    server: str = ""
    state: State = RUNNING
    kind: RunKind = "made here"
    started: datetime = field(default_factory=lambda: datetime.fromtimestamp(time(), UTC))
    ended: datetime | None = None
    seconds: float = 0.0
    mode: str = ""
    behaviour: str = ""
    model: str = ""
    planned: int | None = None
    calls: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    has_key: bool = False
    by_person: bool = False
    name: str = ""
    note: str = ""
    question: str = ""
    answer: str = ""
    problem: str | None = None
    edited: frozenset[int] = frozenset()

    @property
    def spent(self) -> Spent:
        """Requests and tokens so far."""
        return Spent(self.requests, self.prompt_tokens, self.output_tokens)

    def with_spent(self, spent: Spent) -> Self:
        """Replace what was spent so far."""
        requests, prompt, output, *_ = spent
        return replace(self, requests=requests, prompt_tokens=prompt, output_tokens=output)


IN_COLUMNS = tuple(field.name for field in fields(RunInfo) if field.name != "edited")


def _column(name: str, hint: Any) -> sa.Column[Any]:
    optional = NoneType in get_args(hint)
    kind = get_args(hint)[0] if optional else hint
    stored = _TYPES.get(kind, sa.Text)
    return sa.Column(name, stored(), primary_key=name == "id", nullable=optional)


def _required(name: str, stored: Any) -> sa.Column[Any]:
    return sa.Column(name, stored, nullable=False)


metadata = sa.MetaData()
_hints = get_type_hints(RunInfo)

RUN = sa.Table(
    "synth_saved_run",
    metadata,
    *(_column(name, _hints[name]) for name in IN_COLUMNS),
    _required("attempt", sa.Integer),
    _required("alive", sa.Double),
    _required("moment", sa.Double),
    sa.Column("deleted", sa.Double),
    _required("digest", sa.Text),
    _required("body", sa.LargeBinary),
    _required("chunks", sa.LargeBinary),
    sa.Index("synth_saved_run_in_order", "workspace", "deleted", "moment"),
    sa.Index("synth_saved_run_by_state", "state", "server"),
)
"""A run, and what no list shows of it.

Only its latest `attempt` may write. `alive` is when its server last said that it runs, `moment`
when it began or was opened again, by which runs are ordered. `digest` is that of its request.
"""

ANSWER = sa.Table(
    "synth_saved_answer",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run", sa.ForeignKey(RUN.c.id, ondelete="CASCADE"), index=True, nullable=False),
    _required("number", sa.Integer),
    _required("body", sa.LargeBinary),
)
"""A call of a run that ended. Rows are added alone; the latest of a number counts."""

WORKSPACE = sa.Table(
    "synth_workspace",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("saved", sa.Double, index=True, nullable=False),
    _required("body", sa.LargeBinary),
)
"""A workspace: when it was saved last, and its values by name."""

RECEIVED = sa.Table(
    "synth_spans",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("trace", sa.Text, index=True, nullable=False),
    _required("spans", sa.Integer),
    _required("size", sa.Integer),
    _required("came", sa.Double),
    _required("body", sa.LargeBinary),
)
"""Spans of one trace that came together, as JSON, by their order; `size` is in characters."""

CLASS_ANSWER = sa.Table(
    "synth_class_answer",
    metadata,
    sa.Column("class", sa.Text, index=True, nullable=False),
    _required("answer", sa.Text),
    _required("came", sa.Double),
)


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
    options = [(name, schema.read(name, model[name])) for name in given]
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
    kind: RunKind = "from a file" if request.model.model_kind == RECORDED else "made here"
    return Run(
        RunInfo(edited=edited, name=fields.name, note=fields.note, kind=kind), request, trace
    )
