"""The settings that can be varied one at a time, and the curve of every mode over one of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor, log10
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Totals, cliffs, totals
from synth.modes.base import PLANNED_CALLS
from synth.text.wording import counted
from ui.session import workspace
from ui.settings.request import Model, Request

_SAMPLES = 40
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_WIDE = 16  # if the last value is more than so many times the first, the axis is logarithmic
NO_PLAN, UNFINISHED = -1, -2
"""Stand for the number of calls if there is no plan, or if the plan would never end."""
_SECONDS = 0.5  # in which a mode is planned at as many positions as possible
_HALVINGS = 100  # positions beside the samples at which a mode is planned


class AxisSpan(NamedTuple):
    """The ends of an axis, and the position of the present setting on it."""

    low: int
    high: int
    current: int

    @property
    def is_wide(self) -> bool:
        """Whether the axis must be logarithmic, so that its beginning can be read."""
        return 0 < self.low * _WIDE < self.high

    def samples(self) -> tuple[int, ...]:
        """Up to 40 values, evenly spaced, or by equal factors where the span is wide."""
        last = _SAMPLES - 1
        if self.is_wide:
            grow = self.high / self.low
            values = (round(self.low * grow ** (at / last)) for at in range(_SAMPLES))
        else:
            step = (self.high - self.low) / last
            values = (round(self.low + step * at) for at in range(_SAMPLES))
        return tuple(sorted(set(values)))


@dataclass(frozen=True)
class Axis:
    """One setting to vary: its name in the request, the `noun` counted, and its span and phrase."""

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
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _above(value: float) -> int:
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def _window_span(request: Request, _: int) -> AxisSpan:
    """Around the window; if that is far larger or smaller than the text, from or to its size."""
    text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
    low = min(0.4 * request.context_window, max(0.4 * text, 2 * request.num_output))
    high = max(1.9 * request.context_window, 1.5 * text + 2 * request.num_output)
    return AxisSpan(_below(low), _above(high), request.context_window)


def _num_output_span(request: Request, _: int) -> AxisSpan:
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


@dataclass(frozen=True)
class Point:
    """The totals of a mode at one position, with short answers and with the longest."""

    x: int
    low: Totals
    high: Totals

    @property
    def calls(self) -> int:
        """Calls with the longest answers, or NO_PLAN or UNFINISHED."""
        if self.high.problem is None:
            return self.high.calls
        # A plan with more than half of PLANNED_CALLS may have been stopped because it is long.
        return UNFINISHED if 0 < self.high.calls <= PLANNED_CALLS // 2 else NO_PLAN

    @property
    def has_plan(self) -> bool:
        """Whether there is a value to draw."""
        return self.low.problem is None and self.high.problem is None


@dataclass(frozen=True)
class Curve:
    """The points of a mode from left to right, and cliffs of its calls: all, if there are few."""

    mode: str
    points: tuple[Point, ...]
    cliffs: tuple[Cliff, ...]

    def at(self, x: int) -> Point:
        """The point at a position, or the nearest to the left of it."""
        following = bisect_right(self.points, x, key=lambda point: point.x)
        return self.points[max(0, following - 1)]


def curves(axis: Axis, span: AxisSpan, requests: Mapping[str, Request]) -> dict[str, Curve]:
    """Make the curve of every mode, from memory if nothing that it depends on has changed."""
    finished: dict[str, Curve] = {}
    for mode, request in requests.items():
        key = (span.low, span.high, axis.curve_key(request))
        make = partial(curve_of, mode, span, partial(_point, axis, request))
        finished[mode] = workspace.current().remember(f"curves {axis.name}", key, make)
    return finished


def curve_of(mode: str, span: AxisSpan, point: Callable[[int], Point]) -> Curve:
    """The curve of a mode with these points, two of which show each cliff."""
    points: dict[int, Point] = {}

    def calls(x: int) -> int:
        points[x] = point(x)
        return points[x].calls

    found = cliffs(calls, span.samples(), _HALVINGS, _SECONDS)
    return Curve(mode, tuple(points[x] for x in sorted(points)), found)


def _point(axis: Axis, request: Request, x: int) -> Point:
    workspace.give_way()
    changed = axis.request_at(request, x)
    least, most = changed.answers
    try:
        synthesizer = changed.synthesizer()
    except SynthError as error:
        refused = Totals.refuse(str(error))
        return Point(x, refused, refused)
    query, chunks, variables = changed.query_str, changed.text_chunks, dict(changed.variables)
    high = totals(synthesizer, query, chunks, most, variables)
    if high.longest_chain > 1:
        return Point(x, totals(synthesizer, query, chunks, least, variables), high)
    return Point(x, replace(high, output_tokens=least * high.calls), high)  # no call reads another
