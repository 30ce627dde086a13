"""Pasting chunks: a text, what it is cut at, and the way back."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from ui import state, workspace
from ui.words import counted, small

OWN = "Own text"
SEPARATORS = {
    "Blank line": r"\n[^\S\n]*\n",
    "Line of dashes (---)": r"(?m)^[^\S\n]*-{3,}[^\S\n]*$",
}


def cut(text: str, separator: str, own: str = "") -> tuple[str, ...]:
    """A pasted text as chunks; what is blank between two separators is none."""
    text = text.replace("\r\n", "\n")
    if separator in SEPARATORS:
        parts = re.split(SEPARATORS[separator], text)
    else:
        parts = text.split(own) if own else [text]
    return tuple(part.strip("\n") for part in parts if part.strip())


def draw() -> None:
    """The text area, emptied as soon as it is read: a long text would travel with each click."""
    kept: dict[str, Any] = {"on_change": _apply, "persist_state": "session"}
    separator = st.radio("Cut it at", [*SEPARATORS, OWN], key="separator", **kept)
    if separator == OWN:
        st.text_input("Separator", key="own_separator", help="A line end is \\n.", **kept)
    st.toggle("Add it after the chunks that are there", key="paste_adds", **kept)
    st.text_area(
        "Text",
        key="pasted",
        height=140,
        placeholder="Paste here; a click elsewhere reads it.",
        on_change=_take,
    )
    values = workspace.current().values
    if text := values.get("paste"):
        made = counted(len(_cut(text)), "chunk")
        small(f"{len(text):,} characters became {made}.")
        st.button("Take it back", icon=":material/undo:", on_click=_undo)


def _take() -> None:
    values = workspace.current().values
    if st.session_state["pasted"].strip():
        values |= {"paste": st.session_state["pasted"], "before_paste": state.get("chunks")}
    st.session_state["pasted"] = ""
    _apply()


def _cut(text: str) -> tuple[str, ...]:
    own = st.session_state.get("own_separator") or ""
    return cut(text, st.session_state["separator"], own.replace("\\n", "\n"))


def _apply() -> None:
    """Cut the latest paste as it is asked now, and put the chunks in their place."""
    values = workspace.current().values
    if text := values.get("paste"):
        kept = values["before_paste"] if st.session_state["paste_adds"] else ()
        state.put(chunks=(*kept, *_cut(text)))


def _undo() -> None:
    values = workspace.current().values
    state.put(chunks=values.pop("before_paste"))
    del values["paste"]
