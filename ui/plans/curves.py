"""The curve of every mode over one axis, with samples where its number of calls changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import pairwise

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Planner, Totals, cliffs
from synth.modes.base import PLANNED_CALLS
from ui.plans.axes import Axis, AxisSpan
from ui.session.apart import TookTooMuch, remembered_in_time
from ui.settings.request import Request

NO_PLAN, UNFINISHED = -1, -2
"""Stand for the number of calls if there is no plan, or if the plan would never end."""

_WORTH = 50  # a rise by less than one in so many calls is drawn without its single steps
_SPLITS = 100  # positions beside the samples at which a mode is planned


@dataclass(frozen=True)
class Point:
    """The totals of a mode at one position, with short answers and with the longest."""

    x: int
    low: Totals
    high: Totals

    @property
    def calls(self) -> int:
        """Calls with the longest answers, or NO_PLAN or UNFINISHED."""
        return _calls(self.high)

    @property
    def drawn(self) -> bool:
        """True if there is a value to draw."""
        return self.low.problem is None and self.high.problem is None


@dataclass(frozen=True)
class Curve:
    """The points of a mode from left to right, and the cliffs of its number of calls.

    Where its calls change at almost every value, some steps are not in `cliffs`.
    """

    mode: str
    points: tuple[Point, ...]
    cliffs: tuple[Cliff, ...]

    def at(self, x: int) -> Point:
        """The point at a position, or the nearest to the left of it."""
        following = bisect_right(self.points, x, key=lambda point: point.x)
        return self.points[max(0, following - 1)]

    @property
    def ends(self) -> tuple[Cliff, ...]:
        """The cliffs at which the curve begins or ends inside the span."""
        return tuple(cliff for cliff in self.cliffs if (cliff.before < 0) != (cliff.after < 0))


def curves(
    axis: Axis, span: AxisSpan, requests: Mapping[str, Request], report: Callable[[float], None]
) -> dict[str, Curve]:
    """The curve of every mode, from memory if nothing that it depends on has changed.

    `report` is called before each mode with the share of those that are done, from 0 to 1.
    """
    finished: dict[str, Curve] = {}
    for mode, request in requests.items():
        key = (span.low, span.high, axis.curve_key(request))
        report(len(finished) / len(requests))
        finished[mode] = remembered_in_time(
            f"curves {axis.name}",
            key,
            request.work_apart,
            partial(_too_long, span, mode),
            _computed,
            axis,
            span,
            request,
        )
    return finished


def _too_long(span: AxisSpan, mode: str, problem: TookTooMuch) -> Curve:
    refused = Totals.refused(f"Planning it at every value {problem}: send fewer chunks.")
    return Curve(mode, tuple(Point(x, refused, refused) for x in span[:2]), ())


def _computed(axis: Axis, span: AxisSpan, request: Request) -> Curve:
    return curve_of(request.mode, span, _totals_along(axis, request))


def _totals_along(axis: Axis, request: Request) -> Callable[[int, int], Totals]:
    """The totals at a position, with short answers (0) or with the longest (1)."""
    planner = Planner(request.query_str, request.text_chunks, dict(request.variables))

    @cache
    def planned(x: int, answer_tokens: int) -> Totals:
        try:
            synthesizer = axis.request_at(request, x).synthesizer()
        except SynthError as error:
            return Totals.refused(str(error))
        return planner.totals(synthesizer, answer_tokens, axis.chunk_count(x))

    def totals(x: int, longest: int) -> Totals:
        return planned(x, axis.request_at(request, x).answers[longest])

    return totals


def curve_of(mode: str, span: AxisSpan, totals: Callable[[int, int], Totals]) -> Curve:
    """The curve of a mode with these totals, with points at both sides of every cliff."""
    cliffs, xs = _exact(cache(lambda x: _calls(totals(x, 1))), span.samples())
    points = tuple(Point(x, totals(x, 0), totals(x, 1)) for x in sorted(xs))
    return Curve(mode, points, cliffs)


def _exact(at: Callable[[int], int], xs: Sequence[int]) -> tuple[tuple[Cliff, ...], set[int]]:
    """Halve what lies between two samples, the highest rise first, until each step is found.

    Returns the cliffs from left to right, and the positions that show them.
    """
    known = {*xs, *_edges(_all_cliffs(lambda x: min(at(x), 0), xs))}
    most = len(known) + _SPLITS
    rises: list[tuple[int, int, int]] = []

    def note(left: int, right: int) -> None:
        lesser, greater = sorted((at(left), at(right)))
        worth = 0 <= lesser < greater <= _WORTH * (greater - lesser)
        if worth and right - left > 1:
            heappush(rises, (lesser - greater, left, right))

    for left, right in pairwise(sorted(known)):
        note(left, right)
    while rises and len(known) < most:
        _, left, right = heappop(rises)
        middle = (left + right) // 2
        known.add(middle)
        note(left, middle)
        note(middle, right)
    changes = [pair for pair in pairwise(sorted(known)) if at(pair[0]) != at(pair[1])]
    cliffs = [Cliff(right, at(left), at(right)) for left, right in changes if right - left == 1]
    return tuple(cliffs), known


def _all_cliffs(at: Callable[[int], int], xs: Sequence[int]) -> tuple[Cliff, ...]:
    """Every cliff, even if there are several between two samples."""
    known = cliffs(at, xs)
    while len(more := cliffs(at, sorted({*xs, *_edges(known)}))) > len(known):
        known = more
    return known


def _edges(cliffs: Iterable[Cliff]) -> set[int]:
    """The positions on both sides of each cliff."""
    return {x for cliff in cliffs for x in (cliff.x - 1, cliff.x)}


def _calls(totals: Totals) -> int:
    if totals.problem is None:
        return totals.calls
    # A plan with more than half of PLANNED_CALLS may have been stopped only because it is long.
    return UNFINISHED if 0 < totals.calls <= PLANNED_CALLS // 2 else NO_PLAN
