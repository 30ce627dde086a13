"""Changes of the chunks. All go through this file, so that the last one can be undone."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks


class Change(NamedTuple):
    """The last change in a few words, and the chunks before it."""

    what: str
    before: Chunks


def last() -> Change | None:
    """The change that can be undone."""
    change: Change | None = workspace.current().values.get(keys.LAST_CHANGE)
    return change


def change(what: str, chunks: Chunks, opened: int | None = None) -> None:
    """Replace the chunks, and open the one at `opened` in the editor."""
    values = workspace.current().values
    values[keys.LAST_CHANGE] = Change(what, state.get("chunks"))
    _forget_paste()  # its cut can't be changed any more without losing this
    state.put(chunks=chunks)
    show(opened)


def edit(what: str, chunks: Chunks, opened: int | None = None) -> None:
    """Change the chunks and draw what shows them; ends a callback."""
    change(what, chunks, opened)
    parts.follow()


def undo() -> None:
    """Take the last change back; ends a callback."""
    values = workspace.current().values
    if (done := values.pop(keys.LAST_CHANGE, None)) is not None:
        _forget_paste()
        state.put(chunks=done.before)
        show(None)
        parts.follow()


def _forget_paste() -> None:
    """Forget the latest text from outside, and what the page says of it."""
    values = workspace.current().values
    values.pop(keys.PASTE, None)
    values.pop(keys.PASTE_OUTCOME, None)


def show(place: int | None) -> None:
    """Open a chunk in the editor, or none; the table is drawn anew, with its row chosen."""
    st.session_state[keys.EDITED_CHUNK] = place
    st.session_state[keys.CHUNK_TABLES] = st.session_state.get(keys.CHUNK_TABLES, 0) + 1
