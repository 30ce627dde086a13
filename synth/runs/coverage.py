"""Which characters of which chunk were sent, in which calls, and which never were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from synth.errors import extra
from synth.runs.calls import PlacedCall, Setup
from synth.text.tokens import Tokenizer

if TYPE_CHECKING:
    import pandas as pd


class Stretch(NamedTuple):
    """Characters `start` to `end` of a chunk, the calls that carried them, and how deep."""

    start: int
    end: int
    calls: tuple[int, ...]
    depth: int | None


@dataclass(frozen=True)
class ChunkCoverage:
    """What was sent of one chunk: stretches in order, which together are the whole chunk."""

    number: int
    text: str
    stretches: tuple[Stretch, ...]
    tokenizer: Tokenizer = field(compare=False, repr=False)

    @property
    def lost(self) -> tuple[Stretch, ...]:
        """The stretches that no call carried, white space aside."""
        return tuple(
            part for part in self.stretches if not part.calls and self._shown(part).strip()
        )

    @property
    def lost_characters(self) -> int:
        """Characters that were never sent, without the white space around them."""
        return sum(len(self._shown(part).strip()) for part in self.lost)

    @property
    def lost_tokens(self) -> int:
        """Tokens of the stretches that were never sent."""
        return sum(self.tokenizer.count(self._shown(part)) for part in self.lost)

    @property
    def repeated_tokens(self) -> int:
        """Tokens of the stretches that stand in more than one call."""
        again = (part for part in self.stretches if len(part.calls) > 1)
        return sum(self.tokenizer.count(self._shown(part)) for part in again)

    @cached_property
    def tokens(self) -> int:
        """Tokens of the whole chunk."""
        return self.tokenizer.count(self.text)

    def _shown(self, part: Stretch) -> str:
        return self.text[part.start : part.end]


def coverage(setup: Setup, calls: Iterable[PlacedCall]) -> tuple[ChunkCoverage, ...]:
    """Which calls carried which characters of each chunk, read from the origins of their spans."""
    carried: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    for call in calls:
        for kind, number, start, end in call.origins:
            if kind == "chunk":
                carried[number].append((start, end, call.number, call.depth))
    return tuple(
        ChunkCoverage(number, text, tuple(_stretches(len(text), carried[number])), setup.tokenizer)
        for number, text in enumerate(setup.chunks, 1)
    )


def _stretches(length: int, carried: list[tuple[int, int, int, int]]) -> Iterable[Stretch]:
    """Cut `length` characters wherever a call's share begins or ends."""
    starts, ends = defaultdict(list), defaultdict(list)
    for start, end, number, depth in carried:
        starts[start].append((number, depth))
        ends[end].append((number, depth))
    edges = sorted({0, length, *starts, *ends})
    active: list[tuple[int, int]] = []
    for left, right in pairwise(edges):
        for gone in ends[left]:
            active.remove(gone)
        active += starts[left]
        numbers = tuple(sorted({number for number, _ in active}))
        yield Stretch(left, right, numbers, max((depth for _, depth in active), default=None))


def coverage_frame(chunks: Iterable[ChunkCoverage]) -> pd.DataFrame:
    """One row for each chunk: its tokens, what was lost, what was sent twice, in which calls."""
    with extra("frames"):
        import pandas as pd  # noqa: PLC0415  most runs are never made a table of

    rows = [
        {
            "chunk": chunk.number,
            "tokens": chunk.tokens,
            "lost_tokens": chunk.lost_tokens,
            "lost_characters": chunk.lost_characters,
            "repeated_tokens": chunk.repeated_tokens,
            "calls": ", ".join(
                map(str, sorted({call for part in chunk.stretches for call in part.calls}))
            ),
        }
        for chunk in chunks
    ]
    return pd.DataFrame(rows)
