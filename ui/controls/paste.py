"""Texts from outside: pasted or uploaded, cut as the person wants, and the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.wording import counted
from ui.controls import chunk_changes
from ui.controls.cutting import CUSTOM, TOKENS, WAYS, Cutting, cut
from ui.controls.uploads import TYPES, Loaded, readable_texts
from ui.look.elements import box, small
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.chunk_list import MOST_CHUNKS, Chunks, from_texts, require_few

_STAYS: dict[str, Any] = {"persist_state": "session"}


class Paste(NamedTuple):
    """The latest texts from outside, and the chunks that were there before them."""

    texts: tuple[Loaded, ...]
    before: Chunks


class Outcome(NamedTuple):
    """What came of the latest text or files: problems, each with a title, and the result."""

    problems: tuple[tuple[str, str], ...]
    result: str = ""


def draw() -> None:
    """Where to cut, the text area, the uploader, and what came of the latest text."""
    _ways()
    st.toggle("Append to existing chunks", key="paste_adds", on_change=_apply, **_STAYS)
    # Emptied as soon as it is read: the browser sends a widget's value with each click.
    st.text_area(
        "Text",
        key="pasted",
        height=140,
        placeholder="Paste text, then click outside to load it.",
        on_change=_take_text,
    )
    _uploader()
    values = workspace.current().values
    outcome: Outcome = values.get(keys.PASTE_OUTCOME, Outcome(()))
    for title, problem in outcome.problems:
        box(title, problem)
    paste: Paste | None = values.get(keys.PASTE)
    if outcome.result:
        small(outcome.result)
    if paste and _has_pages(paste):
        st.toggle(
            "Cut PDF pages too",
            key="cuts_pages",
            help="Off: each page of a PDF is one chunk. On: its text is cut as chosen above.",
            on_change=_apply,
            **_STAYS,
        )
    if outcome.result:
        st.button("Undo paste", icon=":material/undo:", on_click=chunk_changes.undo)


def _has_pages(paste: Paste) -> bool:
    return any(loaded.kind == "page" for loaded in paste.texts)


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


def _take(texts: list[Loaded], problems: tuple[tuple[str, str], ...] = ()) -> None:
    workspace.current().values[keys.PASTE] = Paste(tuple(texts), state.get("chunks"))
    _apply(problems)


def _chunks_in_front(paste: Paste) -> Chunks:
    """The chunks that stay in front of the text, if it is appended."""
    return paste.before if st.session_state.get("paste_adds") else ()


def _apply(problems: tuple[tuple[str, str], ...] = ()) -> None:
    """Cut the latest text with the present choices, and make it the chunks; ends a callback."""
    values = workspace.current().values
    paste: Paste | None = values.get(keys.PASTE)
    if paste is None:
        return
    try:
        new = tuple(chunk for loaded in paste.texts for chunk in _cut(loaded))
        chunks = (*_chunks_in_front(paste), *new)
        require_few(len(chunks), "That would be", "Cut at another place, or into larger chunks.")
    except SynthError as error:
        values[keys.PASTE_OUTCOME] = Outcome((*problems, ("The text can't be cut.", str(error))))
        return
    state.put(chunks=paste.before)
    chunk_changes.change("a text from outside", chunks)
    values[keys.PASTE] = paste
    length = sum(len(loaded.text) for loaded in paste.texts)
    result = f"{counted(length, 'character')} became {counted(len(new), 'chunk')}."
    if _has_pages(paste) and not st.session_state.get("cuts_pages"):
        result += " Each page of a PDF is one chunk."
    values[keys.PASTE_OUTCOME] = Outcome(problems, result)
    parts.follow()


def _cut(loaded: Loaded) -> Chunks:
    """A document or a row is a chunk as it is, and a page unless it is to be cut."""
    session = st.session_state
    if loaded.kind == "document" or (loaded.kind == "page" and not session.get("cuts_pages")):
        return from_texts([loaded.text], loaded.source)
    cutting = Cutting(
        way=session["separator"],
        separator=(session.get("own_separator") or "").replace("\\n", "\n"),
        size=int(session.get("split_size", 200)),
        overlap=int(session.get("split_overlap", 20)),
        encoding=state.get("encoding"),
    )
    return from_texts(cut(loaded.text, cutting), loaded.source)


_MOST_MEGABYTES = 20  # of a file; a PDF is larger than its text, and a dump with embeddings too


def _uploader() -> None:
    """The uploader. It takes the files that can be read, and names the problem of each other."""
    drawn = st.session_state.setdefault(keys.UPLOADERS, 0)
    st.file_uploader(
        "Or upload files",
        TYPES,
        accept_multiple_files=True,
        key=f"files {drawn}",
        max_upload_size=_MOST_MEGABYTES,
        help="JSON, JSONL and CSV may be dumps of LangChain, LlamaIndex or Haystack.",
        on_change=_read,
    )
    small(
        "One chunk per row of CSV, document of JSON or JSONL, and page of PDF; other text is cut"
        f" as chosen above. Up to {MOST_CHUNKS:,} chunks and 2 MB of text."
    )


def _read() -> None:
    drawn = st.session_state[keys.UPLOADERS]
    files = st.session_state[f"files {drawn}"]
    st.session_state[keys.UPLOADERS] = drawn + 1  # a new one, which is empty
    readable, failed = readable_texts((file.name, file.getvalue()) for file in files)
    problems = tuple(("Not read.", problem) for problem in failed)
    if readable:
        _take(readable, problems)
    else:
        workspace.current().values[keys.PASTE_OUTCOME] = Outcome(problems)
