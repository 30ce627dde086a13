"""From where to where a setting is varied: round numbers around its present value."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import NamedTuple

from ui.request.request import Request

SAMPLES = 40
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_WIDE = 16  # how many times the first value the last may be before the axis is logarithmic


class Span(NamedTuple):
    """Where an axis begins and ends, and where the settings are on it."""

    low: int
    high: int
    here: int

    @property
    def wide(self) -> bool:
        """Whether equal steps would leave nothing to see at its beginning."""
        return 0 < self.low * _WIDE < self.high

    def samples(self) -> tuple[int, ...]:
        """Up to 40 values, evenly spaced, or by equal factors where the span is wide."""
        last = SAMPLES - 1
        if self.wide:
            grow = self.high / self.low
            values = (round(self.low * grow ** (at / last)) for at in range(SAMPLES))
        else:
            step = (self.high - self.low) / last
            values = (round(self.low + step * at) for at in range(SAMPLES))
        return tuple(sorted(set(values)))


def _below(value: float) -> int:
    """A round number that is not above the value, 1 at least."""
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _above(value: float) -> int:
    """A round number that is not below the value."""
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def of_window(request: Request, _: int) -> Span:
    """Around the window; where it is far more than the text, from what the text needs."""
    text = sum(map(len, request.chunks)) / 4  # about as many tokens
    low = min(0.4 * request.window, max(0.4 * text, 2 * request.num_output))
    return Span(_below(low), _above(1.9 * request.window), request.window)


def of_num_output(request: Request, _: int) -> Span:
    """Around num_output, up to where it may well fill the window."""
    value = request.num_output
    return Span(_below(value / 4), _above(3 * value), value)


def of_overlap(request: Request, _: int) -> Span:
    """From none to half, or to all where more than half is set."""
    here = round(100 * request.overlap)
    return Span(0, 50 if here <= 50 else 100, here)


def of_chunk_limit(request: Request, _: int) -> Span:
    """No limit is the same as one of the whole window."""
    most = _above(request.window)
    here = most if request.chunk_limit is None else request.chunk_limit
    return Span(_below(min(here / 3, most / 10)), max(most, _above(here)), here)


def of_chunks(request: Request, count: int) -> Span:
    """From one chunk to all there are."""
    return Span(1, count, len(request.chunks))


def of_answers(request: Request, _: int) -> Span:
    """Up to what num_output leaves room for."""
    return Span(1, request.num_output, request.num_output)
