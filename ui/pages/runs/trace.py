"""A trace on Runs: the popover that opens one, its runs, and the chosen one beside ours."""

from collections.abc import Sequence

import streamlit as st

from synth.text.wording import Bold, counted, duration, short
from synth.traces import EXAMPLE, IMPORTED, RECORDER, ImportedRun, capacity
from ui.controls import own_text
from ui.imported import opening, recording, verified
from ui.imported.opened_file import OpenedFile, OpenedRun, opened_file
from ui.imported.verified import draw_difference
from ui.look.elements import ROW, Columns, beside, error_box, lead, section, small, table
from ui.views import run_views

_TYPES = ("jsonl", "json", "ndjson", "txt", "log", "gz")
_POPOVER, _PASTED = "open_trace", "pasted_trace"
_EXAMPLE = "Our recording of the incident sample"


def draw_popover() -> None:
    """Draw the popover that opens a trace: a file, a text, or our example."""
    with st.popover("Open a trace", icon=":material/upload_file:", key=_POPOVER, on_change="rerun"):
        own_text.draw_uploader("Drop a trace", _TYPES, capacity.MOST_BYTES // 1_000_000, _read)
        small(
            "OpenInference spans as JSON lines of OpenTelemetry, the exports of Phoenix, OTLP as"
            " JSON, or a trace that Langfuse exported; also packed with gzip."
        )
        st.text_area("Or paste it", key=_PASTED, height=150, placeholder='{"name": "CompactAndR…')
        st.button(
            "Open this text",
            on_click=lambda: _take("the pasted trace", st.session_state.get(_PASTED, "")),
            key="open_text",
        )
        small("Headers, users and keys in a trace are never read. Nothing is sent anywhere.")
        st.button(
            "Try our example",
            icon=":material/play_circle:",
            on_click=lambda: _take(_EXAMPLE, EXAMPLE.read_bytes()),
            help="We recorded it: LlamaIndex's compact over the incident sample. The answers are"
            " those of this app's offline model.",
        )
        with st.expander("Record a run of your own application", icon=":material/code:"):
            small("Put this where your application starts. Its runs are written into run.jsonl.")
            st.code(RECORDER, language=None)  # the colours of a language are too pale to read
            small("It needs openinference-instrumentation-llama-index and opentelemetry-sdk.")


def draw_problem(file: OpenedFile) -> None:
    """Draw, once, why the latest file was not opened."""
    if file.problem is not None:
        still = " The file before is still shown." if file.runs else ""
        error_box("This file was not opened.", f"{file.problem}{still}")
        file.problem = None


def draw(file: OpenedFile) -> None:
    """Draw the runs of the file that is open, and the one that is chosen."""
    with lead([Bold(f"{file.name}: "), f"{counted(len(file.runs), 'recorded run')}."]):
        st.button("All runs", icon=":material/arrow_back:", on_click=file.close)
        draw_popover()
    draw_problem(file)
    _draw_choice(file)
    run = file.shown
    sentence_column, buttons = beside("trace_head", 7, 4)
    with sentence_column:
        verified.draw_sentence(run)
    with buttons:
        opening.draw(file)
    left, right = beside("trace_body", 7, 4)
    with left:
        explained = st.container()
        _recording(run)
    with right:
        recording.draw(file, run)
    with explained:  # last, since it may take seconds
        verified.draw_explanations(file, run)


def _recording(run: OpenedRun) -> None:
    if run.difference is not None:
        draw_difference(run.difference, run.run.helper.tokenizer)
    if not run.run.calls:
        recording.draw_documents(run.run)
        return
    if run.verified:
        run_views.titled_picture(run.trace, "The recorded calls, in tokens")
        recording.draw_other_modes(run)
    if run.request is None:  # else other pages have them
        recording.draw_calls(run.run)
        recording.draw_documents(run.run)


_KEY = "runs_of_file"
_TALLEST = 8  # rows before the table scrolls
_LETTERS = 90  # of a question


def _draw_choice(file: OpenedFile) -> None:
    if len(file.runs) < 2:
        return
    section("Choose a run")
    table(
        _columns_of([opened.run for opened in file.runs]),
        key=_KEY,
        row_height=ROW,
        height=min(ROW * len(file.runs) + 38, ROW * _TALLEST),
        on_select=lambda: _chosen(file),
        selection_mode="single-row",
        selection_default={"selection": {"rows": [file.position]}},
        alt="The runs of the file; choose a row to see one",
    )


def _chosen(file: OpenedFile) -> None:
    rows = st.session_state[_KEY]["selection"]["rows"]
    if rows and rows[0] < len(file.runs):
        file.position = rows[0]


def _columns_of(runs: list[ImportedRun]) -> Columns:
    return {
        "question": [short(run.query, _LETTERS) for run in runs],
        "mode": [run.mode for run in runs],
        "calls": [len(run.calls) for run in runs],
        "documents": [len(run.chunks) for run in runs],
        "prompt tokens": [run.prompt_tokens for run in runs],
        "output tokens": [run.output_tokens for run in runs],
        "time": [duration(run.seconds) for run in runs],
        "outcome": [_outcome(run) for run in runs],
    }


def _outcome(run: ImportedRun) -> str:
    if run.mode == IMPORTED:
        return "✕ no synthesis known here"
    if any(call.error for call in run.calls):
        return "✕ failed"
    return "✓ done" if run.response is not None else "✕ without an answer"


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    for name, data in files:
        _take(name, data)


def _take(name: str, data: bytes | str) -> None:
    """Open a trace, and close the popover, which would cover what comes of it."""
    opened_file().read(name, data)
    st.session_state[_POPOVER] = False
