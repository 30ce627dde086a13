"""The pieces of chunks in the prompts of calls, with their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from string import ascii_lowercase
from typing import NamedTuple

from synth.calls import CallRecord, Setup
from synth.spans import Origin

Names = dict[Origin, str]

# The part, by whether the piece holds the beginning of its chunk, and whether the end.
_PARTS = {(True, True): "", (True, False): "start", (False, False): "middle", (False, True): "end"}


class ChunkPiece(NamedTuple):
    """A piece of a chunk in a prompt; `part` is "" (the whole chunk), "start", "middle" or "end".

    `name` is the number of the chunk, with a letter if several calls share the chunk: "3a".
    `tokens` are those of the text.
    """

    chunk: int
    part: str
    name: str
    text: str
    tokens: int

    @property
    def label(self) -> str:
        """The chunk and the part of it: "chunk 4", "chunk 3, end", "chunk 3, end (piece 3b)"."""
        part = f", {self.part}" if self.part else ""
        piece = f" (piece {self.name})" if self.name != f"{self.chunk}" else ""
        return f"chunk {self.chunk}{part}{piece}"


def piece_names(calls: Iterable[CallRecord]) -> Names:
    """The names of all pieces: the chunk's number, and a letter if several calls share it."""
    pieces: dict[int, set[Origin]] = defaultdict(set)
    for call in calls:
        for origin in _chunks(call):
            pieces[origin.number].add(origin)
    names = {}
    for chunk, shared in pieces.items():
        letters = ascii_lowercase if 1 < len(shared) <= len(ascii_lowercase) else [""] * len(shared)
        for origin, letter in zip(sorted(shared), letters, strict=False):
            names[origin] = f"{chunk}{letter}"
    return names


def pieces_in(setup: Setup, calls: Iterable[CallRecord], names: Names) -> tuple[ChunkPiece, ...]:
    """The pieces of chunks in these calls, each once, even if a template holds it twice."""
    origins = dict.fromkeys(origin for call in calls for origin in _chunks(call))
    return tuple(_piece(setup, origin, names[origin]) for origin in origins)


def _chunks(call: CallRecord) -> list[Origin]:
    return [origin for origin in call.origins if origin.kind == "chunk"]


def _piece(setup: Setup, origin: Origin, name: str) -> ChunkPiece:
    """The piece of this origin; one that lacks only white space is the whole chunk."""
    whole = setup.chunks[origin.number - 1]
    text = whole[origin.start : origin.end]
    begins, ends = not whole[: origin.start].strip(), not whole[origin.end :].strip()
    part = _PARTS[begins, ends]
    return ChunkPiece(origin.number, part, name, text, setup.tokenizer.count(text))
