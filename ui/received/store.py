"""What was received, in the database of the store.

The number of the latest spans says whether anything has come since.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import time
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import delete, func, insert, select

from synth.traces import capacity
from synth.traces.reading import Synthesis, find_syntheses
from synth.traces.spans import TraceSpan
from ui.store.run_json import packed, unpacked
from ui.store.store import current_store
from ui.store.tables import RECEIVED

MOST_TRACES = 500
"""Traces that are kept: the oldest go first."""

_FEWER = "make a trace of each question"
_SILENCE = 60  # seconds without a span, after which nothing more is expected of a trace

_spans = TypeAdapter(list[TraceSpan])
_NUMBER = func.max(RECEIVED.c.number)


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
    """Keep these spans, and of all traces the newest. StoreError."""
    by_trace: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        by_trace[span.trace_id].append(span)
    if not by_trace:
        return
    rows = [_row(trace, own) for trace, own in by_trace.items()]
    newest = select(RECEIVED.c.trace).group_by(RECEIVED.c.trace).order_by(_NUMBER.desc())
    with current_store().write() as connection:
        connection.execute(insert(RECEIVED), rows)
        kept = connection.scalars(newest.limit(MOST_TRACES)).all()
        connection.execute(delete(RECEIVED).where(RECEIVED.c.trace.not_in(kept)))


def read_traces() -> list[ReceivedTrace]:
    """Return the traces of which spans have come, the latest first; StoreError."""
    sums = func.sum(RECEIVED.c.spans), func.sum(RECEIVED.c.size), func.max(RECEIVED.c.came)
    traces = select(RECEIVED.c.trace, _NUMBER, *sums).group_by(RECEIVED.c.trace)
    with current_store().read() as connection:
        rows = connection.execute(traces.order_by(_NUMBER.desc()))
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


def _row(trace: str, spans: Sequence[TraceSpan]) -> dict[str, Any]:
    return {
        "trace": trace,
        "spans": len(spans),
        "size": sum(_size(span) for span in spans),
        "came": time(),
        "body": packed([vars(span) for span in spans]),
    }


def _size(span: TraceSpan) -> int:
    texts = span.name, *span.attributes.values(), *(span.failure or ())
    return sum(len(str(text)) for text in texts)


def read_syntheses(trace: ReceivedTrace) -> list[Synthesis]:
    """Return the syntheses of a trace, in order; SynthError if it is too large, or unreadable."""
    capacity.require(capacity.MOST_SPANS, trace.spans, "It has {} spans", _FEWER)
    capacity.require(capacity.MOST_BYTES, trace.size, "It has {} characters", _FEWER)
    return find_syntheses(read_spans(trace.trace_id), silent=trace.silent)
