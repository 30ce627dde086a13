"""The span over which a setting is varied: round numbers around its present value."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import NamedTuple

from ui.request.request import Request

SAMPLES = 40
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_WIDE = 16  # if the last value is more than so many times the first, the axis is logarithmic


class AxisSpan(NamedTuple):
    """The ends of an axis, and the position of the present setting on it."""

    low: int
    high: int
    current: int

    @property
    def wide(self) -> bool:
        """True if the axis must be logarithmic, so that its beginning can be read."""
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


def of_window(request: Request, _: int) -> AxisSpan:
    """Around the window; if that is far larger than the text, from the size of the text."""
    text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
    low = min(0.4 * request.context_window, max(0.4 * text, 2 * request.num_output))
    return AxisSpan(_below(low), _above(1.9 * request.context_window), request.context_window)


def of_num_output(request: Request, _: int) -> AxisSpan:
    """From a quarter of num_output to three times as much."""
    value = request.num_output
    return AxisSpan(_below(value / 4), _above(3 * value), value)


def of_overlap(request: Request, _: int) -> AxisSpan:
    """From 0 to one half, or to 1 if more than one half is set."""
    current = round(100 * request.chunk_overlap_ratio)
    return AxisSpan(0, 50 if current <= 50 else 100, current)


def of_chunk_limit(request: Request, _: int) -> AxisSpan:
    """Up to the window; no limit is the same as a limit of the whole window."""
    most = _above(request.context_window)
    current = most if request.chunk_size_limit is None else request.chunk_size_limit
    return AxisSpan(_below(min(current / 3, most / 10)), max(most, _above(current)), current)


def of_chunks(request: Request, count: int) -> AxisSpan:
    """From one chunk to all chunks."""
    return AxisSpan(1, count, len(request.text_chunks))


def of_answers(request: Request, _: int) -> AxisSpan:
    """From 1 token to num_output."""
    return AxisSpan(1, request.num_output, request.num_output)
