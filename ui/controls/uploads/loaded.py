"""What is read from files: texts, where each came from, and how much can be used at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

from synth.errors import SynthError
from ui.settings.chunk_list import MOST_TEXT, require_few

MOST_BYTES = MOST_TEXT
"""The most text with which the page stays usable, in bytes of UTF-8."""

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
        """Bytes of UTF-8."""
        return len(self.text.encode("utf-8", "surrogatepass"))


@dataclass
class Collected:
    """Texts that are read one after the other, until they are more than can be used at once."""

    holder: str
    texts: list[Loaded] = field(default_factory=list)
    size: int = 0

    def add(self, found: Iterable[Loaded]) -> None:
        """Take all of these texts that are not blank, or none of them.

        SynthError, whose message begins with `holder`, at the first text that is too many or too
        long: nothing after it is read.
        """
        texts, size = list(self.texts), self.size
        for loaded in found:
            if loaded.text.strip():
                texts.append(loaded)
                size += loaded.size
                self._require_room(len(texts), size)
        self.texts, self.size = texts, size

    def _require_room(self, count: int, size: int) -> None:
        require_few(count, f"{self.holder} at least", "Upload a part of it.")
        require_size(f"{self.holder} at least", size)


def require_size(holder: str, size: int) -> None:
    """SynthError for texts of more than `MOST_BYTES`; its message begins with `holder`."""
    if size > MOST_BYTES:
        raise SynthError(
            f"{holder} {ceil(size / 1e4) / 100:,} MB of text; at most {MOST_BYTES / 1e6:g} MB can"
            " be used at once. Take a part of it."
        )
