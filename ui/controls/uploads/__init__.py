"""Uploaded files as texts for chunks: text, Markdown, CSV, JSON, JSON lines, PDF.

A file that can't be used raises a SynthError that names the file and the next action. No file,
however broken, raises anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath

from synth.errors import SynthError
from ui.controls.uploads.decoding import decoded
from ui.controls.uploads.documents import json_file, json_lines
from ui.controls.uploads.loaded import Loaded, require_size, require_together
from ui.controls.uploads.pdf import pages
from ui.controls.uploads.tables import csv_rows

__all__ = [
    "TYPES",
    "Loaded",
    "read_file",
    "readable_texts",
]


def _whole(name: str, data: bytes) -> Iterable[Loaded]:
    return [Loaded(decoded(name, data), name)]


_READERS: Mapping[str, Callable[[str, bytes], Iterable[Loaded]]] = {
    ".txt": _whole,
    ".md": _whole,
    ".csv": csv_rows,
    ".json": json_file,
    ".jsonl": json_lines,
    ".pdf": pages,
}
TYPES = tuple(ending.removeprefix(".") for ending in _READERS)
"""The extensions that can be read, as `st.file_uploader` takes them."""


def readable_texts(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """The texts of all files that can be used together, and the problems of the other files."""
    readable: list[Loaded] = []
    problems: list[str] = []
    for name, data in files:
        try:
            together = [*readable, *read_file(name, data)]
            require_together(together)
        except SynthError as error:
            problems.append(str(error))
        else:
            readable = together
    return readable, problems


def read_file(name: str, data: bytes) -> list[Loaded]:
    """The texts of one file that are not blank; SynthError if there is none."""
    reader = _READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SynthError(f"{name} can't be read: upload {', '.join(_READERS)} files.")
    if not data:
        raise SynthError(f"{name} is empty: choose a file with text in it.")
    texts = [loaded for loaded in reader(name, data) if loaded.text.strip()]
    if not texts:
        raise SynthError(f"{name} holds no text, or only white space: choose another file.")
    require_size(name, (loaded.text for loaded in texts))
    return texts
