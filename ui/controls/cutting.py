"""The ways to cut a text into chunks: at a separator, or by tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from synth.text_splitter import TokenTextSplitter

CUSTOM = "Custom separator"
TOKENS = "Split by tokens"
SEPARATORS = {
    "Blank line": r"\n[^\S\n]*\n",
    "Line of dashes (---)": r"(?m)^[^\S\n]*-{3,}[^\S\n]*$",
}
WAYS = (*SEPARATORS, CUSTOM, TOKENS)


class Cutting(NamedTuple):
    """One of `WAYS` and its values: a custom separator, or a size and an overlap in tokens."""

    way: str
    separator: str
    size: int
    overlap: int
    encoding: str


def cut(text: str, cutting: Cutting) -> tuple[str, ...]:
    """The text as chunks, without blank ones; SynthError for an overlap beyond the size."""
    text = text.replace("\r\n", "\n")
    if cutting.way == TOKENS:
        splitter = TokenTextSplitter(cutting.size, cutting.overlap, tokenizer=cutting.encoding)
        parts = splitter.split_text(text)
    elif cutting.way in SEPARATORS:
        parts = re.split(SEPARATORS[cutting.way], text)
    else:
        parts = text.split(cutting.separator) if cutting.separator else [text]
    return tuple(part.strip("\n") for part in parts if part.strip())
