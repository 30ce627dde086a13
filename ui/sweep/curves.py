"""The curve of every mode over one axis, sampled exactly where its number of calls changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from synth.errors import SynthError
from synth.response_synthesizers.base import PLANNED_CALLS
from synth.what_if import Cliff, Planner, Totals, cliffs
from ui.plan.plan_range import PlanRange
from ui.request.request import Request
from ui.session import workspace
from ui.sweep.axes import Axis, Span

NO_PLAN, UNFINISHED = -1, -2
"""What stands for the number of calls where there is no plan, or one that would not end."""

_GENTLE = 4  # calls between two samples; where there are more, single steps say nothing
_STEPS = 50  # calls of which one more is still worth a word


@dataclass(frozen=True)
class Point:
    """What a mode would do at one value, with short answers and with the longest."""

    x: int
    low: Totals
    high: Totals

    @classmethod
    def of(cls, x: int, outlook: PlanRange) -> Point:
        """The point of these plans, or of what is said in their place."""
        low, high = (
            Totals.of(plan) if plan is not None else Totals.refused(outlook.refused)
            for plan in (outlook.low, outlook.high)
        )
        return cls(x, low, high)

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

    `slope`: somewhere its calls change so often that the steps there are not among the cliffs.
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


def curves(
    axis: Axis, span: Span, requests: Mapping[str, Request], tell: Callable[[float], None]
) -> dict[str, Curve]:
    """The curve of every mode, from memory where nothing that it depends on has changed.

    `tell` hears the share of the modes that are done, again and again while they are planned.
    """
    remembered = workspace.current().remembered
    made: dict[str, Curve] = {}
    for mode, request in requests.items():
        key = (span.low, span.high, axis.neutral(request))
        share = len(made) / len(requests)
        make = partial(_make, axis, span, request, partial(tell, share))
        made[mode] = remembered(f"curves {axis.name}", key, make)
    return made


def _make(axis: Axis, span: Span, request: Request, tell: Callable[[], None]) -> Curve:
    planner = Planner(request.query, request.chunks, dict(request.variables))

    @cache
    def point(x: int) -> Point:
        tell()
        return _point(axis, x, request, planner)

    return curve_of(request.mode, span, point)


def _point(axis: Axis, x: int, request: Request, planner: Planner) -> Point:
    asked, answers, first = axis.asked(request, x), axis.answers(x), axis.first(x)
    least, most = asked.answers if answers is None else (answers, answers)
    try:
        synthesizer = asked.synthesizer()
    except SynthError as error:
        refused = Totals.refused(str(error))
        return Point(x, refused, refused)
    high = planner.totals(synthesizer, most, first)
    return Point(x, high if least == most else planner.totals(synthesizer, least, first), high)


def curve_of(mode: str, span: Span, point: Callable[[int], Point]) -> Curve:
    """The curve of a mode whose points are these, with a point at both sides of every cliff."""
    xs = span.samples()
    low, _ = _exact(lambda x: _calls(point(x).low), xs)
    high, slope = _exact(lambda x: _calls(point(x).high), xs)
    points = tuple(point(x) for x in sorted({*xs, *_edges(low), *_edges(high)}))
    return Curve(mode, points, high, slope)


def _exact(at: Callable[[int], int], xs: Sequence[int]) -> tuple[tuple[Cliff, ...], bool]:
    """The cliffs, from left to right, and whether there are slopes, whose steps are left out."""
    ends = _all_cliffs(lambda x: min(at(x), 0), xs)
    pairs = [
        (left, right)
        for left, right in pairwise(sorted({*xs, *_edges(ends)}))
        if min(at(left), at(right)) >= 0
    ]
    rises = [abs(at(right) - at(left)) for left, right in pairs]
    gentle = [
        pair
        for pair, rise in zip(pairs, rises, strict=True)
        if 0 < rise <= _GENTLE and max(map(at, pair)) <= _STEPS
    ]
    slope = len(gentle) < sum(rise > 0 for rise in rises)
    steps = [cliff for pair in gentle for cliff in _all_cliffs(at, pair)]
    found = [Cliff(end.x, at(end.x - 1), at(end.x)) for end in ends] + steps
    return tuple(sorted(found, key=lambda cliff: cliff.x)), slope


def _all_cliffs(at: Callable[[int], int], xs: Sequence[int]) -> tuple[Cliff, ...]:
    """Every cliff, also of several between two samples."""
    found = cliffs(at, xs)
    while len(more := cliffs(at, sorted({*xs, *_edges(found)}))) > len(found):
        found = more
    return found


def _edges(found: Iterable[Cliff]) -> set[int]:
    """The values on both sides of the cliffs."""
    return {x for cliff in found for x in (cliff.x - 1, cliff.x)}


def _calls(totals: Totals) -> int:
    if totals.problem is None:
        return totals.calls
    # Beyond half of what is planned at most, a plan may have stopped for its length alone.
    return UNFINISHED if 0 < totals.calls <= PLANNED_CALLS // 2 else NO_PLAN
