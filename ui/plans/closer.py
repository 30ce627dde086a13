"""Curves that are planned one by one at the positions on which sentences depend."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from ui.plans.axes import Axis
from ui.plans.curves import Curve, looked_at
from ui.plans.findings import call_comparisons
from ui.plans.thresholds import thresholds
from ui.settings.request import Request

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
    """The positions around those at which two curves, as far as they are known, compare anew."""
    starts = [comparison.start for comparison in call_comparisons(curve, other)[1:]]
    span = range(curve.points[0].x, curve.points[-1].x + 1)
    return _around(starts, span, _AT_A_CROSSING * len(starts))


def _around(places: Collection[int], span: range, most: int) -> list[int]:
    """Positions of the span, the nearest to the places: `most` of them, or a few more."""
    near: set[int] = set()
    for far in range(len(span)):
        if len(near) >= most:
            break
        near.update(x for place in places for x in (place - far, place + far) if x in span)
    return sorted(near)
