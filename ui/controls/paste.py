"""Texts from outside: pasted or uploaded, cut as asked, and the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.wording import counted
from ui.controls import chunk_changes, upload
from ui.controls.cutting import OWN, TOKENS, WAYS, Cutting, cut
from ui.controls.uploads import Loaded
from ui.look.elements import box, small
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks, from_texts, require_few

_KEPT: dict[str, Any] = {"persist_state": "session"}


class Paste(NamedTuple):
    """The latest texts from outside, and the chunks before them."""

    texts: tuple[Loaded, ...]
    before: Chunks


def draw() -> None:
    """How to cut, the text area, the uploader, and what became of the latest text."""
    _ways()
    st.toggle("Add it after the chunks that are there", key="paste_adds", on_change=_apply, **_KEPT)
    # Emptied as soon as it is read: a long text would travel with each click.
    st.text_area(
        "Text",
        key="pasted",
        height=140,
        placeholder="Paste here; a click elsewhere reads it.",
        on_change=_take_text,
    )
    upload.draw(_take)
    values = workspace.current().values
    if problem := values.get(keys.PASTE_PROBLEM):
        box("It can't be cut.", problem)
    elif paste := values.get(keys.PASTE):
        length = sum(len(loaded.text) for loaded in paste.texts)
        made = len(state.get("chunks")) - len(_stays(paste))
        small(f"{counted(length, 'character')} became {counted(made, 'chunk')}.")
        st.button("Take it back", icon=":material/undo:", on_click=chunk_changes.undo)


def _ways() -> None:
    way = st.radio("Cut it at", WAYS, key="separator", on_change=_apply, **_KEPT)
    if way == OWN:
        st.text_input(
            "Separator", key="own_separator", help="A line end is \\n.", on_change=_apply, **_KEPT
        )
    if way == TOKENS:
        left, right = st.columns(2, gap="small")
        left.number_input(
            "Tokens a chunk", 1, 100_000, 200, key="split_size", on_change=_apply, **_KEPT
        )
        right.number_input(
            "Overlap, in tokens", 0, 100_000, 20, key="split_overlap", on_change=_apply, **_KEPT
        )


def _take_text() -> None:
    text = st.session_state["pasted"]
    st.session_state["pasted"] = ""
    if text.strip():
        _take([Loaded(text, "pasted")])
    else:
        _apply()


def _take(texts: list[Loaded]) -> None:
    workspace.current().values[keys.PASTE] = Paste(tuple(texts), state.get("chunks"))
    _apply()


def _stays(paste: Paste) -> Chunks:
    """The chunks before the text that it is added to."""
    return paste.before if st.session_state.get("paste_adds") else ()


def _apply() -> None:
    """Cut the latest text as it is asked now, for chunks instead of the old; ends a callback."""
    values = workspace.current().values
    values.pop(keys.PASTE_PROBLEM, None)
    paste: Paste | None = values.get(keys.PASTE)
    if paste is None:
        return
    try:
        made = tuple(chunk for loaded in paste.texts for chunk in _cut(loaded))
        chunks = (*_stays(paste), *made)
        require_few(len(chunks), "That would be", "Cut at another place, or into larger chunks.")
    except SynthError as error:
        values[keys.PASTE_PROBLEM] = str(error)
        return
    state.put(chunks=paste.before)
    chunk_changes.change("a text from outside", chunks)
    values[keys.PASTE] = paste
    parts.follow()


def _cut(loaded: Loaded) -> Chunks:
    """Rows of a table are chunks as they stand; all else is cut."""
    if upload.is_row(loaded):
        return from_texts([loaded.text], loaded.source)
    session = st.session_state
    cutting = Cutting(
        way=session["separator"],
        own=(session.get("own_separator") or "").replace("\\n", "\n"),
        size=int(session.get("split_size", 200)),
        overlap=int(session.get("split_overlap", 20)),
        encoding=state.get("encoding"),
    )
    return from_texts(cut(loaded.text, cutting), loaded.source)
