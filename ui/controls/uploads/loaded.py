"""What is read from files: texts, where each came from, and how much can be used at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from synth.errors import SynthError
from ui.settings.chunk_list import require_few

MOST_BYTES = 2_000_000
"""Bytes of text, as UTF-8, that the page stays usable with."""

Kind = Literal["text", "page", "document"]
"""A text is cut, a page is cut on demand; a document is a chunk already, and so is a row."""


@dataclass(frozen=True)
class Loaded:
    """A text, and the file and place that it came from: "report.pdf, page 3"."""

    text: str
    source: str
    kind: Kind = "text"


def require_size(what: str, texts: Iterable[str]) -> None:
    """SynthError where the texts are longer than the limit together."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if size > MOST_BYTES:
        raise SynthError(
            f"{what} came to {ceil(size / 1e4) / 100:,} MB of text; at most"
            f" {MOST_BYTES / 1e6:g} MB can be used at once. Upload a part of it."
        )


def require_together(found: Sequence[Loaded]) -> None:
    """SynthError where these are more than can be used at once."""
    remedy = "Upload fewer of them, or a part of the longest."
    require_few(len(found), "These files hold", remedy)
    require_size("All files together", (loaded.text for loaded in found))
