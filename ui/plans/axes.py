"""The settings that can be varied, one at a time, with their names and phrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import Any, NamedTuple

from synth.text.wording import counted
from ui.settings.request import Model, Request

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


@dataclass(frozen=True)
class Axis:
    """One setting to vary, in whole numbers.

    `setting` is its name in the request, `noun` what is counted ("token"), `phrase_form` a text
    with a value. `span` takes the request and the number of chunks.
    """

    name: str
    label: str
    setting: str
    noun: str
    phrase_form: str
    span: Callable[[Request, int], AxisSpan]

    def phrase(self, x: int) -> str:
        """The value as part of a sentence: "at 1,024 tokens"."""
        return self.phrase_form.format(counted(x, self.noun))

    def request_at(self, request: Request, x: int) -> Request:
        """The request with this value instead of its own."""
        if self.setting == "text_chunks":
            return replace(
                request,
                text_chunks=request.text_chunks[:x],
                positions=request.positions[:x],
                scores=request.scores[:x],
            )
        changed: dict[str, Any] = {self.setting: x}
        return replace(request, **changed)

    def curve_key(self, request: Request) -> Request:
        """The request with fixed values for all that the curves do not depend on."""
        fixed = request if self.setting == "text_chunks" else self.request_at(request, 1)
        return replace(fixed, model=Model())


def _below(value: float) -> int:
    """A round number that is not above the value, 1 at least."""
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _above(value: float) -> int:
    """A round number that is not below the value."""
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def _window_span(request: Request, _: int) -> AxisSpan:
    """Around the window; if that is far larger or smaller than the text, from or to its size."""
    text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
    low = min(0.4 * request.context_window, max(0.4 * text, 2 * request.num_output))
    high = max(1.9 * request.context_window, 1.5 * text + 2 * request.num_output)
    return AxisSpan(_below(low), _above(high), request.context_window)


def _num_output_span(request: Request, _: int) -> AxisSpan:
    """From a quarter of num_output to three times as much."""
    value = request.num_output
    return AxisSpan(_below(value / 4), _above(3 * value), value)


def _chunks_span(request: Request, count: int) -> AxisSpan:
    return AxisSpan(1, count, len(request.text_chunks))


_AXES = (
    Axis("window", "context window", "context_window", "token", "at {}", _window_span),
    Axis(
        "num_output", "answer length", "num_output", "token", "with {} an answer", _num_output_span
    ),
    Axis("chunks", "number of chunks", "text_chunks", "chunk", "with {}", _chunks_span),
)
AXES = {axis.name: axis for axis in _AXES}
