"""What is done with runs of the list: opened, compared, resumed, stopped, named, noted, deleted."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from time import time

import streamlit as st

from synth.errors import SynthError
from synth.text.wording import counted, short
from ui.controls import input_changes
from ui.look.elements import error_box, small
from ui.pages.runs.recordings import (
    LONGEST_TITLE,
    ListRow,
    OpenedRun,
    opened_file,
    read_again,
    settings_beside,
    write_title,
)
from ui.runs import start
from ui.runs.job import Job
from ui.runs.start import runs as playground
from ui.session import browser, keys, workspace
from ui.settings import expected, hosts, state
from ui.settings.request import Request
from ui.settings.schema import MOST_COLUMNS
from ui.store import runs as saved_runs
from ui.store.rows import Run, RunInfo
from ui.store.runs import Every, Owner
from ui.store.store import StoreError, current_store

_GOES_ON = ("interrupted", "stopped", "failed")


def find_owner() -> Owner:
    """Return whose runs are seen: people have several workspaces on a machine of their own."""
    return Every.WORKSPACE if browser.is_own_machine() else workspace.current().id


def draw(rows: Sequence[ListRow]) -> None:
    """Draw what can be done with the ticked rows; SynthError if one can't be opened."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
        if not rows:
            small("Tick a run to name, note or delete it, several to compare them.")
            return
        if len(rows) == 1:
            small(short(write_title(rows[0].info), LONGEST_TITLE))
            _draw_single(rows[0])
        else:
            small(f"{len(rows):,} runs are ticked.")
            _draw_compare(rows)
        if all(row.is_saved for row in rows):
            _button("Delete", "delete", lambda: _delete(rows), "delete_runs")


def _button(label: str, icon: str, action: Callable[[], None], key: str) -> None:
    st.button(label, type="tertiary", icon=f":material/{icon}:", on_click=action, key=key)


def _draw_single(row: ListRow) -> None:
    run = row.info
    if not row.is_saved:
        if st.button("How it was compared", icon=":material/rule:", key="see_recording"):
            opened_file().opened = _read_recording(row)
            st.rerun()
        return
    if run.state == "running":
        job = playground().find(run.id)
        if job is not None and job.running and not job.elsewhere:
            _button("Stop", "stop", job.stop, "stop_saved")
    elif run.state in _GOES_ON and st.button(
        "Resume",
        icon=":material/resume:",
        help="Opens it, and sends only unanswered calls.",
        key="resume_saved",
    ):
        _resume(run)
    _draw_text(run, "Name", "name")
    _draw_text(run, "Note", "note")


def _draw_text(run: RunInfo, label: str, field: str) -> None:
    key = f"run_{field} {run.id}"

    def save() -> None:
        _change([run.id], **{field: st.session_state[key]})

    with st.popover(label, type="tertiary"):
        if field == "name":
            st.text_input("Name", run.name, max_chars=200, key=key, on_change=save)
        else:
            st.text_area("Note", run.note, max_chars=10_000, height=120, key=key, on_change=save)


def _draw_compare(rows: Sequence[ListRow]) -> None:
    if len(rows) > MOST_COLUMNS:
        small(f"Compare has up to {MOST_COLUMNS} columns.")
    elif st.button(
        "Open in Compare",
        type="primary",
        icon=":material/view_column:",
        help="Each run becomes a column with its answers. Nothing is sent.",
        key="open_in_compare",
    ):
        _open_in_compare(rows)


def _change(runs: Sequence[str], **values: str | float | None) -> bool:
    """Carry out a change; False if the database refuses it, and the page says why."""
    try:
        saved_runs.change(current_store(), find_owner(), runs, **values)
    except StoreError as problem:
        st.session_state[keys.RUNS_PROBLEM] = "Nothing was changed.", str(problem)
        return False
    return True


def _delete(rows: Sequence[ListRow]) -> None:
    """Delete saved runs; draws the whole page."""
    ids = [row.info.id for row in rows]
    if _change(ids, deleted=time()):
        st.session_state[keys.RUNS_DELETED] = ids
        st.session_state.pop(keys.TICKED_RUNS, None)
    st.rerun()


def draw_undo() -> None:
    """Draw, once, what went wrong; after a deletion, the way back."""
    if problem := st.session_state.pop(keys.RUNS_PROBLEM, None):
        error_box(*problem)
    if ids := st.session_state.get(keys.RUNS_DELETED):
        with st.container(horizontal=True, vertical_alignment="center", key="runs_undo"):
            small(f"{counted(len(ids), 'run')} deleted. This can be undone until you reload.")
            _button("Undo", "undo", lambda: _undo(ids), "undo_delete")


