"""The list of chunks as a value: what can be done to it, and what neighbours have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from synth.errors import SynthError

MOST_CHUNKS = 2_000
_LEAST = 8  # characters; fewer agree by chance
_MOST = 4_000  # characters of an overlap that is looked for


class Chunk(NamedTuple):
    """A text, where it came from, and whether it takes part."""

    text: str
    source: str
    on: bool = True


Chunks = tuple[Chunk, ...]


def from_texts(texts: Iterable[str], source: str) -> Chunks:
    """Chunks of one source."""
    return tuple(Chunk(text, source) for text in texts)


def require_few(count: int, what: str, remedy: str) -> None:
    """SynthError where these are more chunks than the pages can show."""
    if count > MOST_CHUNKS:
        raise SynthError(
            f"{what} {count:,} chunks; at most {MOST_CHUNKS:,} can be used at once. {remedy}"
        )


def changed(chunks: Chunks, place: int, **values: Any) -> Chunks:
    """The list with other values in the chunk at this place, counted from 0."""
    return (*chunks[:place], chunks[place]._replace(**values), *chunks[place + 1 :])


def without(chunks: Chunks, place: int) -> Chunks:
    """The list without the chunk at this place."""
    return (*chunks[:place], *chunks[place + 1 :])


def moved(chunks: Chunks, place: int, to: int) -> Chunks:
    """The list with the chunk at `place` taken out and put in at `to`."""
    rest = without(chunks, place)
    return (*rest[:to], chunks[place], *rest[to:])


def overlaps(texts: Sequence[str]) -> list[int]:
    """For each text, how many characters of its start repeat the end of the one before."""
    return [0, *(overlap(before, text) for before, text in pairwise(texts))] if texts else []


def overlap(before: str, text: str) -> int:
    """Characters in the longest end of `before` that is a start of `text`, 4,000 at most."""
    tail = before[-min(_MOST, len(text)) :]
    at = tail.find(text[:_LEAST])
    while 0 <= at <= len(tail) - _LEAST:
        if text.startswith(tail[at:]):
            return len(tail) - at
        at = tail.find(text[:_LEAST], at + 1)
    return 0
