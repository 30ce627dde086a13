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

    def reaching(self, x: int) -> AxisSpan:
        """The span, so much longer that x is on it."""
        return self if x <= self.high else self._replace(high=_above(x))

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
    """One setting to vary; positions on the axis are whole numbers.

    `setting` is its name in the request. `scale` positions make 1 of the setting. `noun` is what
    is counted ("token"), or empty. `phrase_form` is a text with a value, `use` what the button
    that puts it into the settings calls it. `span` takes the request and the number of chunks.
    """

    name: str
    label: str
    setting: str
    phrase_form: str
    span: Callable[[Request, int], AxisSpan]
    noun: str = "token"
    use: str | None = None
    scale: int = 1

    def text(self, x: int) -> str:
        """The value alone: "1,024", or "0.10" for a ratio."""
        return f"{x:,}" if self.scale == 1 else f"{x / self.scale:.2f}"

    def phrase(self, x: int) -> str:
        """The value as part of a sentence: "at 1,024 tokens"."""
        return self.phrase_form.format(counted(x, self.noun) if self.noun else self.text(x))

    def value(self, x: int) -> int | float:
        """The value as the setting has it."""
        return x if self.scale == 1 else x / self.scale

    def request_at(self, request: Request, x: int) -> Request:
        """The request with this value instead of its own."""
        if self.setting == "text_chunks":
            return replace(
                request,
                text_chunks=request.text_chunks[:x],
                positions=request.positions[:x],
                scores=request.scores[:x],
            )
        if self.setting == "answer_tokens":
            return request
        changed: dict[str, Any] = {self.setting: self.value(x)}
        return replace(request, **changed)

    def curve_key(self, request: Request) -> Request:
        """The request with fixed values for all that the curves do not depend on."""
        fixed = request if self.setting == "text_chunks" else self.request_at(request, 1)
        return replace(fixed, model=Model())

    def answer_tokens(self, x: int) -> int | None:
        """The length of every answer if that is varied, else None."""
        return x if self.setting == "answer_tokens" else None

    def chunk_count(self, x: int) -> int | None:
        """The number of chunks that are sent if that is varied, else None."""
        return x if self.setting == "text_chunks" else None


def _below(value: float) -> int:
    """A round number that is not above the value, 1 at least."""
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _above(value: float) -> int:
    """A round number that is not below the value."""
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def _window_span(request: Request, _: int) -> AxisSpan:
    """Around the window; if that is far larger than the text, from the size of the text."""
    text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
    low = min(0.4 * request.context_window, max(0.4 * text, 2 * request.num_output))
    return AxisSpan(_below(low), _above(1.9 * request.context_window), request.context_window)


def _num_output_span(request: Request, _: int) -> AxisSpan:
    """From a quarter of num_output to three times as much."""
    value = request.num_output
    return AxisSpan(_below(value / 4), _above(3 * value), value)


def _overlap_span(request: Request, _: int) -> AxisSpan:
    """From 0 to one half, or to 1 if more than one half is set."""
    current = round(100 * request.chunk_overlap_ratio)
    return AxisSpan(0, 50 if current <= 50 else 100, current)


def _chunk_limit_span(request: Request, _: int) -> AxisSpan:
    """Up to the window; no limit is the same as a limit of the whole window."""
    most = _above(request.context_window)
    current = most if request.chunk_size_limit is None else request.chunk_size_limit
    return AxisSpan(_below(min(current / 3, most / 10)), max(most, _above(current)), current)


_AXES = (
    Axis("window", "context window", "context_window", "at {}", _window_span, use="window"),
    Axis(
        "num_output",
        "answer length",
        "num_output",
        "with {} for an answer",
        _num_output_span,
        use="length",
    ),
    Axis(
        "overlap",
        "overlap",
        "chunk_overlap_ratio",
        "at an overlap of {}",
        _overlap_span,
        noun="",
        use="overlap",
        scale=100,
    ),
    Axis(
        "chunk_limit",
        "chunk size limit",
        "chunk_size_limit",
        "with pieces of at most {}",
        _chunk_limit_span,
        use="limit",
    ),
    Axis(
        "chunks",
        "number of chunks",
        "text_chunks",
        "with {}",
        lambda request, count: AxisSpan(1, count, len(request.text_chunks)),
        noun="chunk",
        use="number",
    ),
    Axis(
        "answers",
        "length of answers",
        "answer_tokens",
        "with answers of {}",
        lambda request, _: AxisSpan(1, request.num_output, request.num_output),
    ),
)
AXES = {axis.name: axis for axis in _AXES}


def axis_of(setting: str) -> Axis:
    """The axis that varies this setting."""
    return next(axis for axis in AXES.values() if axis.setting == setting)
