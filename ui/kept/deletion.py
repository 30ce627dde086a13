"""A workspace is deleted with all that is kept of it, in the database and in memory.

Other servers of the same database learn it within seconds, since they ask.
"""

from contextlib import suppress

import streamlit as st

from ui.history import history as opened
from ui.history import keeping
from ui.history.problems import HistoryError
from ui.history.recorder import unsaved
from ui.session import keys, workspace
from ui.session.workspace import Registry


def delete(id: str) -> None:
    """Delete this workspace now; HistoryError if the database refuses, and then all is as it was.

    Its address opens nothing from now on, and its runs that go on are stopped.
    """
    keeping.delete_workspace(opened.history(), id)
    _take_out(workspace.registry(), id)


def take_out_deleted(registry: Registry) -> None:
    """Take out of memory what was deleted by another server, or because its time was over."""
    ids = [space.id for space in registry.all()]
    if not ids:
        return
    with suppress(HistoryError):  # it is asked again in two seconds
        history = opened.history()
        for id in keeping.deleted(history, ids):
            _take_out(registry, id)
            keeping.delete_workspace(history, id)  # what this server saved in the meantime


def _take_out(registry: Registry, id: str) -> None:
    if (space := registry.remove(id)) is not None:
        space.stop()
    unsaved.forget(id)


def is_deleted(id: str) -> bool:
    """Whether the workspace of this id was deleted; no if the database can't say."""
    with suppress(HistoryError):
        return bool(keeping.deleted(opened.history(), [id]))
    return False


def leave() -> None:
    """Let this tab forget the workspace that it was in, and begin a new one that says so."""
    st.session_state.clear()
    st.session_state[keys.LEFT_DELETED] = True
    st.query_params.from_dict({"w": "new"})
