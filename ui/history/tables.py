"""The tables of the history.

All times are seconds since 1970 in UTC. The `moment` of a run and the `saved` of a workspace are of
a clock that only goes on (`next_moment`): they say what is the latest. A `digest` is the SHA-256 of
what it names, in hex.
Texts that must come back to the letter are in `body` columns, as compressed JSON: a database's
own text holds neither a NUL nor half a surrogate pair, which a model may well send.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from time import time
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    func,
    select,
)

State = Literal["running", "done", "failed", "stopped", "interrupted", "incomplete"]
"""How a run stands; only one that an application sent is incomplete, and it is in no row."""

RUNNING: State = "running"
_STEP = 0.001  # seconds between two moments


class _Time(TypeDecorator[datetime]):
    """A time in UTC, which the database has as seconds since 1970."""

    impl = Double
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> float | None:
        return None if value is None else value.timestamp()

    def process_result_value(self, value: float | None, dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromtimestamp(value, UTC)


_ID, _NAME = String(64), String(200)
_Id = Annotated[str, _ID]
_Name = Annotated[str, _NAME]
_Moment = Annotated[datetime, _Time()]
_TYPES = {str: Text(), int: Integer(), float: Double(), bool: Boolean()}


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A saved run in short, as its row has it, with the name of the page that it was made on.

    `process` runs it, or was the last to do so. A run whose process died is "running" in its row,
    and "interrupted" to readers. `seconds` and tokens are of all its attempts together. `requests`
    and tokens are those that were paid for, so an answer from a log or a cache adds to `calls`
    alone. What is under way is counted as the cap does, with the longest answer: `unsure` of the
    requests have no answer yet, and where their process has ended they may never have been sent.
    `reused` of the calls have an answer of another run. A run with a `lent_key` asks with the
    operator's. `dollars` is None if the price is unknown.
    """

    id: _Id
    workspace: _Id
    page: _Name
    process: _Id
    parent: _Id | None = None
    parent_call: int | None = None
    state: Annotated[State, String(16)] = RUNNING
    started: _Moment
    ended: _Moment | None = None
    seconds: float = 0.0
    mode: _Name
    behaviour: _Name
    model: _Name
    planned: int | None
    calls: int = 0
    reused: int = 0
    requests: int = 0
    unsure: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    has_key: bool
    lent_key: bool = False
    by_person: bool
    pinned: bool = False
    name: str
    note: str
    question: str
    answer: str = ""
    problem: str | None = None


def _column(name: str, hint: Any) -> Column[Any]:
    """The column of a field: its type is the one that the field is annotated with."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    optional = NoneType in get_args(hint)
    kind = kinds[0] if optional else hint
    stored: Any = kind.__metadata__[0] if get_origin(kind) is Annotated else _TYPES[kind]
    return Column(name, stored, primary_key=name == "id", nullable=optional)


def _required(name: str, stored: Any) -> Column[Any]:
    return Column(name, stored, nullable=False)


metadata = MetaData()

SCHEMA_VERSION = Table(
    "schema_version", metadata, Column("version", Integer, primary_key=True, autoincrement=False)
)
"""The version of the schema, in one row."""

PROCESS = Table("process", metadata, Column("id", _ID, primary_key=True), _required("seen", Double))
"""A process that uses a database server, and when it last said that it lives."""

CHUNK_LIST = Table(
    "chunk_list", metadata, Column("digest", _ID, primary_key=True), _required("body", LargeBinary)
)
"""A list of chunks, which all runs on the same chunks share."""

RUN = Table(
    "run",
    metadata,
    *(_column(*field) for field in get_type_hints(Summary, include_extras=True).items()),
    _required("attempt", Integer),
    _required("moment", Double),
    Column("deleted", Double),
    _required("searched", Text),
    _required("searched_notes", Text),
    Index("run_by_start", "workspace", "deleted", "started"),
    Index("run_in_order", "workspace", "deleted", "moment"),
    Index("run_by_moment", "moment"),
    Index("run_by_state", "state", "process"),
    Index("run_by_parent", "parent"),
)
"""A run in short, and what no list shows of it.

`attempt` counts its start and its resumptions; only the latest one may write. A search looks
through `searched`, which is the question and the answer, and `searched_notes`, both casefolded.
"""

RUN_INPUT = Table(
    "run_input",
    metadata,
    Column("run", _ID, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("chunks", _ID, ForeignKey("chunk_list.digest"), index=True, nullable=False),
    _required("request", LargeBinary),
    Column("end", LargeBinary),
)
"""The request of a run without its chunks, and its end, as JSON."""

CALL = Table(
    "call",
    metadata,
    Column("run", _ID, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _required("prompt", _ID),
    _required("edited", Boolean),
    _required("body", LargeBinary),
)
"""A call of a run that ended, as JSON without the chunk texts in its prompt.

`edited` says that a person wrote the answer.
"""

WORKSPACE = Table(
    "workspace",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("saved", Double, index=True, nullable=False),
)
"""A workspace, and when it was saved last."""

WORKSPACE_VALUE = Table(
    "workspace_value",
    metadata,
    Column("workspace", _ID, ForeignKey("workspace.id", ondelete="CASCADE"), primary_key=True),
    Column("name", _NAME, primary_key=True),
    _required("body", LargeBinary),
)
"""A value of a workspace by its name, as JSON."""

RECEIVED = Table(
    "received",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    _required("trace", _ID),
    _required("spans", Integer),
    _required("told", Integer),
    _required("size", Integer),
    _required("packed", Integer),
    _required("came", Double),
    _required("body", LargeBinary),
    Index("received_by_trace", "trace", "number", "spans", "told", "size", "packed"),
)
"""Spans of one trace that came together, in the order of their `number`, as JSON.

`told` of the `spans` have a kind of OpenInference. `size` is how many characters they have, and
`packed` the length of the body, in bytes; the index has all that decides what is kept, so that no
body is read.
"""

USAGE = Table(
    "usage",
    metadata,
    Column("who", _ID, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("kind", _ID, primary_key=True),
    _required("amount", Double),
)
"""What is counted on a day, which is counted from 1970 in UTC (`day_counts.py`)."""

_LATEST = tuple(select(func.max(column)) for column in (RUN.c.moment, WORKSPACE.c.saved))


def next_moment(connection: Connection) -> float:
    """The time now; just after the latest moment of the database if a clock was set back since."""
    latest = (connection.scalar(moment) or 0.0 for moment in _LATEST)
    return max(time(), max(latest) + _STEP)
