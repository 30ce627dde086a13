"""What was received, in the database of the store, which all servers behind a proxy share.

The number of the latest spans says whether anything has come since.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import time
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, func, insert, select, text

from synth.traces import capacity
from synth.traces.spans import TraceSpan
from synth.traces.syntheses import Synthesis, syntheses_of
from ui.received.limits import MOST_KEPT, MOST_TRACES
from ui.store.run_json import packed, unpacked
from ui.store.store import current_store
from ui.store.tables import RECEIVED

_TURN = 7_042_022  # the number of PostgreSQL's advisory lock: numbers are given in their order
_FEWER = "make a trace of each question"
_SILENCE = 60  # seconds without a span, after which nothing more is expected of a trace

_spans = TypeAdapter(list[TraceSpan])
_TRACES = select(
    RECEIVED.c.trace,
    func.max(RECEIVED.c.number).label("number"),
    *(func.sum(RECEIVED.c[name]).label(name) for name in ("spans", "told", "size", "packed")),
).group_by(RECEIVED.c.trace)


class ReceivedTrace(NamedTuple):
    """A trace: the `number` of its latest spans, how many came, twice included, and when.

    `size` is in characters.
    """

    trace_id: str
    number: int
    spans: int
    size: int
    came: float

    @property
    def silent(self) -> bool:
        """Whether nothing more of it is expected."""
        return time() - self.came > _SILENCE


def add(spans: Iterable[TraceSpan]) -> None:
    """Keep these spans. StoreError."""
    rows = _rows(spans)
    if not rows:
        return
    with current_store().write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
        first = 1 + (connection.scalar(select(func.max(RECEIVED.c.number))) or 0)
        numbered = [{**row, "number": first + at} for at, row in enumerate(rows)]
        connection.execute(insert(RECEIVED), numbered)
        _let_oldest_go(connection, first)


def read_traces() -> list[ReceivedTrace]:
    """Return the traces of which spans have come, the latest first; StoreError."""
    latest = _TRACES.subquery().c
    columns = select(latest.trace, latest.number, latest.spans, latest.size, RECEIVED.c.came)
    statement = columns.join(RECEIVED, RECEIVED.c.number == latest.number)
    with current_store().read() as connection:
        rows = connection.execute(statement.order_by(latest.number.desc()))
        return [ReceivedTrace(*row) for row in rows]


def read_spans(trace_id: str) -> list[TraceSpan]:
    """Return the spans of a trace that have come, each once; none without it. StoreError."""
    statement = (
        select(RECEIVED.c.body).where(RECEIVED.c.trace == trace_id).order_by(RECEIVED.c.number)
    )
    with current_store().read() as connection:
        bodies = connection.scalars(statement).all()
    by_id = {}
    for body in bodies:
        for span in _spans.validate_python(unpacked(body)):
            by_id[span.span_id] = span
    return list(by_id.values())


def delete_all() -> None:
    """Delete all that was received. StoreError."""
    with current_store().write() as connection:
        connection.execute(delete(RECEIVED))
    current_store().database().empty_log()


def _rows(spans: Iterable[TraceSpan]) -> list[dict[str, Any]]:
    by_trace: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        by_trace[span.trace_id].append(span)
    return [_row(trace, own) for trace, own in by_trace.items()]


def _row(trace: str, spans: Sequence[TraceSpan]) -> dict[str, Any]:
    body = packed([vars(span) for span in spans])
    return {
        "trace": trace,
        "spans": len(spans),
        "told": sum(bool(span.kind) for span in spans),
        "size": sum(_size(span) for span in spans),
        "packed": len(body),
        "came": time(),
        "body": body,
    }


def _size(span: TraceSpan) -> int:
    texts = span.name, *span.attributes.values(), *(span.failure or ())
    return sum(len(str(text)) for text in texts)


def _let_oldest_go(connection: Connection, first: int) -> None:
    """Delete the oldest traces, those without a span of OpenInference first."""
    rows = connection.execute(_TRACES).all()
    count, size, gone = len(rows), sum(row.packed for row in rows), []
    for row in sorted(rows, key=lambda row: (row.number >= first, row.told > 0, row.number)):
        if count <= MOST_TRACES and size <= MOST_KEPT:
            break
        gone.append(row.trace)
        count, size = count - 1, size - row.packed
    if gone:
        connection.execute(delete(RECEIVED).where(RECEIVED.c.trace.in_(gone)))


def read_syntheses(trace: ReceivedTrace) -> list[Synthesis]:
    """Return the syntheses of a trace, in order; SynthError if it is too large, or unreadable."""
    capacity.require(capacity.MOST_SPANS, trace.spans, "It has {} spans", _FEWER)
    capacity.require(capacity.MOST_BYTES, trace.size, "It has {} characters", _FEWER)
    return syntheses_of(read_spans(trace.trace_id), silent=trace.silent)
