"""Uploaded files as texts for chunks: plain text, Markdown, CSV, JSON lines, PDF.

A file that can't be used raises a SynthError that names the file and the next action. No file,
however broken, raises anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from synth.errors import SynthError
from ui.controls.uploads.decoding import decoded, require_size
from ui.controls.uploads.pdf import pages
from ui.controls.uploads.tables import csv_rows, json_lines
from ui.settings.chunk_list import require_few

__all__ = [
    "TYPES",
    "Loaded",
    "read_file",
    "require_together",
]

LocatedTexts = Iterable[tuple[str, str]]
"""Texts, each after its location in the file: "page 3", or "" if the file is one text."""


@dataclass(frozen=True)
class Loaded:
    """A text, and the file and location that it came from: "report.pdf, page 3"."""

    text: str
    source: str


def _whole(name: str, data: bytes) -> LocatedTexts:
    return [("", decoded(name, data))]


_READERS: Mapping[str, Callable[[str, bytes], LocatedTexts]] = {
    ".txt": _whole,
    ".md": _whole,
    ".csv": csv_rows,
    ".jsonl": json_lines,
    ".pdf": pages,
}
TYPES = tuple(ending.removeprefix(".") for ending in _READERS)
"""The extensions that can be read, as `st.file_uploader` takes them."""


def require_together(texts: Sequence[Loaded]) -> None:
    """SynthError if these texts are more than can be used at once."""
    remedy = "Upload fewer of them, or a part of the longest."
    require_few(len(texts), "These files hold", remedy)
    require_size("All files together", (loaded.text for loaded in texts))


def read_file(name: str, data: bytes) -> list[Loaded]:
    """The texts of one file that are not blank; SynthError if there is none."""
    reader = _READERS.get(PurePath(name).suffix.lower())
    if reader is None:
        raise SynthError(f"{name} can't be read: upload {', '.join(_READERS)} files.")
    if not data:
        raise SynthError(f"{name} is empty: choose a file with text in it.")
    texts = [(location, text) for location, text in reader(name, data) if text.strip()]
    if not texts:
        raise SynthError(f"{name} holds nothing but white space: choose a file with text in it.")
    return [Loaded(text, f"{name}, {location}" if location else name) for location, text in texts]
