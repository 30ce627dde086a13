"""What was received, in the database of the history, so that all servers behind a proxy share it.

Spans that came together are kept together, trace by trace, and numbered. The number of the latest
says whether anything has come since. A trace is read as syntheses when a page asks, and anew only
when more has come.
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, func, insert, select, text

from synth.errors import SynthError
from synth.traces import capacity
from synth.traces.growing import Growing, growing
from synth.traces.spans import TraceSpan
from ui.history import written
from ui.history.history import history
from ui.history.tables import RECEIVED
from ui.received.whose import MOST_KEPT, MOST_TRACES
from ui.session.apart import apart_if_long

_TURN = 7_042_022  # the number of PostgreSQL's advisory lock: numbers are given in their order
_REMEMBERED = 20_000_000  # characters of the spans of all traces that are remembered

_REPEATED = 10
"""Characters of a trace that take as long to read as one of another file.

A span repeats the texts of those in it: that of an agent with twelve calls has 190,000 characters,
and is read in a hundredth of a second. A process for it would take seconds to start.
"""

_spans = TypeAdapter(list[TraceSpan])


class ReceivedTrace(NamedTuple):
    """A trace of which spans have come: the number of the latest, and how many, twice included.

    `size` is how many characters all its spans have in their names, attributes and failures.
    """

    trace_id: str
    number: int
    spans: int
    size: int


class Refused(NamedTuple):
    """Spans that were not kept, and why."""

    spans: int = 0
    words: str = ""


Read = Sequence[Growing] | SynthError
"""The syntheses of a trace, or why it can't be read."""

_lock = threading.Lock()
_remembered: OrderedDict[tuple[str, ReceivedTrace], Read] = OrderedDict()


def add(spans: Iterable[TraceSpan]) -> Refused:
    """Keep these spans before this returns; those of a trace that has too many are refused.

    HistoryError where the database can't keep them now.
    """
    rows = _rows(spans)
    if not rows:
        return Refused()
    with history().write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
        kept = _within_bounds(connection, rows)
        if kept:
            first = 1 + (connection.scalar(select(func.max(RECEIVED.c.number))) or 0)
            numbered = [{**row, "number": first + at} for at, row in enumerate(kept)]
            connection.execute(insert(RECEIVED), numbered)
            _let_oldest_go(connection, first)
    refused = sum(row["spans"] for row in rows) - sum(row["spans"] for row in kept)
    words = (
        f"{refused:,} spans belong to a trace with more than {capacity.MOST_SPANS:,} spans or"
        f" {capacity.MOST_BYTES:,} characters, which no page reads."
    )
    return Refused(refused, words) if refused else Refused()


def latest() -> int:
    """A number that is another one once anything has come; HistoryError if it can't be read."""
    with history().read() as connection:
        return connection.scalar(select(func.max(RECEIVED.c.number))) or 0


def traces() -> list[ReceivedTrace]:
    """The traces of which spans have come, the latest first; HistoryError."""
    number = func.max(RECEIVED.c.number)
    statement = (
        select(RECEIVED.c.trace, number, func.sum(RECEIVED.c.spans), func.sum(RECEIVED.c.size))
        .group_by(RECEIVED.c.trace)
        .order_by(number.desc())
    )
    with history().read() as connection:
        return [ReceivedTrace(*row) for row in connection.execute(statement)]


def spans(trace_id: str) -> list[TraceSpan]:
    """The spans of a trace that have come, each once; none if it is not there. HistoryError."""
    statement = (
        select(RECEIVED.c.body).where(RECEIVED.c.trace == trace_id).order_by(RECEIVED.c.number)
    )
    with history().read() as connection:
        bodies = connection.scalars(statement).all()
    found = {}
    for body in bodies:
        for span in _spans.validate_python(written.unpacked(body)):
            found[span.span_id] = span
    return list(found.values())


def size() -> tuple[int, int]:
    """How many traces there are, and how many bytes the database has of them. HistoryError."""
    counts = select(func.count(RECEIVED.c.trace.distinct()), func.sum(RECEIVED.c.packed))
    with history().read() as connection:
        traces, kept = connection.execute(counts).one()
    return traces, int(kept or 0)


def clear() -> None:
    """Delete all that was received, in the database and here. HistoryError."""
    opened = history()
    with opened.write() as connection:
        connection.execute(delete(RECEIVED))
    opened.database.empty_log()
    with _lock:
        _remembered.clear()


def _rows(spans: Iterable[TraceSpan]) -> list[dict[str, Any]]:
    """A row for the spans of each trace, without its number."""
    by_trace: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        by_trace[span.trace_id].append(span)
    return [_row(trace, own) for trace, own in by_trace.items()]


def _row(trace: str, spans: Sequence[TraceSpan]) -> dict[str, Any]:
    body = written.packed([vars(span) for span in spans])
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


def _within_bounds(
    connection: Connection, rows: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The rows that leave their traces as large as a file may be."""
    statement = (
        select(RECEIVED.c.trace, func.sum(RECEIVED.c.spans), func.sum(RECEIVED.c.size))
        .where(RECEIVED.c.trace.in_([row["trace"] for row in rows]))
        .group_by(RECEIVED.c.trace)
    )
    there = {trace: (spans, size) for trace, spans, size in connection.execute(statement)}
    kept = []
    for row in rows:
        spans, size = there.get(row["trace"], (0, 0))
        if (
            spans + row["spans"] <= capacity.MOST_SPANS
            and size + row["size"] <= capacity.MOST_BYTES
        ):
            kept.append(row)
    return kept


def _let_oldest_go(connection: Connection, first: int) -> None:
    """Delete the oldest traces until the others are within the bounds.

    Those without any span of OpenInference go before the others, if nothing of them came now: an
    application may send all that its web server does, too.
    """
    statement = select(
        RECEIVED.c.trace,
        func.max(RECEIVED.c.number).label("number"),
        func.sum(RECEIVED.c.told).label("told"),
        func.sum(RECEIVED.c.packed).label("packed"),
    ).group_by(RECEIVED.c.trace)
    found = connection.execute(statement).all()
    count, size, gone = len(found), sum(row.packed for row in found), []
    for row in sorted(found, key=lambda row: (row.number >= first, row.told > 0, row.number)):
        if count <= MOST_TRACES and size <= MOST_KEPT:
            break
        gone.append(row.trace)
        count, size = count - 1, size - row.packed
    if gone:
        connection.execute(delete(RECEIVED).where(RECEIVED.c.trace.in_(gone)))


def syntheses(trace: ReceivedTrace) -> Read:
    """The syntheses of a trace, in order; HistoryError if the database can't be read.

    A trace that may take long is read in a process of its own, which is ended after 20 seconds.
    """
    key = str(history().database.place), trace
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    found = spans(trace.trace_id)
    try:
        read: Read = apart_if_long(trace.size // _REPEATED, growing, found)
    except SynthError as problem:
        read = problem
    _remember(key, read)
    return read


def _remember(key: tuple[str, ReceivedTrace], read: Read) -> None:
    """Remember this in place of what the trace was before; those not looked at longest go first."""
    with _lock:
        for other in [one for one in _remembered if one[1].trace_id == key[1].trace_id]:
            del _remembered[other]
        _remembered[key] = read
        while sum(trace.size for _, trace in _remembered) > _REMEMBERED and len(_remembered) > 1:
            _remembered.popitem(last=False)
