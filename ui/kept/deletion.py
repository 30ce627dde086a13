"""A workspace is deleted with all that is kept of it, in the database and in memory."""

import streamlit as st

from ui.history import history as opened
from ui.history import keeping
from ui.history.recorder import unsaved
from ui.kept.saving import saver
from ui.session import keys, workspace


def delete(id: str) -> None:
    """Delete this workspace now; HistoryError if the database refuses, and then all is as it was.

    Its address opens nothing from now on, and its runs that go on are stopped.
    """
    history = opened.history()
    keeping.delete_workspace(history, id)
    if (space := workspace.registry().remove(id)) is not None:
        space.stop()
    unsaved.forget(id)
    with saver().lock:
        keeping.delete_workspace(history, id)  # what was saved of it meanwhile


def is_deleted(id: str) -> bool:
    """Whether the workspace of this id was deleted since this server started."""
    return id in unsaved.forgotten


def leave() -> None:
    """Let this tab forget the workspace that it was in, and begin a new one that says so."""
    st.session_state.clear()
    st.session_state[keys.LEFT_DELETED] = True
    st.query_params.from_dict({"w": "new"})
