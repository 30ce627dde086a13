"""Which characters of which chunk were sent, in which calls, and read; and which never were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from synth.lazy import defer
from synth.runs.calls import PlacedCall, Setup
from synth.text.spans import Origin
from synth.text.tokenizer import Tokenizer

CoverageKind = Literal["context", "twice", "unread", "lost"]
"""What became of text: sent once or more often, cut off by the server, or in no call."""


class Stretch(NamedTuple):
    """Characters `start` to `end` of a chunk, calls that carried them, calls that cut them."""

    start: int
    end: int
    calls: tuple[int, ...]
    depth: int | None
    unread: tuple[int, ...] = ()

    @property
    def cut_by_server(self) -> bool:
        """Return whether it was sent, and its server read it in no call."""
        return bool(self.calls) and self.unread == self.calls


@dataclass(frozen=True)
class ChunkCoverage:
    """What was sent of one chunk: stretches in order, which together are the whole chunk."""

    number: int
    text: str
    stretches: tuple[Stretch, ...]
    tokenizer: Tokenizer = field(compare=False, repr=False)

    @property
    def lost(self) -> tuple[Stretch, ...]:
        """Return the stretches that no call carried, white space aside."""
        return tuple(part for part in self.stretches if self.kind(part) == "lost")

    @property
    def cut_by_server(self) -> tuple[Stretch, ...]:
        """Return the stretches that were sent and that the server never read, white space aside."""
        return tuple(part for part in self.stretches if self.kind(part) == "unread")

    @property
    def lost_tokens(self) -> int:
        """Count the tokens of the stretches that were never sent."""
        return self._count(self.lost)

    @property
    def cut_by_server_tokens(self) -> int:
        """Count about the tokens of stretches that were sent and that the server never read."""
        return self._count(self.cut_by_server)

    @property
    def repeated_tokens(self) -> int:
        """Count the tokens of the stretches that stand in more than one call."""
        return self._count(part for part in self.stretches if len(part.calls) > 1)

    def _count(self, parts: Iterable[Stretch]) -> int:
        return sum(self.tokenizer.count(self._text_of(part)) for part in parts)

    @defer
    def tokens(self) -> int:
        """Count the tokens of the whole chunk."""
        return self.tokenizer.count(self.text)

    @property
    def texts(self) -> tuple[tuple[str, CoverageKind], ...]:
        """Return the text of each stretch, and what became of it."""
        return tuple((self._text_of(part), self.kind(part)) for part in self.stretches)

    def kind(self, part: Stretch) -> CoverageKind:
        """Return what became of one of its stretches; white space is never missing."""
        if part.calls and not part.cut_by_server:
            return "twice" if len(part.calls) > 1 else "context"
        if not self._text_of(part).strip():
            return "context"
        return "unread" if part.calls else "lost"

    def _text_of(self, part: Stretch) -> str:
        return self.text[part.start : part.end]


class _Carried(NamedTuple):
    start: int
    end: int
    call: int
    depth: int
    unread: bool = False


def coverage(
    setup: Setup,
    calls: Iterable[PlacedCall],
    unread: Mapping[int, tuple[Origin, ...]] | None = None,
) -> tuple[ChunkCoverage, ...]:
    """Read from origins which calls carried what; `unread` is what a server cut, by call."""
    carried: dict[int, list[_Carried]] = defaultdict(list)
    for call in calls:
        cut = (unread or {}).get(call.number, ())
        for origins, is_cut in ((call.origins, False), (cut, True)):
            for kind, number, start, end in origins:
                if kind == "chunk":
                    carried[number].append(_Carried(start, end, call.number, call.depth, is_cut))
    return tuple(
        ChunkCoverage(number, text, tuple(_stretches(len(text), carried[number])), setup.tokenizer)
        for number, text in enumerate(setup.chunks, 1)
    )


def _stretches(length: int, carried: list[_Carried]) -> Iterable[Stretch]:
    starts, ends = defaultdict(list), defaultdict(list)
    for part in carried:
        starts[part.start].append(part)
        ends[part.end].append(part)
    edges = sorted({0, length, *starts, *ends})
    active: list[_Carried] = []
    for left, right in pairwise(edges):
        for gone in ends[left]:
            active.remove(gone)
        active += starts[left]
        calls = sorted({part.call for part in active})
        unread = sorted({part.call for part in active if part.unread})
        depth = max((part.depth for part in active), default=None)
        yield Stretch(left, right, tuple(calls), depth, tuple(unread))
