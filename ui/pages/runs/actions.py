"""What is done with the ticked runs: opened, compared, resumed, stopped, named, noted, deleted."""

from collections.abc import Callable, Sequence
from time import time

import streamlit as st

from synth.text.wording import counted, short
from ui.imported.list_rows import ListRow
from ui.imported.opened_file import opened_file
from ui.look.elements import error_box, small
from ui.pages.runs import open_runs
from ui.pages.runs.listing import LONGEST_TITLE, write_title
from ui.runs.branches import runs as playground
from ui.session import keys
from ui.settings.schema import MOST_COLUMNS
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.runs import Owner
from ui.store.store import Store
from ui.store.tables import RunInfo

_GOES_ON = ("interrupted", "stopped", "failed")


def draw(store: Store, owner: Owner, rows: Sequence[ListRow]) -> None:
    """Draw what can be done with the ticked rows; SynthError if one can't be opened."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
        if not rows:
            small("Tick a run to name, note or delete it, several to compare them.")
            return
        if len(rows) == 1:
            small(short(write_title(rows[0].info), LONGEST_TITLE))
            _draw_single(store, owner, rows[0])
        else:
            small(f"{len(rows):,} runs are ticked.")
            _draw_compare(store, owner, rows)
        if all(row.recording is not None or row.is_saved for row in rows):
            _button("Delete", "delete", lambda: _delete(store, owner, rows), "delete_runs")


def _button(label: str, icon: str, action: Callable[[], None], key: str) -> None:
    st.button(label, type="tertiary", icon=f":material/{icon}:", on_click=action, key=key)


def _draw_single(store: Store, owner: Owner, row: ListRow) -> None:
    run = row.info
    if not row.is_saved:
        if st.button("How it was compared", icon=":material/rule:", key="see_recording"):
            opened_file().opened = open_runs.read_recording(row)
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
        open_runs.resume(store, owner, run)
    _draw_text(store, owner, run, "Name", "name")
    _draw_text(store, owner, run, "Note", "note")


def _draw_text(store: Store, owner: Owner, run: RunInfo, label: str, field: str) -> None:
    key = f"run_{field} {run.id}"

    def save() -> None:
        _change(store, owner, [run.id], **{field: st.session_state[key]})

    with st.popover(label, type="tertiary"):
        if field == "name":
            st.text_input("Name", run.name, max_chars=200, key=key, on_change=save)
        else:
            st.text_area("Note", run.note, max_chars=10_000, height=120, key=key, on_change=save)


def _draw_compare(store: Store, owner: Owner, rows: Sequence[ListRow]) -> None:
    if len(rows) > MOST_COLUMNS:
        small(f"Compare has up to {MOST_COLUMNS} columns.")
    elif st.button(
        "Open in Compare",
        type="primary",
        icon=":material/view_column:",
        help="Each run becomes a column with its answers. Nothing is sent.",
        key="open_in_compare",
    ):
        open_runs.open_in_compare(store, owner, rows)


def _change(store: Store, owner: Owner, runs: Sequence[str], **values: str | float | None) -> bool:
    """Carry out a change; False if the database refuses it, and the page says why."""
    try:
        saved_runs.change(store, owner, runs, **values)
    except StoreError as problem:
        st.session_state[keys.RUNS_PROBLEM] = str(problem)
        return False
    return True


def _delete(store: Store, owner: Owner, rows: Sequence[ListRow]) -> None:
    """Delete saved runs, and hide those that a file alone has; draws the whole page."""
    saved = [row.info.id for row in rows if row.is_saved]
    file = opened_file()
    hidden = {file.runs.index(row.recording) for row in rows if row.recording is not None}
    if not saved or _change(store, owner, saved, deleted=time()):
        file.hidden |= hidden
        st.session_state[keys.RUNS_DELETED] = saved, hidden
        st.session_state.pop(keys.TICKED_RUNS, None)
    st.rerun()


def draw_undo(store: Store, owner: Owner) -> None:
    """Draw, once, why the latest change was refused; after a deletion, the way back."""
    if problem := st.session_state.pop(keys.RUNS_PROBLEM, None):
        error_box("Nothing was changed.", problem)
    saved, hidden = st.session_state.get(keys.RUNS_DELETED, ((), ()))
    if not saved and not hidden:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_undo"):
        count = counted(len(saved) + len(hidden), "run")
        small(f"{count} deleted. This can be undone until you reload.")
        _button("Undo", "undo", lambda: _undo(store, owner), "undo_delete")


def _undo(store: Store, owner: Owner) -> None:
    saved, hidden = st.session_state.get(keys.RUNS_DELETED, ((), ()))
    if not saved or _change(store, owner, saved, deleted=None):
        opened_file().hidden -= set(hidden)
        st.session_state.pop(keys.RUNS_DELETED, None)
