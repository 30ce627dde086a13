"""The changes of the chunks, which all go through this file so that the last can be undone."""

from typing import NamedTuple

import streamlit as st

from ui.session import keys, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks


class ChunkChange(NamedTuple):
    """The last change in a few words, the chunks before it, and the question that it removed."""

    label: str
    before: Chunks
    question: str | None


def last() -> ChunkChange | None:
    """The last change, if there is one to be undone."""
    return workspace.value(keys.LAST_CHANGE, None)


def change(
    label: str, chunks: Chunks, opened: int | None = None, question: str | None = None
) -> None:
    """Replace the chunks and open one in the editor; `question` is one that the caller removes."""
    values = workspace.current().values
    values[keys.LAST_CHANGE] = ChunkChange(label, state.current().chunks, question)
    values.pop(keys.PASTE_OUTCOME, None)
    state.update(chunks=chunks)
    show(opened)


def edit(label: str, chunks: Chunks, opened: int | None = None) -> None:
    """Replace the chunks and draw the parts that show them; ends a callback."""
    change(label, chunks, opened)
    state.redraw_changed()


def undo() -> None:
    """Undo the last change; ends a callback."""
    values = workspace.current().values
    if (last_change := values.pop(keys.LAST_CHANGE, None)) is not None:
        values.pop(keys.PASTE_OUTCOME, None)
        state.update(chunks=last_change.before)
        show(None)
        if last_change.question is not None and not state.current().query_str.strip():
            state.update_and_rerun(query_str=last_change.question)
        state.redraw_changed()


def show(position: int | None) -> None:
    """Open the chunk at this position in the editor, or none, and select its row in a new table."""
    st.session_state[keys.EDITED_CHUNK] = position
    st.session_state[keys.CHUNK_TABLES] = st.session_state.get(keys.CHUNK_TABLES, 0) + 1
