"""The editor of the chunk that is chosen in the table."""

from __future__ import annotations

from functools import partial

import streamlit as st

from synth.wording import counted
from ui.controls import chunk_changes
from ui.controls.chunk_changes import edit
from ui.look.elements import small
from ui.session import keys
from ui.settings import state
from ui.settings.chunk_list import Chunks, changed, moved, overlap, without

_MOST = 100_000  # characters; a longer text would travel with each click
_TEXT = "chunk_text"


def draw(chunks: Chunks, tokens: list[int]) -> None:
    """What can be done to the open chunk; nothing where none is open."""
    place = st.session_state.get(keys.EDITED_CHUNK)
    if place is None or place >= len(chunks):
        small("Tick a row to edit, move, switch off or delete its chunk.")
        return
    chunk = chunks[place]
    with st.container(border=True, key="chunk_editor"):
        small(
            f"Chunk {place + 1} of {len(chunks):,} · {counted(tokens[place], 'token')} ·"
            f" {counted(len(chunk.text), 'character')} · {chunk.source}"
        )
        if place and (shared := overlap(chunks[place - 1].text, chunk.text)):
            small(f"Its first {shared:,} characters repeat the end of chunk {place}.")
        _buttons(chunks, place)
        if len(chunk.text) > _MOST:
            small(f"Too long to be edited here: {_MOST:,} characters are the most.")
            return
        st.session_state[_TEXT] = chunk.text
        st.text_area(
            "Text of the chunk", key=_TEXT, height=150, on_change=_edit, args=(chunks, place)
        )


def _buttons(chunks: Chunks, place: int) -> None:
    number, on = place + 1, chunks[place].on
    switched = partial(changed, chunks, place, on=not on)
    with st.container(horizontal=True, key="chunk_buttons"):
        st.button(
            "Switch off" if on else "Switch on",
            on_click=lambda: edit(f"chunk {number} switched", switched(), place),
        )
        for label, icon, to in (
            ("Up", ":material/arrow_upward:", place - 1),
            ("Down", ":material/arrow_downward:", place + 1),
        ):
            st.button(
                label,
                icon=icon,
                disabled=not 0 <= to < len(chunks),
                on_click=_move,
                args=(chunks, place, to),
            )
        st.button(
            "Delete",
            icon=":material/delete:",
            on_click=lambda: edit(f"chunk {number} deleted", without(chunks, place)),
        )


def _move(chunks: Chunks, place: int, to: int) -> None:
    edit(f"chunk {place + 1} moved", moved(chunks, place, to), to)


def _edit(chunks: Chunks, place: int) -> None:
    text = st.session_state[_TEXT]
    edit(f"chunk {place + 1} edited", changed(chunks, place, text=text), place)


def undo_button() -> None:
    """The way back from the last change."""
    last = chunk_changes.last()
    if last is not None and last.before != state.get("chunks"):
        st.button(
            "Undo",
            icon=":material/undo:",
            key="undo_chunks",
            help=f"Undo the last change: {last.what}.",
            on_click=chunk_changes.undo,
        )
