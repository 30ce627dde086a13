"""A trace on Runs: the place where one is dropped, and a recording beside ours."""

from collections.abc import Sequence

import streamlit as st

from synth.text.wording import Bold, short
from synth.traces import EXAMPLE, capacity
from ui.controls import own_text
from ui.imported import opening, recording, verified
from ui.imported.opened_file import OpenedFile, OpenedRun, opened_file
from ui.imported.verified import draw_difference
from ui.look.elements import draw_columns, error_box, lead, section
from ui.views import calls

_TYPES = ("jsonl", "json", "ndjson", "txt", "log", "gz")
_LETTERS = 90  # of a question
_EXAMPLE = "Our recording of the incident sample"


def draw_drop_zone() -> None:
    """Draw the place where a trace is dropped, and the button that opens our example."""
    with st.container(key="drop_trace"):
        own_text.draw_uploader(
            "Open a trace",
            _TYPES,
            capacity.MOST_BYTES // 1_000_000,
            _read,
            label_visibility="collapsed",
        )
    st.button(
        "Try our example",
        icon=":material/play_circle:",
        on_click=lambda: opened_file().read(_EXAMPLE, EXAMPLE.read_bytes()),
        help="We recorded it: LlamaIndex's compact over the incident sample. The answers are"
        " those of this app's offline model.",
    )


def draw_problem(file: OpenedFile) -> None:
    """Draw, once, why the latest file was not opened."""
    if file.problem is not None:
        error_box("This file was not opened.", file.problem)
        file.problem = None


def draw(file: OpenedFile, run: OpenedRun) -> None:
    """Draw a recording beside what this app computes, and the ways to the other pages."""
    with lead([Bold(f"{run.source}: "), short(run.run.query, _LETTERS)]):
        st.button("All runs", icon=":material/arrow_back:", on_click=file.close)
    sentence_column, buttons = draw_columns("trace_head", 7, 4)
    with sentence_column:
        verified.draw_sentence(run)
    with buttons:
        opening.draw(run)
    left, right = draw_columns("trace_body", 7, 4)
    with left:
        explained = st.container()
        _draw_recording(run)
    with right:
        recording.draw(run)
    with explained:  # last, since it may take seconds
        verified.draw_explanations(file, run)


def _draw_recording(run: OpenedRun) -> None:
    if run.difference is not None:
        draw_difference(run.difference, run.run.helper.tokenizer)
    if run.request is None and run.run.calls:  # else other pages have them
        section(f"The recorded calls · {len(run.run.calls):,}")
        calls.draw(run.trace)


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    for name, data in files:
        opened_file().read(name, data)
