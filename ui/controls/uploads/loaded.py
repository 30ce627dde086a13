"""What is read from files: texts, where each came from, and how much can be used at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from synth.errors import SynthError
from ui.settings.chunk_list import require_few

MOST_BYTES = 2_000_000
"""The most text with which the page stays usable, in bytes of UTF-8."""

Kind = Literal["text", "page", "document"]
"""A text is cut, a page is cut on demand; a document is a chunk already, and so is a row."""


@dataclass(frozen=True)
class Loaded:
    """A text, and the file and location that it came from: "report.pdf, page 3"."""

    text: str
    source: str
    kind: Kind = "text"


def require_size(holder: str, texts: Iterable[str]) -> None:
    """SynthError if the texts together are longer than `MOST_BYTES`.

    Its message begins with `holder`, such as the name of a file.
    """
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if size > MOST_BYTES:
        raise SynthError(
            f"{holder} came to {ceil(size / 1e4) / 100:,} MB of text; at most"
            f" {MOST_BYTES / 1e6:g} MB can be used at once. Upload a part of it."
        )


def require_together(texts: Sequence[Loaded]) -> None:
    """SynthError if these texts are more than can be used at once."""
    remedy = "Upload fewer of them, or a part of the longest."
    require_few(len(texts), "These files hold", remedy)
    require_size("All files together", (loaded.text for loaded in texts))
