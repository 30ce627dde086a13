"""The page Import: a file to open, its runs, and the one that was chosen beside our engine."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.text.wording import Bold, counted
from ui.imports import as_recorded, choosing, details, documents, opening, other_modes, verified
from ui.imports.difference import draw_difference
from ui.imports.opened_file import OpenedFile, OpenedRun, opened_file
from ui.imports.recorder import draw_recorder
from ui.imports.upload import draw_upload
from ui.look.elements import box, lead
from ui.look.escape import sentence_html
from ui.views import run_views
from ui.views.run_views import RunView


def draw() -> None:
    """Draw the ways to open a file, or the file that is open."""
    file = opened_file()
    if not file.runs:
        _empty(file)
        return
    if file.shown_as_recorded:
        as_recorded.draw(file)
        return
    _lead(file)
    if file.problem is not None:
        box("This file was not opened.", f"{file.problem} The file before is still shown.")
    choosing.draw(file)
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
        details.draw(file, run)
        draw_recorder(opened=False)
    with explained:  # last, since it may take seconds
        verified.draw_explanations(file, run)


def _columns(name: str) -> list[DeltaGenerator]:
    with st.container(key=f"two_import_{name}"):
        return st.columns([7, 4], gap="medium")


def _empty(file: OpenedFile) -> None:
    with lead():
        words = [
            Bold("Open a run of your own application. "),
            "A trace of LlamaIndex becomes chunks, calls and an answer, checked against our"
            " engine prompt by prompt.",
        ]
        st.html(sentence_html(words, "headline"))
    if file.problem is not None:
        box("This file was not opened.", file.problem)
    with st.container(key="two_upload"):
        left, right = st.columns([5, 6], gap="medium")
    with left:
        draw_upload()
    with right:
        draw_recorder(opened=True)


def _lead(file: OpenedFile) -> None:
    with lead():
        words = [Bold(f"{file.name}: "), f"{counted(len(file.runs), 'recorded run')}."]
        st.html(sentence_html(words, "headline"), width="stretch")
        st.button("Another file", icon=":material/upload_file:", on_click=file.close)


def _recording(run: OpenedRun) -> None:
    """Draw the recorded calls: their budgets where they are verified, else as they are."""
    found = run.verification
    if found is not None and found.first_difference is not None:
        draw_difference(found.first_difference, run.beside.parting)
    if not run.run.calls:
        documents.draw(run.run)
    elif run.verified:
        view = RunView(run.trace, ("imported", run.form, run.run.query))
        run_views.budgets(view, "The recorded calls, in tokens")
        other_modes.draw(run)
    else:
        documents.draw_calls(run.run)
        documents.draw(run.run)
