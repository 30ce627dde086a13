"""What a person changes of a saved run: its name, its note, its pin; deleted, and that undone."""

from collections.abc import Callable, Sequence

import streamlit as st

from synth.text.wording import counted
from ui.history import summaries
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.summaries import Owner
from ui.history.tables import Summary
from ui.look.elements import error_box, small
from ui.session import keys


def draw(history: History, owner: Owner, run: Summary) -> None:
    """Draw what renames, notes, pins and deletes a run."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_actions"):
        _text(history, owner, run, "Rename", "Name", run.name, summaries.rename)
        _text(history, owner, run, "Note", "Note", run.note, summaries.annotate)
        st.button(
            "Unpin" if run.pinned else "Pin",
            type="tertiary",
            on_click=_pin,
            args=(history, owner, run.id, not run.pinned),
            key="pin_run",
        )
        delete(history, owner, [run])


def _text(
    history: History,
    owner: Owner,
    run: Summary,
    label: str,
    field: str,
    value: str,
    change: Callable[[History, Owner, str, str], None],
) -> None:
    """A popover in which a text of the run is edited."""
    key = f"run_{field.lower()} {run.id}"

    def save() -> None:
        _attempt(change, history, owner, run.id, st.session_state[key])

    with st.popover(label, type="tertiary"):
        if field == "Name":
            st.text_input(field, value, max_chars=200, key=key, on_change=save)
        else:
            st.text_area(field, value, max_chars=10_000, height=120, key=key, on_change=save)


def delete(history: History, owner: Owner, runs: Sequence[Summary]) -> None:
    """The button that deletes these runs."""
    st.button(
        "Delete",
        type="tertiary",
        on_click=_remove,
        args=(history, owner, [run.id for run in runs]),
        key="delete_runs",
    )


def _attempt(change: Callable[..., None], *args: object) -> bool:
    """Carry out a change; False if the database refuses it, and the page says why."""
    try:
        change(*args)
    except HistoryError as problem:
        st.session_state[keys.RUNS_PROBLEM] = str(problem)
        return False
    return True


def draw_problem() -> None:
    """Draw, once, why the database refused the latest change."""
    if problem := st.session_state.pop(keys.RUNS_PROBLEM, None):
        error_box("Nothing was changed.", problem)


def _pin(history: History, owner: Owner, run: str, pinned: bool) -> None:
    _attempt(summaries.pin, history, owner, run, pinned)


def _remove(history: History, owner: Owner, ids: list[str]) -> None:
    if _attempt(summaries.remove, history, owner, ids):
        st.session_state[keys.RUNS_DELETED] = ids
        st.session_state.pop(keys.TICKED_RUNS, None)
        st.rerun()


def draw_undo(history: History, owner: Owner) -> None:
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
            args=(history, owner),
            key="undo_delete",
        )


def _undo(history: History, owner: Owner) -> None:
    if _attempt(summaries.restore, history, owner, st.session_state.get(keys.RUNS_DELETED, ())):
        st.session_state.pop(keys.RUNS_DELETED, None)
