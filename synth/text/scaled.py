"""Counts times a factor: for a server that was seen to count more than the tokenizer at hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from typing_extensions import override

from synth.text.frames import Frame
from synth.text.tokenizer import Tokenizer


class Scaled(Tokenizer):
    """Counts as another tokenizer does, times a factor, rounded up; that is an estimate."""

    sure = False

    def __init__(self, counts: Tokenizer, factor: float) -> None:
        super().__init__(counts.name, list)
        self._counts = counts
        self._factor = factor

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
    def prepare(self, texts: Sequence[str]) -> None:
        self._counts.prepare(texts)

    @override
    def _counted(self, text: str) -> int:
        return self._times(self._counts.count(text))

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
