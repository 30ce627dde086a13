"""The runs of a file, to choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from synth.text.wording import duration, short
from synth.traces import IMPORTED, ImportedRun
from ui.imports.opened_file import OpenedFile
from ui.look.elements import ROW, section, table

if TYPE_CHECKING:
    import pandas as pd

_KEY = "runs_of_file"
_TALLEST = 8  # rows before the table scrolls
_LETTERS = 90  # of a question


def draw(file: OpenedFile) -> None:
    """Draw the list of the runs; nothing if there is one."""
    if len(file.runs) < 2:
        return
    section("Choose a run")
    table(
        _frame([opened.run for opened in file.runs]),
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


def _frame(runs: list[ImportedRun]) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415  slow to import, and the first page does without

    return pd.DataFrame(
        {
            "question": [short(run.query, _LETTERS) for run in runs],
            "mode": [run.mode for run in runs],
            "calls": [len(run.calls) for run in runs],
            "documents": [len(run.chunks) for run in runs],
            "prompt tokens": [run.prompt_tokens for run in runs],
            "output tokens": [run.output_tokens for run in runs],
            "time": [duration(run.seconds) for run in runs],
            "outcome": [_outcome(run) for run in runs],
        }
    )


def _outcome(run: ImportedRun) -> str:
    if run.mode == IMPORTED:
        return "✕ no synthesis known here"
    if any(call.error for call in run.calls):
        return "✕ failed"
    return "✓ done" if run.response is not None else "✕ without an answer"
