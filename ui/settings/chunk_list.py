"""The list of chunks as a value, and its changes."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator

from synth.documents.decoding import MOST_TEXT

T = TypeVar("T")


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
    """Return the texts as chunks of one source."""
    return tuple(Chunk(text, source) for text in texts)


def change(chunks: Chunks, position: int, **values: Any) -> Chunks:
    """Give new values to the chunk at this position, counted from 0."""
    return (*chunks[:position], chunks[position]._replace(**values), *chunks[position + 1 :])


def remove(chunks: Sequence[T], position: int) -> tuple[T, ...]:
    """Leave out the chunk at this position, counted from 0."""
    return (*chunks[:position], *chunks[position + 1 :])


def split(chunks: Chunks, position: int, at: int) -> Chunks:
    """Split the chunk at this position after so many characters; no half is ever empty."""
    chunk = chunks[position]
    lines = "\n".join(re.split("\r\n?|\n", chunk.text))  # as a browser counts them
    halves = lines[:at].rstrip(), lines[at:].lstrip()
    if not all(halves):
        return chunks
    parts = (chunk._replace(text=half) for half in halves)
    return (*chunks[:position], *parts, *chunks[position + 1 :])


def move(chunks: Sequence[T], position: int, to: int) -> tuple[T, ...]:
    """Move the chunk at `position` to the position `to`, both counted from 0."""
    rest = remove(chunks, position)
    return (*rest[:to], chunks[position], *rest[to:])
