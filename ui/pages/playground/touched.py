"""What a person dragged in the picture: the window, the answer's length, the lens, a chunk."""

import streamlit as st

from ui.controls import chunk_changes
from ui.look.scripts import Act, Moved
from ui.session import keys, parts
from ui.settings import state
from ui.settings.schema import MOST_TOKENS

_SETTINGS = {"window": "context_window", "answer": "num_output"}


def take_move(move: Moved) -> None:
    """Change the setting, the order of the chunks or the lens, and draw what that changes.

    The place of a chunk counts among those that are sent. Nothing is done where the browser names
    a chunk that is not there any more, or where the question decides on the order.
    """
    if move.what == "lens":
        st.session_state[keys.LENS] = move.to
        parts.redraw_changed()
        return
    if move.what in _SETTINGS:
        tokens = max(1, min(move.to, MOST_TOKENS))
        state.update(**{_SETTINGS[move.what]: tokens})
        parts.redraw_changed()
        return
    settings = state.current()
    sent = [place for place, chunk in enumerate(settings.chunks) if chunk.on]
    if settings.selection != "all" or not (1 <= move.number <= len(sent)) or move.to < 1:
        return
    place, to = sent[move.number - 1], sent[min(move.to, len(sent)) - 1]
    if place != to:
        chunk_changes.take(settings.chunks, [Act("move", place, to)])
