"""The syntheses that applications sent: as rows of the list of runs, and read again to open one."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import NamedTuple

from synth.errors import ImportedRunError, SynthError
from synth.traces.syntheses import Synthesis
from ui.imported.list_rows import ListRow, describe_failure, make_row
from ui.imported.opened_file import OpenedRun
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.store.errors import StoreError
from ui.store.tables import RunInfo

_log = logging.getLogger(__name__)

_MOST = 100  # traces that are read: the list has the newest
_PATIENCE = 1.0  # seconds of reading, after which a page is drawn without the older ones


class ReceivedRows(NamedTuple):
    """The rows, the latest first, and how many traces are not read yet."""

    rows: Sequence[ListRow]
    unread: int


_rows: dict[tuple[ReceivedTrace, bool], Sequence[ListRow]] = {}
"""The rows of each trace; it is read again when more comes, or once it is silent."""


def read_received() -> ReceivedRows:
    """Read the syntheses of the newest traces, as far as a second is enough; StoreError."""
    traces = [(trace, trace.silent) for trace in store.read_traces()[:_MOST]]
    end = monotonic() + _PATIENCE
    all_rows: list[ListRow] = []
    unread = 0
    for gone in _rows.keys() - set(traces):
        _rows.pop(gone, None)
    for known in traces:
        rows = _rows.get(known)
        if rows is None and monotonic() > end:
            unread += 1
            continue
        if rows is None:
            rows = _rows[known] = _read(known[0])
        all_rows += rows
    return ReceivedRows(sorted(all_rows, key=lambda row: row.info.started, reverse=True), unread)


def _read(trace: ReceivedTrace) -> Sequence[ListRow]:
    try:
        return [_row(synthesis) for synthesis in store.read_syntheses(trace)]
    except StoreError:
        raise
    except SynthError as problem:
        return [_unreadable_row(trace, str(problem))]
    except Exception as defect:  # the other traces can be read
        _log.exception("A received trace can't be read.")
        words = f"This app fails to read it ({type(defect).__name__}): its log says more."
        return [_unreadable_row(trace, words)]


def _row(synthesis: Synthesis) -> ListRow:
    run = OpenedRun(synthesis.run, synthesis.service or "an application")
    incomplete = synthesis.incomplete
    return make_row(run, "received", synthesis.run.identity, is_incomplete=incomplete)


def _unreadable_row(trace: ReceivedTrace, problem: str) -> ListRow:
    info = RunInfo(
        id=trace.trace_id,
        state="failed",
        started=datetime.fromtimestamp(trace.came, UTC),
        question="A trace that can't be read",
        problem=problem,
    )
    return ListRow(info, "received", describe_failure(problem))


def load(info: RunInfo) -> OpenedRun:
    """Read the run of a row again; ImportedRunError or StoreError that says why it can't be."""
    trace_id, _, _ = info.id.partition("-")
    traces = [trace for trace in store.read_traces() if trace.trace_id == trace_id]
    for synthesis in (each for trace in traces for each in store.read_syntheses(trace)):
        if synthesis.run.identity == info.id:
            return OpenedRun(synthesis.run, f"{info.page}, {info.started:%d %B %Y, %H:%M} UTC")
    raise ImportedRunError(
        "Its spans are gone: newer ones needed their room, or they were deleted."
    )


def delete_all() -> None:
    """Delete all that was received, in the database and in this server's memory. StoreError."""
    store.delete_all()
    _rows.clear()
