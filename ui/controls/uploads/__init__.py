"""Uploaded files as texts for chunks: text, Markdown, CSV, JSON, JSON lines, PDF.

A file that can't be used raises a SynthError that names the file and the next action. No file,
however broken, raises anything else. Reading ends at the first text that is too many or too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath

from synth.errors import SynthError
from ui.controls.uploads.decoding import decoded
from ui.controls.uploads.documents import json_file, json_lines
from ui.controls.uploads.loaded import Collected, Loaded
from ui.controls.uploads.pdf import pages
from ui.controls.uploads.tables import csv_rows

__all__ = ["MOST_MEGABYTES", "TYPES", "Loaded", "read_file"]

MOST_MEGABYTES = 20
"""The largest file, of 10**6 bytes as for the widget: PDFs and embeddings are larger than text."""


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


def read_file(name: str, data: bytes) -> list[Loaded]:
    """The texts of one file that are not blank; SynthError if there is none."""
    reader = _READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SynthError(f"{name} can't be read: upload {', '.join(_READERS)} files.")
    if not data:
        raise SynthError(f"{name} is empty: choose a file with text in it.")
    most = MOST_MEGABYTES * 1_000_000
    if len(data) > most:
        raise SynthError(
            f"{name} has {len(data):,} bytes, and {most:,} is the limit: upload a part of it."
        )
    collected = Collected(f"{name} holds")
    collected.add(reader(name, data))
    if not collected.texts:
        raise SynthError(f"{name} holds no text, or only white space: choose another file.")
    return collected.texts
