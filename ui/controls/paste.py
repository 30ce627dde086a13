"""Pasted and uploaded texts: where they are cut, and how they become the chunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.wording import counted
from ui.controls import chunk_changes
from ui.controls.cutting import CUSTOM, TOKENS, WAYS, Cutting, cut
from ui.controls.uploads import TYPES, Loaded, read_file, require_together
from ui.look.elements import box, small
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.chunk_list import MOST_CHUNKS, Chunks, from_texts, require_few

_STAYS: dict[str, Any] = {"persist_state": "session"}


class Paste(NamedTuple):
    """The latest pasted or uploaded texts, and the chunks before them."""

    texts: tuple[Loaded, ...]
    before: Chunks


def draw() -> None:
    """Draw the ways to cut, the text area, the uploader, and the result of the latest texts."""
    _ways()
    st.toggle("Append to existing chunks", key="paste_adds", on_change=_apply, **_STAYS)
    # The area is emptied as soon as it is read: the browser sends its value with each click.
    st.text_area(
        "Text",
        key="pasted",
        height=140,
        placeholder="Paste text, then click outside to load it.",
        on_change=_take_text,
    )
    _uploader()
    values = workspace.current().values
    if problem := values.get(keys.PASTE_PROBLEM):
        box("The text can't be cut.", problem)
    elif paste := values.get(keys.PASTE):
        length = sum(len(loaded.text) for loaded in paste.texts)
        new = len(state.get("chunks")) - len(_chunks_in_front(paste))
        small(f"{counted(length, 'character')} became {counted(new, 'chunk')}.")
        st.button("Undo paste", icon=":material/undo:", on_click=chunk_changes.undo)


def _ways() -> None:
    way = st.radio("Cut it at", WAYS, key="separator", on_change=_apply, **_STAYS)
    if way == CUSTOM:
        st.text_input(
            "Separator", key="own_separator", help="A line end is \\n.", on_change=_apply, **_STAYS
        )
    if way == TOKENS:
        left, right = st.columns(2, gap="small")
        left.number_input(
            "Tokens per chunk", 1, 100_000, 200, key="split_size", on_change=_apply, **_STAYS
        )
        right.number_input(
            "Overlap, in tokens", 0, 100_000, 20, key="split_overlap", on_change=_apply, **_STAYS
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


def _chunks_in_front(paste: Paste) -> Chunks:
    """The chunks that stay before the new ones, if these are appended."""
    return paste.before if st.session_state.get("paste_adds") else ()


def _apply() -> None:
    """Cut the latest texts as chosen and make them the chunks; ends a callback."""
    values = workspace.current().values
    values.pop(keys.PASTE_PROBLEM, None)
    paste: Paste | None = values.get(keys.PASTE)
    if paste is None:
        return
    try:
        new = tuple(chunk for loaded in paste.texts for chunk in _cut(loaded))
        chunks = (*_chunks_in_front(paste), *new)
        require_few(len(chunks), "That would be", "Cut at another place, or into larger chunks.")
    except SynthError as error:
        values[keys.PASTE_PROBLEM] = str(error)
        return
    state.put(chunks=paste.before)
    chunk_changes.change("a pasted or uploaded text", chunks)
    values[keys.PASTE] = paste
    parts.follow()


def _cut(loaded: Loaded) -> Chunks:
    """A row of a table is a chunk as it is; any other text is cut."""
    if is_row(loaded):
        return from_texts([loaded.text], loaded.source)
    session = st.session_state
    cutting = Cutting(
        way=session["separator"],
        separator=(session.get("own_separator") or "").replace("\\n", "\n"),
        size=int(session.get("split_size", 200)),
        overlap=int(session.get("split_overlap", 20)),
        encoding=state.get("encoding"),
    )
    return from_texts(cut(loaded.text, cutting), loaded.source)


_MOST_MEGABYTES = 20  # in a file, since a PDF is larger than its text
_ROWS = (".csv", ".jsonl")


def _uploader() -> None:
    """The uploader, which takes the files that can be read and names the problems of others."""
    serial = st.session_state.setdefault(keys.UPLOADERS, 0)
    st.file_uploader(
        "Or upload files",
        TYPES,
        accept_multiple_files=True,
        key=f"files {serial}",
        max_upload_size=_MOST_MEGABYTES,
        on_change=_read,
    )
    for problem in st.session_state.get(keys.UPLOAD_PROBLEMS, ()):
        box("This file was not read.", problem)
    small(f"CSV and JSONL: one chunk per row. Up to {MOST_CHUNKS:,} chunks and 2 MB of text.")


def _read() -> None:
    serial = st.session_state[keys.UPLOADERS]
    files = st.session_state[f"files {serial}"]
    st.session_state[keys.UPLOADERS] = serial + 1  # for a new uploader, which is empty
    readable, problems = readable_texts((file.name, file.getvalue()) for file in files)
    st.session_state[keys.UPLOAD_PROBLEMS] = problems
    if readable:
        _take(readable)


def readable_texts(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """The texts of all files that can be used together, and the problems of the other files."""
    readable: list[Loaded] = []
    problems: list[str] = []
    for name, data in files:
        try:
            together = [*readable, *read_file(name, data)]
            require_together(together)
        except SynthError as error:
            problems.append(str(error))
        else:
            readable = together
    return readable, problems


def is_row(loaded: Loaded) -> bool:
    """Whether the text is a row or line of a table, and so a chunk as it stands."""
    return loaded.source.rpartition(", ")[0].lower().endswith(_ROWS)
