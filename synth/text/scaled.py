"""Counts times a factor: for a server that was seen to count more than the tokenizer at hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil

from typing_extensions import override

from synth.text.frames import Frame
from synth.text.tokenizer import Chat, Tokenizer


class Scaled(Tokenizer):
    """Counts as another tokenizer does, times a factor, rounded up; that is an estimate."""

    sure = False

    def __init__(self, counts: Tokenizer, factor: float) -> None:
        super().__init__(counts.name, list)
        self._counts = counts
        self._factor = factor
        self.asks = counts.asks

    @property
    @override
    def counting(self) -> str:
        return f"{self._counts.counting}, times {self._factor:g}"

    @property
    @override
    def text_only(self) -> Tokenizer:
        return scaled(self._counts.text_only, self._factor)

    @override
    def frame(self, roles: tuple[str, ...]) -> Frame | None:
        frame = self._counts.frame(roles)
        return frame and frame._replace(extra_tokens=self._times(frame.extra_tokens))

    @override
    def count(self, text: str) -> int:
        return self._times(self._counts.count(text))

    @override
    def count_chat(self, chat: Chat) -> int | None:
        tokens = self._counts.count_chat(chat)
        return None if tokens is None else self._times(tokens)

    @override
    def counts(self, texts: Iterable[str]) -> list[int]:
        return list(map(self._times, self._counts.counts(texts)))

    @override
    def estimate(self, text: str) -> int:
        return self._times(self._counts.estimate(text))

    def _times(self, tokens: int) -> int:
        return ceil(round(tokens * self._factor, 6))

    @override
    def with_special_tokens(self) -> Tokenizer:
        return scaled(self._counts.with_special_tokens(), self._factor)

    @override
    def with_schema(self) -> Tokenizer:
        return scaled(self._counts.with_schema(), self._factor)


@lru_cache(maxsize=64)
def scaled(counts: Tokenizer, factor: float) -> Tokenizer:
    """Return the tokenizer that counts so many times as much; the same one each time."""
    return counts if factor == 1 else Scaled(counts, factor)
