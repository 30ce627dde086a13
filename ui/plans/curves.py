"""The curve of every mode over one axis, with samples where its number of calls changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Totals, cliffs, totals
from synth.modes.base import PLANNED_CALLS
from ui.plans.axes import Axis, AxisSpan
from ui.session import workspace
from ui.settings.request import Request

NO_PLAN, UNFINISHED = -1, -2
"""Stand for the number of calls if there is no plan, or if the plan would never end."""

_SECONDS = 0.5  # in which a mode is planned at as many positions as possible
_HALVINGS = 100  # positions beside the samples at which a mode is planned


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
    def drawn(self) -> bool:
        """True if there is a value to draw."""
        return self.low.problem is None and self.high.problem is None


@dataclass(frozen=True)
class Curve:
    """The points of a mode from left to right, and the cliffs of its number of calls.

    Where its calls change at almost every value, or plans take long, some are not in `cliffs`.
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
        report(len(finished) / len(requests))
        key = (span.low, span.high, axis.curve_key(request))
        make = partial(curve_of, mode, span, partial(_point, axis, request))
        finished[mode] = workspace.current().remembered(f"curves {axis.name}", key, make)
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
        refused = Totals.refused(str(error))
        return Point(x, refused, refused)
    query, chunks, variables = changed.query_str, changed.text_chunks, dict(changed.variables)
    high = totals(synthesizer, query, chunks, most, variables)
    if high.longest_chain > 1:
        return Point(x, totals(synthesizer, query, chunks, least, variables), high)
    return Point(x, replace(high, output_tokens=least * high.calls), high)  # no call reads another
