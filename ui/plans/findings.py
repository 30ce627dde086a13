"""What curves show, in sentences, and the window from which on a mode makes one call.

The positions on which sentences depend are planned one by one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple

from synth.errors import SynthError
from synth.modes.advice.what_if import Planner, one_call_from
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import mode_facts
from synth.text.wording import counted, listed
from ui.plans.axes import Axis
from ui.plans.curves import NO_PLAN, Curve, looked_at
from ui.plans.thresholds import Stretch, gaps, place, thresholds
from ui.session.apart import remembered_in_time
from ui.settings.request import Model, Request

_GAPS = 3  # places without a number of calls that are named at most
_THAN = {-1: "fewer calls than", 0: "as many calls as", 1: "more calls than"}


class CallComparison(NamedTuple):
    """Positions from `start` to `end` (both included) at which two modes compare alike.

    `sign` is 1 if the first mode makes more calls, -1 if fewer, 0 if as many, and None if one of
    the two has no plan. With `ties` they make as many calls here and there between start and end.
    """

    start: int
    end: int
    sign: int | None
    ties: bool = False


def missing(mode: str, calls: int, many: bool = False) -> str:
    """The predicate of a sentence about a mode, or `many` modes, without a number of calls."""
    if calls == NO_PLAN:
        return "have no plan" if many else "has no plan"
    if mode_facts(mode).may_never_end:
        return "never ends"
    return "can't finish"


def ends(axis: Axis, curve: Curve) -> dict[int, str]:
    """Where a curve has no number of calls: a phrase for NO_PLAN, and one for UNFINISHED."""
    places: dict[int, list[Stretch]] = {}
    for gap in gaps(curve):
        places.setdefault(gap.calls, []).append(gap)
    return {calls: _where(axis, curve, found) for calls, found in places.items()}


def _where(axis: Axis, curve: Curve, found: Sequence[Stretch]) -> str:
    first, last = curve.points[0].x, curve.points[-1].x
    if len(found) > _GAPS:
        whole = place(axis, found[0].start, found[-1].end)
        return f"at {counted(len(found), 'place')} {whole}"
    return listed(
        [
            f"below {axis.text(gap.end + 1)}"
            if gap.start == first and gap.end < last
            else f"from {axis.text(gap.start)} on"
            if gap.end == last and gap.start > first
            else place(axis, gap.start, gap.end)
            for gap in found
        ]
    )


def end_label(axis: Axis, curve: Curve, calls: int) -> str:
    """The label in the figure of the places at which a curve has NO_PLAN or is UNFINISHED."""
    return f"{curve.mode} {missing(curve.mode, calls)} {ends(axis, curve)[calls]}"


def all_ends(axis: Axis, curves: Sequence[Curve]) -> list[str]:
    """Sentences about the ends of all curves; modes that end alike share one."""
    alike: dict[tuple[str, int, str], list[str]] = {}
    for curve in curves:
        for calls, where in ends(axis, curve).items():
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
    modes: dict[tuple[int, str, str, bool], list[str]] = {}
    last = curve.points[-1].x
    for other in others:
        exact = {cliff.x for cliff in (*curve.cliffs, *other.cliffs)}
        for before, comparison in pairwise(call_comparisons(curve, other)):
            if comparison.sign is not None and before.sign is not None:
                where = _from(axis, comparison, exact, last)
                key = (comparison.start, where, _THAN[comparison.sign], comparison.ties)
                modes.setdefault(key, []).append(other.mode)
    nearest_first = sorted(modes.items(), key=lambda item: abs(item[0][0] - x))
    return [
        f"{where} {curve.mode} makes {than} {listed(compared)}{', or as many' * ties}."
        for (_, where, than, ties), compared in nearest_first
    ]


def _from(axis: Axis, comparison: CallComparison, exact: Collection[int], last: int) -> str:
    """The positions of a comparison as a phrase: "From about 900 on", "At 7"."""
    start, end, *_ = comparison
    start_text, end_text = (
        f"{'about ' * (change not in exact)}{axis.text(x)}"
        for x, change in ((start, start), (end, end + 1))
    )
    if start == end:
        return f"At {start_text}"
    return f"From {start_text} on" if end == last else f"From {start_text} to {end_text}"


def call_comparisons(curve: Curve, other: Curve) -> list[CallComparison]:
    """The comparisons of two modes from left to right.

    A short tie is left out between two that differ, and a part of two that are alike.
    """
    xs = sorted({point.x for point in (*curve.points, *other.points)})
    short = (xs[-1] - xs[0]) // 20
    result: list[CallComparison] = []
    for x, follows in pairwise([*xs, xs[-1] + 1]):
        here = CallComparison(x, follows - 1, _sign(curve.at(x).calls, other.at(x).calls))
        tie = None
        if len(result) > 1 and result[-1].sign == 0 != here.sign and x - result[-1].start <= short:
            tie = result.pop()
        if result and result[-1].sign == here.sign:
            before = result.pop()
            here = before._replace(end=here.end, ties=before.ties or tie is not None)
        result.append(here)
    return result


def _sign(calls: int, other_calls: int) -> int | None:
    if min(calls, other_calls) < 0:
        return None
    return (calls > other_calls) - (calls < other_calls)


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
    return remembered_in_time(
        "one call", all_windows, request.work_apart, lambda _: None, _one_call, request
    )


def _one_call(request: Request) -> int | None:
    def at(window: int) -> BaseSynthesizer:
        return replace(request, context_window=window).synthesizer()

    try:
        planner = Planner(request.query_str, request.text_chunks, dict(request.variables))
        return one_call_from(planner, at) or NEVER
    except SynthError:
        return NEVER


_LOOKS = 150  # positions around the next thresholds
_AT_A_CROSSING = 9  # positions around each crossing


def planned_closely(
    axis: Axis,
    requests: Mapping[str, Request],
    curve_of_mode: Mapping[str, Curve],
    focus: str,
    x: int,
    also: Iterable[int],
) -> dict[str, Curve]:
    """The curves of all modes, looked at around what sentences name.

    Of the mode in focus, these are the next thresholds above `x`, its crossings with the other
    modes, and the positions `also`.
    """
    curve = curve_of_mode[focus]
    positions = {mode: _at_crossings(curve, other) for mode, other in curve_of_mode.items()}
    positions[focus] = sorted({*also, *_at_thresholds(curve, x), *chain(*positions.values())})
    return {
        mode: looked_at(axis, requests[mode], one, positions[mode])
        for mode, one in curve_of_mode.items()
    }


def _at_thresholds(curve: Curve, x: int) -> list[int]:
    """The positions on which the next thresholds above x depend."""
    start, last = max(curve.points[0].x, x - 1), curve.points[-1].x
    above = [one for one in thresholds(curve) if one.x > x]
    if not above or (above[0].calls == 1 and not above[0].rises):
        return _around([x], range(start, x + 1), most=2)
    end = above[1].x if len(above) > 1 else last
    return _around((x, above[0].x, end), range(start, end), _LOOKS)


def _at_crossings(curve: Curve, other: Curve) -> list[int]:
    """The positions around those at which two curves, as far as they are known, compare anew.

    A comparison ends before the next one starts where a short tie between them was left out.
    """
    known = pairwise(call_comparisons(curve, other))
    changes = {x for before, after in known for x in (before.end + 1, after.start)}
    span = range(curve.points[0].x, curve.points[-1].x + 1)
    return _around(changes, span, _AT_A_CROSSING * len(changes))


def _around(places: Collection[int], span: range, most: int) -> list[int]:
    """Positions of the span, the nearest to the places: `most` of them, or a few more."""
    near: set[int] = set()
    for far in range(len(span)):
        if len(near) >= most:
            break
        near.update(x for place in places for x in (place - far, place + far) if x in span)
    return sorted(near)
