"""Runs of the list, opened in the Playground or as columns of Compare."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.text.wording import short
from ui.controls import handover
from ui.imported import opening, received_runs
from ui.imported.list_rows import ListRow
from ui.imported.opened_file import OpenedRun, opened_file
from ui.pages.runs.listing import LONGEST_TITLE, write_title
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import expected, hosts, state
from ui.settings.request import Request
from ui.store import runs as saved_runs
from ui.store.run_json import Run
from ui.store.runs import Owner
from ui.store.store import Store
from ui.store.tables import RunInfo


def open_row(store: Store, owner: Owner, row: ListRow) -> None:
    """Show a run in the Playground; a recording that can't be shown there, beside ours."""
    if row.is_saved:
        _show(_load(store, owner, row.info))
        st.switch_page("app.py", query_params=workspace.address())
    opening.open_recording(opened_file(), read_recording(row))


def resume(store: Store, owner: Owner, run: RunInfo) -> None:
    """Show the run in the Playground and let it go on there, if nothing is missing for that."""
    job = _show(_load(store, owner, run))
    asks = start.say_key_gone(job, state.current()) or hosts.why_not(state.current())
    if job.trace is not None and not asks:
        start.resume(job, job.trace)
    st.switch_page("app.py", query_params=workspace.address())


def open_in_compare(store: Store, owner: Owner, rows: Sequence[ListRow]) -> None:
    """Make the runs the columns of Compare, the oldest first; SynthError if they can't be."""
    runs = [_read(store, owner, row) for row in reversed(rows)]
    _require_shared_input(runs)
    handover.put_run(runs[0].request, short(write_title(runs[0].info), LONGEST_TITLE))
    handover.displace_columns()
    st.session_state[keys.RUNS_TO_COMPARE] = runs
    st.switch_page("pages/compare.py", query_params=workspace.address())


def read_recording(row: ListRow) -> OpenedRun:
    """Return the recording of a row; SynthError if what was received is gone."""
    return row.recording or received_runs.load(row.info)


def _read(store: Store, owner: Owner, row: ListRow) -> Run:
    if row.is_saved:
        return _load(store, owner, row.info)
    recording = read_recording(row)
    if recording.request is None:
        raise SynthError(f"{write_title(row.info)}: {recording.why_not_opened}")
    return Run(row.info, recording.request, recording.trace)


def _load(store: Store, owner: Owner, info: RunInfo) -> Run:
    """Read a whole saved run; SynthError if it was deleted meanwhile, or goes on."""
    run = saved_runs.load_run(store, owner, info.id)
    if run is None:
        raise SynthError("It was deleted meanwhile.")
    if run.info.state == "running":
        raise SynthError(f"“{write_title(info)}” still goes on: wait for its end.")
    return run


def _show(run: Run) -> Job:
    """Show the run with its settings and with its chunks alone, in their order."""
    request = run.request.with_own_chunk_list()
    handover.put_run(request, short(write_title(run.info), LONGEST_TITLE))
    job = start.reopen(replace(run, request=request))
    # What the Playground can't set, such as the price of that day, makes its answer no older.
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    start.show_earlier(job)
    return job


def _require_shared_input(runs: Sequence[Run]) -> None:
    """SynthError for runs that can't be columns, which share a question and chunks."""
    requests = [run.request for run in runs]
    if len({request.query_str for request in requests}) > 1:
        raise SynthError("Their questions differ, and Compare asks all columns the same.")
    if len({request.text_chunks for request in requests}) > 1:
        raise SynthError(
            "Their chunks differ, or stand in another order, and Compare gives all the same."
        )
    if expected.questions() or workspace.value(keys.QUESTIONS, "").strip():
        raise SynthError("Compare has a list of questions now: remove it there.")