def _undo(ids: Sequence[str]) -> None:
    if _change(ids, deleted=None):
        st.session_state.pop(keys.RUNS_DELETED, None)


def open_row(row: ListRow) -> None:
    """Show a run in the Playground; a recording that can't be shown there, beside ours."""
    if row.is_saved:
        _show(_load(row.info))
        st.switch_page("app.py", query_params=workspace.address())
    recording = _read_recording(row)
    if recording.request is not None:
        show_recorded(recording)
    opened_file().opened = recording  # which the Playground can't show
    st.rerun()


def _resume(run: RunInfo) -> None:
    """Show the run in the Playground and let it go on there, if nothing is missing for that."""
    job = _show(_load(run))
    asks = start.say_key_gone(job, state.current()) or hosts.why_not(state.current())
    if job.trace is not None and not asks:
        start.resume(job, job.trace)
    st.switch_page("app.py", query_params=workspace.address())


def _open_in_compare(rows: Sequence[ListRow]) -> None:
    """Make the runs the columns of Compare, the oldest first; SynthError if they can't be."""
    runs = [_read(row) for row in reversed(rows)]
    _require_shared_input(runs)
    _put_run(runs[0])
    _compare(runs)


def _compare(runs: Sequence[Run]) -> None:
    st.session_state[keys.RUNS_TO_COMPARE] = runs
    st.switch_page("pages/compare.py", query_params=workspace.address())


def _read_recording(row: ListRow) -> OpenedRun:
    """Return the recording of a row; SynthError if what was received is gone."""
    return row.recording or read_again(row.info)


def _read(row: ListRow) -> Run:
    if row.is_saved:
        return _load(row.info)
    recording = _read_recording(row)
    if recording.request is None:
        raise SynthError(f"{write_title(row.info)}: {recording.why_not_opened}")
    return Run(row.info, recording.request, recording.trace)


def _load(info: RunInfo) -> Run:
    """Read a whole saved run; SynthError if it was deleted meanwhile, or goes on."""
    run = saved_runs.load_run(current_store(), find_owner(), info.id)
    if run is None:
        raise SynthError("It was deleted meanwhile.")
    if run.info.state == "running":
        raise SynthError(f"“{write_title(info)}” still goes on: wait for its end.")
    return run


def _show(run: Run) -> Job:
    """Show the run with its settings and with its chunks alone, in their order."""
    request = run.request.with_own_chunk_list()
    run = replace(run, request=request)
    _put_run(run)
    job = start.reopen(run)
    # What the Playground can't set, such as the price of that day, makes its answer no older.
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    start.show_earlier(job)
    return job


def _put_run(run: Run) -> None:
    request, title = run.request, short(write_title(run.info), LONGEST_TITLE)
    more = request.model.settings
    input_changes.put(request, "run", title, more)


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


def draw_ways_on(run: OpenedRun) -> None:
    """Draw the buttons that open a recording; off where no page can show it, which is said."""
    problem = run.why_not_opened
    with st.container(horizontal=True, key="open_import"):
        opens = st.button(
            "Open as a run",
            type="primary",
            icon=":material/open_in_new:",
            disabled=problem is not None,
        )
        compares = st.button(
            "Compare with other modes",
            icon=":material/compare_arrows:",
            disabled=problem is not None,
            help="The columns of Compare become this run and other modes.",
        )
    if problem is not None:
        small(problem)
    elif opens:
        show_recorded(run)
    elif compares:
        _compare([_put(run)])


def show_recorded(run: OpenedRun) -> None:
    """Show a recorded run in the Playground; it costs no call."""
    job = start.show_recorded(_put(run), workspace.current().id, id=run_id(run.run.identity))
    start.show_earlier(job)
    st.switch_page("app.py", query_params=workspace.address())


def _put(run: OpenedRun) -> Run:
    """Put the inputs of a recorded run into the Playground; return it as a run of these."""
    request = run.request
    assert request is not None
    workspace.current().values[keys.RECORDED] = run.run.trace().log()
    input_changes.put(request, "trace", run.source, settings_beside(run.run, request))
    return Run(RunInfo(kind=run.kind, state="done"), Request.of(state.current()), run.trace)


def run_id(identity: str) -> str | None:
    """Return the id under which a recorded run is saved once, on one's own machine for all."""
    owner = "" if browser.is_own_machine() else workspace.current().id
    return sha256(f"{owner} {identity}".encode()).hexdigest()[:32] if identity else None
