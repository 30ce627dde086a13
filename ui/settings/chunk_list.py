"""The list of chunks as a value: its changes, and the overlap of neighbours."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator

from synth.documents.decoding import MOST_TEXT

_LEAST = 8  # characters; a shorter overlap may be chance
_MOST = 4_000  # characters of the longest overlap that is found


def _not_too_long(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise ValueError(f"it has {len(text):,} characters, and {MOST_TEXT:,} is the limit")
    return text


# pydantic's own bound refuses half a character
Text = Annotated[str, AfterValidator(_not_too_long)]


class Chunk(NamedTuple):
    """A text, where it came from, and whether it is switched on."""

    text: Text
    source: str
    on: bool = True


Chunks = tuple[Chunk, ...]


def from_texts(texts: Iterable[str], source: str) -> Chunks:
    """The texts as chunks of one source."""
    return tuple(Chunk(text, source) for text in texts)


def changed(chunks: Chunks, position: int, **values: Any) -> Chunks:
    """The list with new values in the chunk at this position, counted from 0."""
    return (*chunks[:position], chunks[position]._replace(**values), *chunks[position + 1 :])


def without(chunks: Chunks, position: int) -> Chunks:
    """The list without the chunk at this position, counted from 0."""
    return (*chunks[:position], *chunks[position + 1 :])


def moved(chunks: Chunks, position: int, to: int) -> Chunks:
    """The list with the chunk at `position` moved to the position `to`, both counted from 0."""
    rest = without(chunks, position)
    return (*rest[:to], chunks[position], *rest[to:])


def overlaps(texts: Sequence[str]) -> list[int]:
    """For each text, how many characters at its start repeat the end of the text before."""
    return [0, *(overlap(before, text) for before, text in pairwise(texts))] if texts else []


def overlap(before: str, text: str) -> int:
    """The length of the longest end of `before` that is a start of `text`; at most 4,000."""
    tail = before[-min(_MOST, len(text)) :]
    start = tail.find(text[:_LEAST])
    while 0 <= start <= len(tail) - _LEAST:
        if text.startswith(tail[start:]):
            return len(tail) - start
        start = tail.find(text[:_LEAST], start + 1)
    return 0
