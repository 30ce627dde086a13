"""The curve of every mode over one axis, sampled exactly where its number of calls changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from synth.base import PLANNED_CALLS
from synth.errors import SynthError
from synth.what_if import Cliff, Planner, Totals, cliffs
from ui import workspace
from ui.planning import SHORT
from ui.request import Request
from ui.what_if.axes import Axis, Span

NO_PLAN, UNFINISHED = -1, -2
"""What stands for the number of calls where there is no plan, or one that would not end."""

_STEPS = 60  # of a curve; one with more is a slope, whose steps say nothing


@dataclass(frozen=True)
class Point:
    """What a mode would do at one value, with short answers and with the longest."""

    x: int
    low: Totals
    high: Totals

    @property
    def calls(self) -> int:
        """Calls with the longest answers, or NO_PLAN or UNFINISHED."""
        return _calls(self.high)

    @property
    def drawn(self) -> bool:
        """Whether there is a value to draw."""
        return self.low.problem is None and self.high.problem is None


@dataclass(frozen=True)
class Curve:
    """A mode's points from left to right, and every cliff of its calls.

    `slope`: its calls change so often that only the ends of the curve are among the cliffs.
    """

    mode: str
    points: tuple[Point, ...]
    cliffs: tuple[Cliff, ...]
    slope: bool = False

    def at(self, x: int) -> Point:
        """The point at a value, or the nearest to the left of it."""
        found = bisect_right(self.points, x, key=lambda point: point.x)
        return self.points[max(0, found - 1)]

    @property
    def ends(self) -> tuple[Cliff, ...]:
        """Where the curve begins or ends within the picture."""
        return tuple(cliff for cliff in self.cliffs if (cliff.before < 0) != (cliff.after < 0))

    @property
    def steps(self) -> tuple[Cliff, ...]:
        """Where one number of calls becomes another."""
        return tuple(cliff for cliff in self.cliffs if min(cliff.before, cliff.after) >= 0)


def curves(axis: Axis, span: Span, requests: Mapping[str, Request]) -> dict[str, Curve]:
    """The curve of every mode, from memory where nothing they depend on has changed."""
    key = (axis.name, span.low, span.high, tuple(axis.neutral(one) for one in requests.values()))
    return workspace.current().remembered("curves", key, lambda: _make(axis, span, requests))


def _make(axis: Axis, span: Span, requests: Mapping[str, Request]) -> dict[str, Curve]:
    planners: dict[tuple[tuple[str, str], ...], Planner] = {}
    made = {}
    for mode, request in requests.items():
        if request.variables not in planners:
            planners[request.variables] = Planner(
                request.query, request.chunks, dict(request.variables)
            )
        made[mode] = _curve(mode, span, _points(axis, request, planners[request.variables]))
    return made


def _points(axis: Axis, request: Request, planner: Planner) -> Callable[[int], Point]:
    """Makes the point at a value, each once."""

    @cache
    def point(x: int) -> Point:
        asked = axis.asked(request, x)
        most = axis.answers(x) or asked.num_output
        least = most if axis.answers(x) else min(SHORT, most)
        try:
            synthesizer = asked.synthesizer()
        except SynthError as error:
            refused = Totals(0, 0, 0, 0, str(error))
            return Point(x, refused, refused)
        first = axis.first(x)
        high = planner.totals(synthesizer, most, first)
        low = high if least == most else planner.totals(synthesizer, least, first)
        return Point(x, low, high)

    return point


def _curve(mode: str, span: Span, point: Callable[[int], Point]) -> Curve:
    xs = span.samples()
    sampled = [point(x) for x in xs]
    slope = max(_variation(sampled, "low"), _variation(sampled, "high")) > _STEPS
    high = _all_cliffs(lambda x: _height(point(x).high, slope), xs)
    low = _all_cliffs(lambda x: _height(point(x).low, slope), xs)
    points = tuple(point(x) for x in sorted({*xs, *_edges(low), *_edges(high)}))
    return Curve(mode, points, high, slope)


def _all_cliffs(at: Callable[[int], int], xs: Sequence[int]) -> tuple[Cliff, ...]:
    """Every cliff, also of several between two samples."""
    found = cliffs(at, xs)
    while len(more := cliffs(at, sorted({*xs, *_edges(found)}))) > len(found):
        found = more
    return found


def _edges(found: Iterable[Cliff]) -> set[int]:
    """The values on both sides of the cliffs."""
    return {x for cliff in found for x in (cliff.x - 1, cliff.x)}


def _variation(points: list[Point], end: str) -> int:
    """By how many calls the curve goes up and down between its samples."""
    calls = [getattr(point, end).calls for point in points]
    return sum(abs(after - before) for before, after in pairwise(calls))


def _height(totals: Totals, slope: bool) -> int:
    """The calls; of a slope only whether there is a plan at all."""
    calls = _calls(totals)
    return min(calls, 0) if slope else calls


def _calls(totals: Totals) -> int:
    if totals.problem is None:
        return totals.calls
    # Beyond half of what is planned at most, a plan may have stopped for its length alone.
    return UNFINISHED if 0 < totals.calls <= PLANNED_CALLS // 2 else NO_PLAN
