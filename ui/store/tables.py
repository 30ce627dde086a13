"""The tables of the store; times are seconds since 1970 in UTC.

Texts that must come back to the letter are in bodies, as compressed JSON: a database's own text
holds neither a NUL nor half a surrogate pair, which a model may well send.
"""

from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from time import time
from types import NoneType
from typing import Any, Literal, Self, get_args, get_type_hints
from uuid import uuid4

import sqlalchemy as sa

from synth.runs.calls import Spent

State = Literal["running", "done", "failed", "stopped", "interrupted", "incomplete"]
"""How a run stands; only one that an application sent is incomplete, and it is in no row."""

RUNNING: State = "running"


class _Time(sa.TypeDecorator[datetime]):
    """Stores a time as seconds since 1970."""

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
    counts with the longest answer: `unsure` of the requests have none yet, and may never have been
    sent. `reused` of the calls have an answer of another run. `dollars` is None if the price is
    unknown. A person wrote the answers of `edited` calls; lists leave them empty.
    """

    id: str = field(default_factory=lambda: uuid4().hex)
    workspace: str = ""
    page: str = ""
    server: str = ""
    state: State = RUNNING
    started: datetime = field(default_factory=lambda: datetime.fromtimestamp(time(), UTC))
    ended: datetime | None = None
    seconds: float = 0.0
    mode: str = ""
    behaviour: str = ""
    model: str = ""
    planned: int | None = None
    calls: int = 0
    reused: int = 0
    requests: int = 0
    unsure: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    has_key: bool = False
    by_person: bool = False
    unpriced: bool = False
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
    "synth_run",
    metadata,
    *(_column(name, _hints[name]) for name in IN_COLUMNS),
    _required("attempt", sa.Integer),
    _required("alive", sa.Double),
    _required("moment", sa.Double),
    sa.Column("deleted", sa.Double),
    _required("digest", sa.Text),
    _required("body", sa.LargeBinary),
    _required("chunks", sa.LargeBinary),
    sa.Index("synth_run_in_order", "workspace", "deleted", "moment"),
    sa.Index("synth_run_by_state", "state", "server"),
)
"""A run, and what no list shows of it.

Only its latest `attempt` may write. `alive` is when its server last said that it runs, `moment`
when it began or was opened again, by which runs are ordered. `digest` is that of its request.
"""

ANSWER = sa.Table(
    "synth_answer",
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
