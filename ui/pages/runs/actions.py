"""What a person changes of a saved run: its name, its note, its pin; deleted, and that undone."""

from collections.abc import Sequence
from time import time

import streamlit as st

from synth.text.wording import counted
from ui.look.elements import error_box, small
from ui.session import keys
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.runs import Owner
from ui.store.store import Store
from ui.store.tables import RunInfo


def draw(store: Store, owner: Owner, run: RunInfo) -> None:
    """Draw what renames, notes, pins and deletes a run."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
        _text(store, owner, run, "Rename", "name")
        _text(store, owner, run, "Note", "note")
        st.button(
            "Unpin" if run.pinned else "Pin",
            type="tertiary",
            on_click=_pin,
            args=(store, owner, run),
            key="pin_run",
        )
        delete(store, owner, [run])


def _text(store: Store, owner: Owner, run: RunInfo, label: str, field: str) -> None:
    key = f"run_{field} {run.id}"

    def save() -> None:
        _change(store, owner, [run.id], **{field: st.session_state[key]})

    with st.popover(label, type="tertiary"):
        if field == "name":
            st.text_input("Name", run.name, max_chars=200, key=key, on_change=save)
        else:
            st.text_area("Note", run.note, max_chars=10_000, height=120, key=key, on_change=save)


def delete(store: Store, owner: Owner, runs: Sequence[RunInfo]) -> None:
    """The button that deletes these runs."""
    st.button(
        "Delete",
        type="tertiary",
        on_click=_remove,
        args=(store, owner, [run.id for run in runs]),
        key="delete_runs",
    )


def _change(store: Store, owner: Owner, runs: Sequence[str], **values: str | float | None) -> bool:
    """Carry out a change; False if the database refuses it, and the page says why."""
    try:
        saved_runs.change(store, owner, runs, **values)
    except StoreError as problem:
        st.session_state[keys.RUNS_PROBLEM] = str(problem)
        return False
    return True


def draw_problem() -> None:
    """Draw, once, why the database refused the latest change."""
    if problem := st.session_state.pop(keys.RUNS_PROBLEM, None):
        error_box("Nothing was changed.", problem)


def _pin(store: Store, owner: Owner, run: RunInfo) -> None:
    _change(store, owner, [run.id], pinned=not run.pinned)


def _remove(store: Store, owner: Owner, ids: list[str]) -> None:
    if _change(store, owner, ids, deleted=time()):
        st.session_state[keys.RUNS_DELETED] = ids
        st.session_state.pop(keys.TICKED_RUNS, None)
        st.rerun()


def draw_undo(store: Store, owner: Owner) -> None:
    """Draw, after a deletion, the way back."""
    draw_problem()
    deleted = st.session_state.get(keys.RUNS_DELETED)
    if not deleted:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="runs_undo"):
        small(f"{counted(len(deleted), 'run')} deleted. This can be undone until you reload.")
        st.button(
            "Undo",
            type="tertiary",
            icon=":material/undo:",
            on_click=_undo,
            args=(store, owner),
            key="undo_delete",
        )


def _undo(store: Store, owner: Owner) -> None:
    if _change(store, owner, st.session_state.get(keys.RUNS_DELETED, ()), deleted=None):
        st.session_state.pop(keys.RUNS_DELETED, None)
