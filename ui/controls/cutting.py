"""Cutting a text into chunks: at a separator, or by tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from synth.text_splitter import TokenTextSplitter

OWN = "Custom separator"
TOKENS = "Split by tokens"
SEPARATORS = {
    "Blank line": r"\n[^\S\n]*\n",
    "Line of dashes (---)": r"(?m)^[^\S\n]*-{3,}[^\S\n]*$",
}
WAYS = (*SEPARATORS, OWN, TOKENS)


class Cutting(NamedTuple):
    """Where to cut: one of `WAYS`, with what it needs; size and overlap are in tokens."""

    way: str
    own: str
    size: int
    overlap: int
    encoding: str


def cut(text: str, cutting: Cutting) -> tuple[str, ...]:
    """The text as chunks, none of them blank; SynthError for an overlap beyond the size."""
    text = text.replace("\r\n", "\n")
    if cutting.way == TOKENS:
        splitter = TokenTextSplitter(cutting.size, cutting.overlap, tokenizer=cutting.encoding)
        parts = splitter.split_text(text)
    elif cutting.way in SEPARATORS:
        parts = re.split(SEPARATORS[cutting.way], text)
    else:
        parts = text.split(cutting.own) if cutting.own else [text]
    return tuple(part.strip("\n") for part in parts if part.strip())
