"""The settings that can be varied, one at a time: their words, and the values to look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import Any, NamedTuple

from ui.request import Request
from ui.words import counted

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


@dataclass(frozen=True)
class Axis:
    """One setting to vary; values on it are whole numbers.

    `setting` is its name in the request, `per` how many steps make 1 of the setting, `noun`
    what is counted, if anything. `at` says that a value is taken, `use` the button
    that puts it into the settings. `span` is made of the request and of how many chunks there are.
    """

    name: str
    label: str
    setting: str
    at: str
    span: Callable[[Request, int], Span]
    noun: str = "token"
    use: str | None = None
    per: int = 1

    def text(self, x: int) -> str:
        """The value as it is written: "1,024", or "0.10" for a ratio."""
        return f"{x:,}" if self.per == 1 else f"{x / self.per:.2f}"

    def place(self, x: int) -> str:
        """That the value is taken: "at 1,024 tokens"."""
        return self.at.format(counted(x, self.noun) if self.noun else self.text(x))

    def value(self, x: int) -> int | float:
        """The value as the setting has it."""
        return x if self.per == 1 else x / self.per

    def asked(self, request: Request, x: int) -> Request:
        """The request with this value in the place of its own."""
        if self.setting == "chunks":
            return replace(
                request,
                chunks=request.chunks[:x],
                places=request.places[:x],
                scores=request.scores[:x],
            )
        if self.setting == "answer_tokens":
            return request
        changed: dict[str, Any] = {self.setting: self.value(x)}
        return replace(request, **changed)

    def neutral(self, request: Request) -> Request:
        """What the curves over this axis depend on: no own value, no model that answers."""
        known = request if self.setting == "chunks" else self.asked(request, 1)
        return replace(known, model="")

    def answers(self, x: int) -> int | None:
        """Tokens of every answer, where they are what is varied."""
        return x if self.setting == "answer_tokens" else None

    def first(self, x: int) -> int | None:
        """How many of the chunks are sent, where that is what is varied."""
        return x if self.setting == "chunks" else None


def _below(value: float) -> int:
    """A round number that is not above the value, 1 at least."""
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _above(value: float) -> int:
    """A round number that is not below the value."""
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def _window(request: Request, _: int) -> Span:
    """Around the window; where it is far more than the text, from what the text needs."""
    text = sum(map(len, request.chunks)) / 4  # about as many tokens
    low = min(0.4 * request.window, max(0.4 * text, 2 * request.num_output))
    return Span(_below(low), _above(1.9 * request.window), request.window)


def _num_output(request: Request, _: int) -> Span:
    value = request.num_output
    return Span(_below(value / 4), _above(3 * value), value)


def _overlap(request: Request, _: int) -> Span:
    here = round(100 * request.overlap)
    return Span(0, 50 if here <= 50 else 100, here)


def _chunk_limit(request: Request, _: int) -> Span:
    """No limit is the same as one of the whole window."""
    most = _above(request.window)
    here = most if request.chunk_limit is None else request.chunk_limit
    return Span(_below(min(here / 3, most / 10)), max(most, _above(here)), here)


def _chunks(request: Request, count: int) -> Span:
    return Span(1, count, len(request.chunks))


def _answers(request: Request, _: int) -> Span:
    return Span(1, request.num_output, request.num_output)


AXES = {
    axis.name: axis
    for axis in (
        Axis(
            "window",
            "context window",
            "window",
            "at {}",
            _window,
            use="Use this window",
        ),
        Axis(
            "num_output",
            "num_output",
            "num_output",
            "with {} for an answer",
            _num_output,
            use="Use this num_output",
        ),
        Axis(
            "overlap",
            "overlap ratio",
            "overlap",
            "at an overlap ratio of {}",
            _overlap,
            noun="",
            use="Use this overlap",
            per=100,
        ),
        Axis(
            "chunk_limit",
            "chunk size limit",
            "chunk_limit",
            "with pieces of at most {}",
            _chunk_limit,
            use="Use this limit",
        ),
        Axis(
            "chunks",
            "number of chunks",
            "chunks",
            "with {}",
            _chunks,
            noun="chunk",
            use="Use this number",
        ),
        Axis(
            "answers",
            "length of answers",
            "answer_tokens",
            "with answers of {}",
            _answers,
        ),
    )
}
