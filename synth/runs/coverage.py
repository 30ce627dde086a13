"""Which characters of which chunk were sent, in which calls, and read; and which never were.

A server that cuts a prompt says nothing, so its count is held against ours. Ollama keeps as many of
the last tokens as its window holds, and since version 0.30 about half as many (llm/llama_server.go
of ollama/ollama, read in November 2026). So all prompts that are cut have one length, that of a
window or of half of one, and they are the longest of their run. Where ours is no sure count, that
is believed of ordinary windows alone, and if the other calls let so many tokens be expected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import Literal, NamedTuple

from synth.lazy import defer
from synth.prompts.prompt import Span
from synth.runs.calls import CallRecord, PlacedCall, Setup
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


_SMALLEST, _UNIT = 256, 1_024  # tokens of the least window that is believed in, and of larger ones
_KEPT_AT_START = (0, 1, 4, 5, 24, 25)  # Ollama's num_keep, and a token with which texts begin
_LEAST_RATIO, _MOST_RATIO = 0.4, 2.6  # of another tokenizer's count: 0.49 to 2.32 were found
_CLEARLY = 0.8  # of a sure count, at most, is what a window leaves that is not usual
_ORDINARY = 1.6  # times our estimate, that it counts of ordinary text
_NEAR = 0.95  # times the window, that a prompt which was cut should have by the other calls


class CallCounts(NamedTuple):
    """Our count of a call's prompt, and its server's."""

    number: int
    tokens: int
    server_tokens: int


class ServerCut(NamedTuple):
    """What a server did to these `calls`: it read `read_tokens` of each of about `sent_tokens`."""

    read_tokens: int
    window: int
    calls: tuple[int, ...]
    sent_tokens: tuple[int, ...]

    @property
    def shares(self) -> dict[int, float]:
        """Return the share of each of these prompts that was cut off, by the number of its call."""
        pairs = zip(self.calls, self.sent_tokens, strict=True)
        return {number: 1 - self.read_tokens / tokens for number, tokens in pairs}


@dataclass(frozen=True)
class Counts:
    """The counts of calls whose prompt the server counted; `sure` if ours should be its own."""

    calls: tuple[CallCounts, ...]
    sure: bool = False
    cut: ServerCut | None = None

    @property
    def prompt_tokens(self) -> int:
        """Return our count of all these prompts."""
        return sum(call.tokens for call in self.calls)

    @property
    def server_tokens(self) -> int:
        """Return the server's count of all these prompts."""
        return sum(call.server_tokens for call in self.calls)

    @property
    def equal(self) -> bool:
        """Return whether the server counted, and the same in all calls."""
        return bool(self.calls) and all(call.tokens == call.server_tokens for call in self.calls)

    def factor_beside(self, planned: float) -> float:
        """Return the factor by which a plan counts as the server did, where `planned` was ours."""
        ratio = self.server_tokens / max(1, self.prompt_tokens)
        if self.cut or self.equal or not _LEAST_RATIO <= ratio <= _MOST_RATIO:
            return planned
        return ceil(round(100 * planned * ratio, 6)) / 100


def compare_counts(calls: Sequence[CallRecord], sure: bool, window: int) -> Counts:
    """Set both counts of these calls side by side; `window` is the one that was planned for."""
    pairs = tuple(
        CallCounts(call.number, call.prompt_tokens, call.reported_prompt_tokens)
        for call in calls
        if call.received and call.reported_prompt_tokens is not None
    )
    return Counts(pairs, sure, find_cut(pairs, sure, window))


def find_cut(calls: Sequence[CallCounts], sure: bool, planned: int) -> ServerCut | None:
    """Return the cut that these counts speak for, or None."""
    lengths = sorted(
        {call.server_tokens for call in calls if call.server_tokens >= _SMALLEST}, reverse=True
    )
    found = (
        cut
        for length in lengths
        for window in _windows(length, planned) or [0]
        if (window or length) >= lengths[0]  # else a longer prompt was read whole
        and (cut := _cut_to(calls, length, window, sure)) is not None
    )
    return next(found, None)


def _windows(length: int, planned: int) -> list[int]:
    halved = [2 * length - start - start % 2 for start in _KEPT_AT_START]
    usual = (planned, _SMALLEST, 2 * _SMALLEST)
    return [one for one in (length, *halved) if one in usual or (one > 0 and one % _UNIT == 0)]


def _cut_to(calls: Sequence[CallCounts], length: int, window: int, sure: bool) -> ServerCut | None:
    cut = [
        call
        for call in calls
        if call.server_tokens == length and (call.tokens > length or not sure)
    ]
    whole = [call for call in calls if call not in cut]
    least = min((call.tokens for call in cut), default=0)
    rate = sum(call.server_tokens for call in whole) / (sum(call.tokens for call in whole) or 1)
    if sure:
        rate = 1
        clear = window > 0 or length <= _CLEARLY * least
        against = any(
            call.tokens > least
            or call.server_tokens == length
            or call.server_tokens < _CLEARLY * call.tokens
            for call in whole
        )
    else:
        clear = window > 0 and (rate or _ORDINARY) * least >= _NEAR * window
        against = any(call.tokens > _ORDINARY * least for call in whole)
    if not cut or against or not clear:
        return None
    sent = tuple(max(round((rate or 1) * call.tokens), length + 1, window + 1) for call in cut)
    return ServerCut(length, window or length, tuple(call.number for call in cut), sent)


def unread_origins(spans: Sequence[Span], share: float) -> tuple[Origin, ...]:
    """Return where the text is from in about this share of a prompt, from its start."""
    left = round(share * sum(len(span.text) for span in spans))
    origins: list[Origin] = []
    for span in spans:
        origins += span.text.slice(0, max(0, min(left, len(span.text)))).origins
        left -= len(span.text)
    return tuple(origins)
