"""The popover for one's own text: a box to paste into, an uploader, and the ways to cut."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from synth.documents import MOST_MEGABYTES, TYPES, Loaded
from synth.documents.cutting import CUSTOM, TOKENS, WAYS
from synth.documents.decoding import MOST_CHUNKS
from synth.errors import SynthError
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.controls import chunk_changes, own_text
from ui.controls.own_text import PasteOutcome, Problem, readable_texts
from ui.look import scripts
from ui.look.elements import error_box, small
from ui.look.scripts import REPORTS_TEXT, TAKES_TEXT
from ui.plans.page_inputs import PageInputs
from ui.session import keys, parts
from ui.settings import model, state
from ui.settings.chunk_list import Chunks

_STAYS: dict[str, Any] = {"persist_state": "session"}
_PASTED = "pasted"


def draw(inputs: PageInputs) -> None:
    """Draw the button that opens the popover, and the popover."""
    with st.container(width="content"):  # a part alone would take all the room beside it
        parts.part("own text", inputs, _values, _draw)


def _values(inputs: PageInputs) -> tuple[bool, str, PasteOutcome]:
    """Whether the popover is open, and what else in it an edit elsewhere changes."""
    is_open = bool(st.session_state.get(keys.OWN_TEXT))
    return is_open, model.tokenizer(inputs.settings), own_text.outcome()


def _draw(inputs: PageInputs, values: tuple[bool, str, PasteOutcome]) -> None:
    _, tokenizer, outcome = values
    with st.popover(
        "Own text",
        type="tertiary",
        icon=":material/content_paste:",
        key=keys.OWN_TEXT,
        on_change="rerun",
    ):
        with st.container(key=TAKES_TEXT):
            with st.container(key=REPORTS_TEXT):
                text = st.text_area(
                    "Text",
                    key=_PASTED,
                    height=140,
                    placeholder="Paste your text here. Ctrl+Enter makes it the chunks.",
                )
                scripts.focus(_PASTED, st.session_state.get(keys.PASTES, 0))
            _ways()
            _use_button(text or "", inputs.settings.chunks, tokenizer)
        _uploader()
        if not (text or "").strip():
            _say(outcome)


def _ways() -> None:
    way = st.radio("Cut it at", WAYS, key="separator", horizontal=True, on_change=_cut, **_STAYS)
    if way == CUSTOM:
        st.text_input(
            "Separator", key="own_separator", help="A line end is \\n.", on_change=_cut, **_STAYS
        )
    if way == TOKENS:
        left, right = st.columns(2, gap="small")
        left.number_input(
            "Tokens per chunk", 1, 100_000, 200, key="split_size", on_change=_cut, **_STAYS
        )
        right.number_input(
            "Overlap, in tokens", 0, 100_000, 20, key="split_overlap", on_change=_cut, **_STAYS
        )
    st.toggle("Append to existing chunks", key="paste_adds", on_change=_cut, **_STAYS)


def _cut() -> None:
    """Cut the latest texts again, unless the choice is meant for a text in the box."""
    if not _text().strip():
        _cut_again()


def _text() -> str:
    """Return what stands in the box; "" where a draw without the box came before the click."""
    text: str = st.session_state.get(_PASTED, "")
    return text


def _cut_again() -> None:
    own_text.cut_again()
    state.redraw_changed()


def _use_button(text: str, before: Chunks, tokenizer: str) -> None:
    """The button that makes the text the chunks, and how many these are, or why it can't."""
    chunks: Chunks | None = None
    problem = ""
    if text.strip():
        try:
            chunks = own_text.chunks_of([Loaded(text, _PASTED)], before)
        except SynthError as error:
            problem = str(error)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _label(chunks),
            key="use_text",
            type="primary" if chunks else "secondary",
            on_click=_take_text,
        )
        if chunks is not None:
            count = get_tokenizer(tokenizer).count
            tokens = sum(count(chunk.text) for chunk in chunks)
            small(f"{counted(len(chunks), 'chunk')} · {counted(tokens, 'token')} · Ctrl+Enter")
    if problem:
        error_box(own_text.CANT_BE_CUT, problem)


def _label(chunks: Chunks | None) -> str:
    verb = "Add" if own_text.appends() else "Use"
    if chunks is None:
        return f"{verb} this text"
    return f"{verb} this chunk" if len(chunks) == 1 else f"{verb} these {len(chunks):,} chunks"


def _take_text() -> None:
    text = _text()
    if not text.strip():
        own_text.refuse(
            Problem("There is no text yet.", "Paste one into the box, or upload files.")
        )
    elif own_text.take([Loaded(text, _PASTED)]):
        st.session_state[_PASTED] = ""  # the browser would send it again with each click
    else:
        chunk_changes.forget_paste()  # the text stays in the box, and the problem below it
    state.redraw_changed()


def _uploader() -> None:
    """The uploader, which takes the files that can be read."""
    draw_uploader(
        "Or upload files",
        TYPES,
        MOST_MEGABYTES,
        _read,
        several=True,
        help="JSON, JSONL and CSV may be dumps of LangChain, LlamaIndex or Haystack.",
    )
    small(
        "One chunk per row of CSV and document of JSON or JSONL: one field of each is read, text"
        " or content, say. One chunk per page of PDF. Other text is cut as chosen above."
        f" Up to {MOST_CHUNKS:,} chunks and 2 MB of text."
    )


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    readable, failed = readable_texts(files)
    problems = [Problem("This file was not read.", problem) for problem in failed]
    if readable:
        own_text.take(readable, problems)
    else:
        own_text.refuse(*problems)
    state.redraw_changed()


def draw_result(inputs: PageInputs) -> None:
    """Draw what came of the latest texts, once they are the chunks."""
    parts.part("result of own text", inputs, _outcome, _draw_result)


def _outcome(_: PageInputs) -> PasteOutcome:
    return own_text.outcome()


def _draw_result(_: PageInputs, outcome: PasteOutcome) -> None:
    if not outcome.result:
        return
    _say(outcome)
    paste = own_text.latest()
    if paste is not None and own_text.has_pages(paste):
        st.toggle(
            "Cut PDF pages too",
            key="cuts_pages",
            help="Off: each page of a PDF is one chunk. On: its text is cut as chosen under"
            " Own text.",
            on_change=_cut_again,
            **_STAYS,
        )


def _say(outcome: PasteOutcome) -> None:
    for problem in outcome.problems:
        error_box(problem.head, problem.reason)
    if outcome.result:
        small(outcome.result)


Taken = Callable[[Sequence[tuple[str, bytes]]], None]


def draw_uploader(
    label: str,
    types: Sequence[str],
    most_megabytes: int,
    take: Taken,
    *,
    several: bool = False,
    **more: Any,
) -> None:
    """Draw the uploader; `take` gets the names and the bytes of the files that were chosen."""
    key = f"{label} {st.session_state.setdefault(keys.UPLOADERS, 0)}"
    st.file_uploader(
        label,
        types,
        accept_multiple_files=several,
        key=key,
        max_upload_size=most_megabytes,
        on_change=_read_files,
        args=(key, take),
        **more,
    )


def _read_files(key: str, take: Taken) -> None:
    chosen = st.session_state[key]
    st.session_state[keys.UPLOADERS] += 1  # for a new uploader, which is empty
    files = chosen if isinstance(chosen, list) else [chosen]
    take([(file.name, file.getvalue()) for file in files if file is not None])
