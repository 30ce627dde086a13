"""What curves show, in sentences, and the window from which on a mode makes one call."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from synth.errors import SynthError
from synth.modes.advice.what_if import Planner, one_call_from
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import mode_facts
from synth.text.wording import listed
from ui.plans.axes import Axis
from ui.plans.curves import NO_PLAN, Curve
from ui.session import workspace
from ui.session.apart import TookTooMuch, apart_if_long
from ui.settings.request import Model, Request

_NEAR = 4  # positions on both sides of a crossing
_THAN = {-1: "fewer calls than", 0: "as many calls as", 1: "more calls than"}


class CallComparison(NamedTuple):
    """Positions from `start` to `end` (both included) at which two modes compare alike.

    `sign` is 1 if the first mode makes more calls, -1 if fewer, 0 if as many, and None if one of
    the two has no plan.
    """

    start: int
    end: int
    sign: int | None


def missing(mode: str, calls: int, many: bool = False) -> str:
    """The predicate of a sentence about a mode, or `many` modes, without a number of calls."""
    if calls == NO_PLAN:
        return "have no plan" if many else "has no plan"
    if mode_facts(mode).may_never_end:
        return "never ends"
    return "can't finish"


def ends(axis: Axis, curve: Curve) -> list[tuple[int, str]]:
    """Where a curve has no number of calls: NO_PLAN or UNFINISHED, and the place as a phrase."""
    first, last = curve.points[0], curve.points[-1]
    if all(point.calls < 0 for point in curve.points):
        return [(first.calls, f"from {axis.text(first.x)} to {axis.text(last.x)}")]
    return [
        (end.before, f"below {axis.text(end.x)}")
        if end.before < 0
        else (end.after, f"from {axis.text(end.x)} on")
        for end in curve.ends
    ]


def end_labels(axis: Axis, curve: Curve) -> list[str]:
    """Labels for the ends of one curve in the figure."""
    labelled = ends(axis, curve) if curve.ends else []
    return [f"{curve.mode} {missing(curve.mode, calls)} {where}" for calls, where in labelled]


def all_ends(axis: Axis, curves: Sequence[Curve]) -> list[str]:
    """Sentences about the ends of all curves; modes that end alike share one."""
    alike: dict[tuple[str, int, str], list[str]] = {}
    for curve in curves:
        for calls, where in ends(axis, curve):
            key = (missing(curve.mode, calls), calls, where)
            alike.setdefault(key, []).append(curve.mode)
    return [
        f"{listed(modes)} {missing(modes[0], calls, len(modes) > 1)} {where}."
        for (_, calls, where), modes in alike.items()
    ]


def crossings(axis: Axis, x: int, curve: Curve, others: Sequence[Curve]) -> list[str]:
    """Sentences about where the mode in focus begins to make more, fewer or as many calls.

    The nearest to x come first.
    """
    modes: dict[tuple[CallComparison, bool], list[str]] = {}
    for other in others:
        exact = {cliff.x for cliff in (*curve.cliffs, *other.cliffs)}
        for before, comparison in pairwise(call_comparisons(curve, other)):
            if comparison.sign is not None and before.sign is not None:
                modes.setdefault((comparison, comparison.start in exact), []).append(other.mode)
    last = curve.points[-1].x
    nearest_first = sorted(modes, key=lambda key: abs(key[0].start - x))
    return [
        f"{_from(axis, comparison, exact, last)} {curve.mode} makes"
        f" {_THAN[comparison.sign or 0]} {listed(modes[comparison, exact])}."
        for comparison, exact in nearest_first
    ]


def near_crossings(curve: Curve, other: Curve) -> list[int]:
    """The positions around those at which two curves, as far as they are known, compare anew."""
    first, last = curve.points[0].x, curve.points[-1].x
    starts = [comparison.start for comparison in call_comparisons(curve, other)[1:]]
    near = {x for start in starts for x in range(start - _NEAR, start + _NEAR + 1)}
    return sorted(x for x in near if first <= x <= last)


def _from(axis: Axis, comparison: CallComparison, exact: bool, last: int) -> str:
    """The positions of a comparison as a phrase: "From about 900 on", "At 7"."""
    start = axis.text(comparison.start) if exact else f"about {axis.text(comparison.start)}"
    if comparison.start == comparison.end:
        return f"At {start}"
    if comparison.end == last:
        return f"From {start} on"
    return f"From {start} to {axis.text(comparison.end)}"


def call_comparisons(curve: Curve, other: Curve) -> list[CallComparison]:
    """The comparisons of two modes from left to right; a short tie on the way is left out."""
    xs = sorted({point.x for point in (*curve.points, *other.points)})
    short = (xs[-1] - xs[0]) // 20
    result: list[CallComparison] = []
    for x, follows in pairwise([*xs, xs[-1] + 1]):
        calls, other_calls = curve.at(x).calls, other.at(x).calls
        compared = (calls > other_calls) - (calls < other_calls)
        sign = None if min(calls, other_calls) < 0 else compared
        if len(result) > 1 and result[-1].sign == 0 != sign and x - result[-1].start <= short:
            result.pop()
        start = result.pop().start if result and result[-1].sign == sign else x
        result.append(CallComparison(start, follows - 1, sign))
    return result


NEVER = 0
"""Stands for the window of one call where none is large enough."""


def one_call_windows(requests: Mapping[str, Request]) -> dict[str, int]:
    """The window from which on one call carries all chunks, by mode; NEVER where none does.

    Modes that send no chunks have none, nor those that take too long.
    """
    windows = {mode: one_call_window(request) for mode, request in requests.items()}
    return {mode: window for mode, window in windows.items() if window is not None}


def one_call_window(request: Request) -> int | None:
    """The window from which on one call of the mode carries all chunks, or NEVER.

    None where no chunks are sent, and where it takes too long to find.
    """
    if not request.text_chunks or not mode_facts(request.mode).sends_chunks:
        return None
    all_windows = replace(request, context_window=1, model=Model())
    return workspace.current().remembered(
        "one call", all_windows, lambda: _one_call_in_time(request)
    )


def _one_call_in_time(request: Request) -> int | None:
    try:
        return apart_if_long(request.work, _one_call, request)
    except TookTooMuch:
        return None


def _one_call(request: Request) -> int:
    def at(window: int) -> BaseSynthesizer:
        return replace(request, context_window=window).synthesizer()

    try:
        planner = Planner(request.query_str, request.text_chunks, dict(request.variables))
        return one_call_from(planner, at) or NEVER
    except SynthError:
        return NEVER
