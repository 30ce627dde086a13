"""The file that `synth app` was given, which the first session opens as if it was dropped there."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.terminal import FILES
from ui.controls import own_text
from ui.imported.opened_file import opened_file
from ui.pages.runs.actions import show_recorded
from ui.session import browser, workspace
from ui.settings import expected
from ui.workspaces import opening


def take() -> tuple[str, bytes] | None:
    """Take the file into a new workspace, which this tab enters; None but for the first session."""
    if browser.is_own_machine():
        with suppress(IndexError):  # there is none, or another session was faster
            file = FILES.popleft()
            opening.go_to(workspace.registry().find(None))
            return file
    return None


def open_file(name: str, data: bytes) -> Mapping[str, str]:
    """Open the page where such a file belongs; returns why it is none of those that are known."""
    readers = {
        "a workspace": _open_workspace,
        "a trace": _open_trace,
        "chunks": _open_chunks,
        "questions": _open_questions,  # which take any column for one
    }
    problems = {}
    for kind, read in readers.items():
        try:
            page = read(name, data)
            st.switch_page(page, query_params=workspace.address())
        except SynthError as problem:
            problems[kind] = str(problem)
    return problems


def _open_workspace(_: str, data: bytes) -> str:
    opening.go_to(opening.in_new_workspace(data))
    workspace.enter()
    return "app.py"


def _open_trace(name: str, data: bytes) -> str:
    file = opened_file()
    file.read(name, data)
    if file.problem is not None:
        problem, file.problem = file.problem, None
        raise ImportedRunError(problem)
    if len(file.runs) == 1 and file.runs[0].request is not None:
        show_recorded(file.runs[0])
    return "pages/runs.py"


def _open_questions(name: str, data: bytes) -> str:
    expected.take(name, data)
    return "pages/compare.py"


def _open_chunks(name: str, data: bytes) -> str:
    readable, problems = own_text.readable_texts([(name, data)])
    if problems:
        raise SynthError(problems[0])
    own_text.put_texts(readable)
    return "app.py"
