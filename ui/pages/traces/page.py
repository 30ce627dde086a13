"""The page Import: a file to open, its runs, and the chosen one beside what is computed."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.text.wording import Bold, counted, duration, short
from synth.traces import EXAMPLE, IMPORTED, RECORDER, ImportedRun, capacity
from ui.controls import paste
from ui.imported import opening, recording, verified
from ui.imported.opened_file import OpenedFile, OpenedRun, opened_file
from ui.imported.verified import draw_difference
from ui.look.elements import ROW, Columns, beside, error_box, lead, section, small, table
from ui.views import run_views
from ui.views.run_views import RunView

_EXAMPLE = "Our recording of the incident sample"


def draw() -> None:
    """Draw the ways to open a file, or the file that is open."""
    file = opened_file()
    if not file.runs:
        _empty(file)
        return
    if file.shown_as_recorded:
        recording.draw_as_recorded(file)
        return
    _lead(file)
    if file.problem is not None:
        error_box("This file was not opened.", f"{file.problem} The file before is still shown.")
    _draw_choice(file)
    run = file.shown
    sentence_column, buttons = _columns("head")
    with sentence_column:
        verified.draw_sentence(run)
    with buttons:
        opening.draw(file)
    left, right = _columns("body")
    with left:
        explained = st.container()
        _recording(run)
    with right:
        recording.draw(file, run)
        _draw_recorder(opened=False)
    with explained:  # last, since it may take seconds
        verified.draw_explanations(file, run)


def _columns(name: str) -> list[DeltaGenerator]:
    with st.container(key=f"two_import_{name}"):
        return st.columns([7, 4], gap="medium")


def _empty(file: OpenedFile) -> None:
    words = [
        Bold("Open a run of your own application. "),
        "A trace of LlamaIndex becomes chunks, calls and an answer. This app computes the same"
        " run, and compares every prompt.",
    ]
    with lead(words):
        st.button(
            "Try our example",
            icon=":material/play_circle:",
            on_click=lambda: file.read(_EXAMPLE, EXAMPLE.read_bytes()),
            help="We recorded it: LlamaIndex's compact over the incident sample. The answers are"
            " those of this app's offline model.",
        )
    if file.problem is not None:
        error_box("This file was not opened.", file.problem)
    left, right = beside("upload", 5, 6)
    with left:
        _draw_upload()
    with right:
        _draw_recorder(opened=True)


def _lead(file: OpenedFile) -> None:
    with lead([Bold(f"{file.name}: "), f"{counted(len(file.runs), 'recorded run')}."]):
        st.button("Another file", icon=":material/upload_file:", on_click=file.close)


def _recording(run: OpenedRun) -> None:
    """Draw the recorded calls: their budgets where they are verified, else as they are."""
    found = run.beside.verification
    if found is not None and found.first_difference is not None:
        draw_difference(found.first_difference, run.beside.parting)
    if not run.run.calls:
        recording.draw_documents(run.run)
    elif run.verified:
        view = RunView(run.beside.trace, ("imported", run.form, run.run.query))
        run_views.budgets(view, "The recorded calls, in tokens")
        recording.draw_other_modes(run)
    else:
        recording.draw_calls(run.run)
        recording.draw_documents(run.run)


_KEY = "runs_of_file"
_TALLEST = 8  # rows before the table scrolls
_LETTERS = 90  # of a question


def _draw_choice(file: OpenedFile) -> None:
    """Draw the list of the runs; nothing if there is one."""
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


_TYPES = ("jsonl", "json", "ndjson", "txt", "log", "gz")
_PASTED = "pasted_trace"


def _draw_upload() -> None:
    """Draw the uploader and the box for pasted text."""
    paste.draw_uploader("Drop a trace", _TYPES, capacity.MOST_BYTES // 1_000_000, _read)
    small(
        "OpenInference spans as JSON lines of OpenTelemetry, the exports of Phoenix, OTLP as"
        " JSON, or a trace that Langfuse exported; also packed with gzip."
    )
    st.text_area("Or paste it", key=_PASTED, height=150, placeholder='{"name": "CompactAndRefine…')
    st.button(
        "Open this text",
        on_click=lambda: opened_file().read("the pasted trace", st.session_state[_PASTED]),
        key="open_text",
    )
    small("Headers, users and keys in a trace are never read. Nothing is sent anywhere.")


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    for name, data in files:
        opened_file().read(name, data)


def _draw_recorder(opened: bool) -> None:
    """Draw the recorder in a fold, which is open at first if `opened`."""
    with st.expander("Record a run of your own application", opened, icon=":material/code:"):
        small("Put this where your application starts. Its runs are written into run.jsonl.")
        st.code(RECORDER, language=None)  # the colours of a language are too pale to read
        small("It needs openinference-instrumentation-llama-index and opentelemetry-sdk.")
