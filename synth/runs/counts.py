"""Both counts of each prompt, ours and its server's, and whether the server read less than all.

A server that cuts says nothing: Ollama keeps as many of the last tokens as its window holds, and
since version 0.30 about half as many (llm/llama_server.go of ollama/ollama, read in November 2026).
So all prompts that are cut have one length, that of a window or of half of one, and they are the
longest of their run. Where ours is no sure count, that is believed of ordinary windows alone, and
if the other calls let so many tokens be expected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from synth.prompts.prompt import Span
from synth.runs.calls import CallRecord
from synth.text.spans import Origin

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
