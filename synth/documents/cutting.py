"""How a text is cut into chunks: at blank lines, dashes, a separator, or by tokens."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from synth.text.model_tokenizers import DEFAULT_ENCODING
from synth.text.splitter import TokenTextSplitter

BLANK_LINE = "Blank line"
CUSTOM = "Custom separator"
TOKENS = "Split by tokens"
SEPARATORS = {
    BLANK_LINE: r"\n[^\S\n]*\n",
    "Line of dashes (---)": r"(?m)^[^\S\n]*-{3,}[^\S\n]*$",
}
WAYS = (*SEPARATORS, CUSTOM, TOKENS)

_HEADING = re.compile(r" {0,3}#{1,6}([ \t].*)?")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")


class Cutting(NamedTuple):
    """One of `WAYS` and its values: a custom separator, or a size and an overlap in tokens."""

    way: str = BLANK_LINE
    separator: str = ""
    size: int = 200
    overlap: int = 20
    tokenizer: str = DEFAULT_ENCODING


def cut(text: str, cutting: Cutting) -> tuple[str, ...]:
    """Cut a text into chunks that are not blank; SynthError for an overlap beyond the size."""
    text = text.replace("\r\n", "\n")
    if cutting.way == TOKENS:
        splitter = TokenTextSplitter(cutting.size, cutting.overlap, tokenizer=cutting.tokenizer)
        parts = splitter.split_text(text)
    elif cutting.way in SEPARATORS:
        parts = re.split(SEPARATORS[cutting.way], text)
        if cutting.way == BLANK_LINE:
            parts = _add_headings(parts)
    else:
        parts = text.split(cutting.separator) if cutting.separator else [text]
    return tuple(part.strip("\n") for part in parts if part.strip())


def _add_headings(parts: Iterable[str]) -> list[str]:
    """Keep headings with the paragraph below: alone they tell a model nothing."""
    chunks: list[str] = []
    headings: list[str] = []
    for part in filter(str.strip, parts):
        headings.append(part.strip("\n"))
        if not _is_heading(part):
            chunks.append("\n\n".join(headings))
            headings = []
    if headings:  # at the end, or nothing else
        chunks[-1:] = ["\n\n".join([*chunks[-1:], *headings])]
    return chunks


def _is_heading(part: str) -> bool:
    lines = [line for line in part.split("\n") if line.strip()]
    underlined = len(lines) == 2 and _UNDERLINE.fullmatch(lines[1]) is not None
    return underlined or all(map(_HEADING.fullmatch, lines))
