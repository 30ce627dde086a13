"""The syntheses that applications sent: as rows of the list of runs, and opened as traces are."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import NamedTuple

from synth.errors import SynthError
from synth.traces.syntheses import Synthesis
from ui.imported.opened_file import OpenedFile
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.store.errors import StoreError
from ui.store.runs import Filter
from ui.store.tables import RunInfo, State

_log = logging.getLogger(__name__)

_MOST = 100  # traces that are read: the list has the newest
_PATIENCE = 1.0  # seconds of reading, after which a page is drawn without the older ones


class Received(NamedTuple):
    """The rows, the latest first, and how many traces are not read yet."""

    runs: Sequence[RunInfo]
    unread: int


_rows: dict[tuple[ReceivedTrace, bool], Sequence[RunInfo]] = {}
"""The rows of each trace; it is read again when more comes, or once it is silent."""


def received() -> Received:
    """The syntheses of the newest traces, as far as they can be read in a second; StoreError."""
    traces = [(trace, trace.silent) for trace in store.traces()[:_MOST]]
    end = monotonic() + _PATIENCE
    runs: list[RunInfo] = []
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
        runs += rows
    return Received(sorted(runs, key=lambda run: run.started, reverse=True), unread)


def _read(trace: ReceivedTrace) -> Sequence[RunInfo]:
    try:
        return [_info(one) for one in store.syntheses(trace)]
    except StoreError:
        raise
    except SynthError as problem:
        return [_unreadable(trace, str(problem))]
    except Exception as defect:  # the other traces can be read
        _log.exception("A received trace can't be read.")
        words = f"This app fails to read it ({type(defect).__name__}): its log says more."
        return [_unreadable(trace, words)]


def _info(one: Synthesis) -> RunInfo:
    run = one.run
    state: State = "done" if run.response is not None else "failed"
    return RunInfo(
        behaviour="llama_index",
        id=run.identity,
        page=one.service,
        state="incomplete" if one.incomplete else state,
        started=run.started,
        seconds=run.seconds,
        mode=run.mode,
        model=run.model or "",
        calls=len(run.calls),
        requests=len(run.calls),
        prompt_tokens=run.prompt_tokens,
        output_tokens=run.output_tokens,
        question=run.query,
        answer=run.response or "",
    )


def _unreadable(trace: ReceivedTrace, problem: str) -> RunInfo:
    return RunInfo(
        id=trace.trace_id,
        state="failed",
        started=datetime.fromtimestamp(trace.came, UTC),
        question=f"A trace that can't be read: {problem}",
        problem=problem,
    )


def matches(run: RunInfo, wanted: Filter) -> bool:
    """Whether a filter of the saved runs lets such a row through."""
    text = f"{run.question} {run.answer}".casefold()
    return (
        all(word in text for word in wanted.words.casefold().split())
        and (not wanted.modes or run.mode in wanted.modes)
        and (not wanted.models or run.model in wanted.models)
        and (wanted.since is None or run.started >= wanted.since)
        and (wanted.until is None or run.started < wanted.until)
        and not (wanted.states or wanted.pinned)
    )


def open_in(file: OpenedFile, run: RunInfo) -> None:
    """Open the trace of a row, with the run of this row chosen; the file says why it can't be."""
    name = f"{run.page or 'received'}, {run.started:%d %B %Y, %H:%M} UTC"
    trace_id, _, _ = run.id.partition("-")
    try:
        traces = [trace for trace in store.traces() if trace.trace_id == trace_id]
        runs = [one.run for trace in traces for one in store.syntheses(trace)]
    except SynthError as problem:
        file.problem = str(problem)
        return
    positions = [at for at, one in enumerate(runs) if one.identity == run.id]
    if positions:
        file.show(name, runs, positions[0])
    else:
        file.problem = "Its spans are gone: newer ones needed their room, or they were deleted."


def delete_all() -> None:
    """Delete all that was received, in the database and in this server's memory. StoreError."""
    store.clear()
    _rows.clear()
