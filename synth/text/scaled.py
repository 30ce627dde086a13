"""Counts times a factor: for a server that was seen to count more than the tokenizer at hand."""

from functools import lru_cache
from math import ceil

from synth.text.frames import Frame
from synth.text.tokenizer import ModelTokenizer, Tokenizer


@lru_cache(maxsize=64)
def scaled(counts: Tokenizer, factor: float) -> Tokenizer:
    """Return the tokenizer that counts so many times as much, rounded up, which is an estimate.

    A server that counts needs no factor.
    """
    if factor == 1 or counts.asks:
        return counts

    def times(tokens: int) -> int:
        return ceil(round(tokens * factor, 6))

    def encode(text: str) -> range:
        return range(times(counts.count(text)))

    def frame(roles: tuple[str, ...]) -> Frame | None:
        around = counts.frame(roles)
        return around and around._replace(extra_tokens=times(around.extra_tokens))

    counting = f"{counts.counting}, times {factor:g}"
    return ModelTokenizer(counts.name, Tokenizer(counts.name, encode), counting, False, frame)
