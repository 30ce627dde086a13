"""The two ways to open a trace: a file that is dropped, or text that is pasted."""

from __future__ import annotations

import streamlit as st

from ui.imports.opened_file import opened_file
from ui.look.elements import small
from ui.session import keys

_TYPES = ("jsonl", "json", "ndjson", "txt", "log")
_MOST_MEGABYTES = 64
_PASTED = "pasted_trace"


def draw_upload() -> None:
    """Draw the uploader and the box for pasted text."""
    serial = st.session_state.setdefault(keys.UPLOADERS, 0)
    st.file_uploader(
        "Drop a trace",
        _TYPES,
        key=f"trace {serial}",
        max_upload_size=_MOST_MEGABYTES,
        on_change=_read,
    )
    small(
        "OpenInference spans as JSON lines of OpenTelemetry, the exports of Phoenix, OTLP as"
        " JSON, or a trace that Langfuse exported."
    )
    st.text_area("Or paste it", key=_PASTED, height=150, placeholder='{"name": "CompactAndRefine…')
    st.button("Open this text", on_click=_take_text, key="open_text")
    small("Headers, users and keys in a trace are never read. Nothing is sent anywhere.")


def _read() -> None:
    serial = st.session_state[keys.UPLOADERS]
    file = st.session_state[f"trace {serial}"]
    st.session_state[keys.UPLOADERS] = serial + 1  # for a new uploader, which is empty
    if file is not None:
        opened_file().read(file.name, file.getvalue())


def _take_text() -> None:
    opened_file().read("the pasted trace", st.session_state[_PASTED])
