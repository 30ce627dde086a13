"""Files as texts for chunks: text, Markdown, CSV, JSON, JSON lines, PDF, Word, HTML.

A file that can't be used raises a SynthError that names the file and the next action. No file,
however broken, raises anything else. Reading ends at the first text that is too many or too long.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath

from synth.documents.decoding import Loaded, collect, decode, table_rows
from synth.documents.json_documents import TEXTS, plain, read_documents, read_json
from synth.documents.pdf_word_html import read_html, read_pages, read_word
from synth.errors import SynthError

__all__ = ["MOST_MEGABYTES", "TYPES", "Loaded", "read_file"]

_MOST_WORDS = 4  # of the name of a column

MOST_MEGABYTES = 20
"""The largest file, in 10**6 bytes: PDFs and embeddings are larger than the text in them."""


def _whole(name: str, data: bytes) -> Iterable[Loaded]:
    return [Loaded(decode(name, data), name)]


def read_csv(name: str, data: bytes) -> Iterator[Loaded]:
    """Read the text of each row; commas, semicolons or tabs part the columns.

    Without a header the text is in the column whose first cell is the longest.
    """
    rows = table_rows(decode(name, data).lstrip("\n"))
    try:
        first = next(rows, [])
        header = [column.strip().lower() for column in first]
        texts: Iterable[list[str]] = rows
        if not _is_header(header):
            header = ["text" if cell == max(first, key=len) else "" for cell in first]
            texts = chain([first], rows)
        for number, row in enumerate(filter(None, texts), 1):
            if len(row) != len(header):
                raise csv.Error(f"row {number:,} has {len(row)} columns, the header {len(header)}")
            value = dict(zip(header, row, strict=True)) if len(header) > 1 else row[0]
            yield from read_documents(f"{name}, row {number:,}", value)
    except csv.Error as problem:
        raise SynthError(
            f"{name} can't be read as a table: {problem} (line {rows.line_num:,}). Put texts"
            " with separators or line ends in them between double quotes."
        ) from problem


def _is_header(row: Sequence[str]) -> bool:
    """Say whether a row has the usual name of a text, or no cell that is a number or a sentence."""
    most = _MOST_WORDS if len(row) > 1 else 1
    numbers = (cell.replace(".", "", 1).lstrip("-").isdigit() for cell in row)
    sentences = (len(cell.split()) > most or cell.endswith((".", "!", "?", "。")) for cell in row)
    return any(plain(cell) in TEXTS for cell in row) or not (any(numbers) or any(sentences))


_READERS: Mapping[str, Callable[[str, bytes], Iterable[Loaded]]] = {
    ".txt": _whole,
    ".md": _whole,
    ".csv": read_csv,
    ".json": read_json,
    ".jsonl": read_json,
    ".pdf": read_pages,
    ".docx": read_word,
    ".html": read_html,
    ".htm": read_html,
}
TYPES = tuple(ending.removeprefix(".") for ending in _READERS)
"""The endings of names that can be read, without their dots."""


def read_file(name: str, data: bytes, ending: str | None = None) -> list[Loaded]:
    """Read the texts of a file, by its name's `ending`; SynthError if there is none."""
    reader = _READERS.get(ending or PurePath(name).suffix.lower())
    if reader is None:
        raise SynthError(f"{name} can't be read: give {', '.join(_READERS)} files.")
    if not data:
        raise SynthError(f"{name} is empty: choose a file with text in it.")
    most = MOST_MEGABYTES * 1_000_000
    if len(data) > most:
        raise SynthError(
            f"{name} has {len(data):,} bytes, and {most:,} is the limit: take a part of it."
        )
    texts = collect(reader(name, data), f"{name} holds")
    if not texts:
        raise SynthError(f"{name} holds no text, or only white space: choose another file.")
    return texts
