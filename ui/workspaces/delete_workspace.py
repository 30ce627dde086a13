"""A workspace is deleted with all that is kept of it, in the database and in memory."""

import streamlit as st

from ui.session import keys, workspace
from ui.store.runs import delete_workspace
from ui.store.store import current_store


def delete(id: str) -> None:
    """Delete this workspace now, and stop its runs; StoreError, and all stays, if refused."""
    store = current_store()
    delete_workspace(store, id)
    if (space := workspace.registry().remove(id)) is not None:
        space.stop()
    store.forget(id)
    delete_workspace(store, id)  # what was saved of it meanwhile


def leave() -> None:
    """Let this tab forget the workspace that it was in, and begin a new one that says so."""
    st.session_state.clear()
    st.session_state[keys.LEFT_DELETED] = True
    st.query_params.from_dict({"w": "new"})
