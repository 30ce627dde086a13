"""The uploader: of several files the good ones are kept; of the others it says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from synth.errors import SynthError
from ui.controls.uploads import TYPES, Loaded, read_file, require_together
from ui.look.elements import box, small
from ui.session import keys
from ui.settings.chunk_list import MOST_CHUNKS

_MOST_MEGABYTES = 20  # of a file; a PDF is larger than its text
_ROWS = (".csv", ".jsonl")


def draw(take: Callable[[list[Loaded]], None]) -> None:
    """The uploader; `take` gets the texts of the files that could be read."""
    drawn = st.session_state.setdefault(keys.UPLOADERS, 0)
    st.file_uploader(
        "Or upload files",
        TYPES,
        accept_multiple_files=True,
        key=f"files {drawn}",
        max_upload_size=_MOST_MEGABYTES,
        on_change=_read,
        args=(take,),
    )
    for problem in st.session_state.get(keys.UPLOAD_PROBLEMS, ()):
        box("Not read.", problem)
    small(f"A chunk a row of CSV and JSONL; up to {MOST_CHUNKS:,} chunks and 2 MB of text.")


def _read(take: Callable[[list[Loaded]], None]) -> None:
    drawn = st.session_state[keys.UPLOADERS]
    files = st.session_state[f"files {drawn}"]
    st.session_state[keys.UPLOADERS] = drawn + 1  # a new one, which is empty
    found, problems = kept((file.name, file.getvalue()) for file in files)
    st.session_state[keys.UPLOAD_PROBLEMS] = problems
    if found:
        take(found)


def kept(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """The texts of the files that can be read and go together, and what is wrong with others."""
    found: list[Loaded] = []
    problems: list[str] = []
    for name, data in files:
        try:
            together = [*found, *read_file(name, data)]
            require_together(together)
        except SynthError as error:
            problems.append(str(error))
        else:
            found = together
    return found, problems


def is_row(loaded: Loaded) -> bool:
    """Whether the text is a row or line of a table, and so a chunk as it stands."""
    return loaded.source.rpartition(", ")[0].lower().endswith(_ROWS)
