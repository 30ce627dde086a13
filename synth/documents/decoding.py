"""The text of a file's bytes: UTF-8, UTF-16 with a mark, or Windows-1252; tables."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import ceil
from typing import TYPE_CHECKING, Literal

from synth.errors import SynthError

if TYPE_CHECKING:
    from _csv import Reader


MOST_CHUNKS = 2_000  # the most chunks that can be used at once
MOST_TEXT = 2_000_000  # the most characters of a chunk
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(name: str, data: bytes) -> str:
    """Decode a text file as UTF-8 or UTF-16, else Windows-1252, which is a guess."""
    if data.startswith(_UTF_16):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    if "\0" in text:
        raise SynthError(f"{name} is not a text file: save it as plain text in UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


MOST_BYTES = MOST_TEXT
"""The most text of all chunks together, in bytes of UTF-8: with more the pages become slow."""

Kind = Literal["text", "page", "document"]
"""A text is cut, a page is cut on demand; a document is a chunk already, and so is a row."""


@dataclass(frozen=True)
class Loaded:
    """A text, and the file and location that it came from: "report.pdf, page 3"."""

    text: str
    source: str
    kind: Kind = "text"

    @property
    def size(self) -> int:
        """Count the bytes of UTF-8."""
        return len(self.text.encode("utf-8", "surrogatepass"))


def collect(found: Iterable[Loaded], holder: str, texts: Sequence[Loaded] = ()) -> list[Loaded]:
    """Add to the texts those that are not blank, and all pages; SynthError at the first too many.

    Its message begins with the `holder`.
    """
    collected = list(texts)
    size = sum(text.size for text in texts)
    for loaded in found:
        if loaded.text.strip() or loaded.kind == "page":
            collected.append(loaded)
            size += loaded.size
            require_few(len(collected), f"{holder} at least", "Take a part of it.")
            require_size(f"{holder} at least", size)
    return collected


def require_few(count: int, holder: str, remedy: str) -> None:
    """Raise a SynthError, of `holder` and `remedy`, for more chunks than can be used at once."""
    if count > MOST_CHUNKS:
        raise SynthError(
            f"{holder} {count:,} chunks; at most {MOST_CHUNKS:,} can be used at once. {remedy}"
        )


def require_size(holder: str, size: int) -> None:
    """Raise SynthError for texts of more than `MOST_BYTES`; its message begins with `holder`."""
    if size > MOST_BYTES:
        raise SynthError(
            f"{holder} {ceil(size / 1e4) / 100:,} MB of text; at most {MOST_BYTES / 1e6:g} MB can"
            " be used at once. Take a part of it."
        )


csv.field_size_limit(2**31 - 1)
"""One limit for the whole process: each reader bounds its text, and one cell may hold all of it."""


def table_rows(text: str) -> Reader:
    """Read rows one by one, split as the first line is; csv.Error for quotes that don't match.

    Excel writes `sep=;` above it.
    """
    first, _, rest = text.partition("\n")
    if first.startswith("sep="):
        first, text = first.removeprefix("sep="), rest
    separator = max(",;\t", key=re.sub('"[^"]*"', "", first).count)
    return csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
