"""The two ways to open a trace: a file that is dropped, or text that is pasted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.traces import capacity
from ui.controls import paste
from ui.imports.opened_file import opened_file
from ui.look.elements import small

_TYPES = ("jsonl", "json", "ndjson", "txt", "log")
_PASTED = "pasted_trace"


def draw_upload() -> None:
    """Draw the uploader and the box for pasted text."""
    paste._draw_uploader("Drop a trace", _TYPES, capacity.MOST_BYTES // 1_000_000, _read)
    small(
        "OpenInference spans as JSON lines of OpenTelemetry, the exports of Phoenix, OTLP as"
        " JSON, or a trace that Langfuse exported."
    )
    st.text_area("Or paste it", key=_PASTED, height=150, placeholder='{"name": "CompactAndRefine…')
    st.button("Open this text", on_click=_take_text, key="open_text")
    small("Headers, users and keys in a trace are never read. Nothing is sent anywhere.")


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    for name, data in files:
        opened_file().read(name, data)


def _take_text() -> None:
    opened_file().read("the pasted trace", st.session_state[_PASTED])
