"""Pasting chunks: a text, a separator, and what would come of it."""

from __future__ import annotations

import re

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
    st.text_area("Text; Ctrl+Enter reads it", key="pasted", height=140, on_change=_take)
    separator = st.radio("Cut it at", [*SEPARATORS, OWN], key="separator", persist_state="session")
    own = ""
    if separator == OWN:
        own = st.text_input("Separator", key="own_separator", persist_state="session") or ""
    draft = workspace.current().values.get("draft", "")
    if not draft:
        return
    chunks = cut(draft, str(separator), own)
    small(f"{len(draft):,} characters, {counted(len(chunks), 'chunk')} with this separator.")
    with st.container(horizontal=True):
        st.button("Replace all chunks", type="primary", on_click=_use, args=(chunks, False))
        st.button("Add at the end", on_click=_use, args=(chunks, True))


def _take() -> None:
    workspace.current().values["draft"] = st.session_state["pasted"]
    st.session_state["pasted"] = ""


def _use(chunks: tuple[str, ...], add: bool) -> None:
    state.put(chunks=(*state.get("chunks"), *chunks) if add else chunks)
    workspace.current().values["draft"] = ""
