"""What the curves show, each finding a sentence: cliffs, crossings, and where a mode can't go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from synth.response_synthesizers.registry import mode_class
from synth.what_if import Cliff
from synth.wording import listed
from ui.sweep.axes import Axis
from ui.sweep.curves import NO_PLAN, Curve

NAMED = 2  # cliffs of the mode in focus that the headline and the figure name
_THAN = {-1: "fewer calls than", 0: "as many calls as", 1: "more calls than"}


class Run(NamedTuple):
    """From start to end (both in) a mode makes more calls than another (1), fewer (-1) or as many.

    None where one of the two has no plan.
    """

    start: int
    end: int
    sign: int | None


def beside(curve: Curve, x: int) -> tuple[list[Cliff], list[Cliff]]:
    """The cliffs that are named, two at most: the next above x, else the last below it."""
    above = [step for step in curve.steps if step.x > x][:NAMED]
    below = [step for step in reversed(curve.steps) if step.x <= x][: NAMED - len(above)]
    return above, below


def missing(mode: str, calls: int, many: bool = False) -> str:
    """What is the matter where there is no number of calls."""
    if calls == NO_PLAN:
        return "have no plan" if many else "has no plan"
    if mode_class(mode).may_never_end:
        return "never ends"
    return "can't finish"


def ends(axis: Axis, curve: Curve) -> list[tuple[int, str]]:
    """Where the curve of a mode begins or ends: the missing calls, and where they are missing."""
    first, last = curve.points[0], curve.points[-1]
    if all(point.calls < 0 for point in curve.points):
        return [(first.calls, f"from {axis.text(first.x)} to {axis.text(last.x)}")]
    return [
        (end.before, f"below {axis.text(end.x)}")
        if end.before < 0
        else (end.after, f"from {axis.text(end.x)} on")
        for end in curve.ends
    ]


def ended(axis: Axis, curve: Curve) -> list[str]:
    """The ends of one curve in words, for the figure."""
    found = ends(axis, curve) if curve.ends else []
    return [f"{curve.mode} {missing(curve.mode, calls)} {place}" for calls, place in found]


def all_ends(axis: Axis, curves: Sequence[Curve]) -> list[str]:
    """The ends of all curves, with those that are alike in one sentence."""
    alike: dict[tuple[str, int, str], list[str]] = {}
    for curve in curves:
        for calls, place in ends(axis, curve):
            key = (missing(curve.mode, calls), calls, place)
            alike.setdefault(key, []).append(curve.mode)
    return [
        f"{listed(modes)} {missing(modes[0], calls, len(modes) > 1)} {place}."
        for (_, calls, place), modes in alike.items()
    ]


def crossings(axis: Axis, x: int, curve: Curve, others: Sequence[Curve]) -> list[str]:
    """Where the mode in focus begins to make more, fewer or as many calls as another.

    The nearest to x come first.
    """
    alike: dict[tuple[int, int, int, str], list[str]] = {}
    for other in others:
        exact = {cliff.x for cliff in (*curve.cliffs, *other.cliffs)}
        for before, run in pairwise(stretches(curve, other)):
            if run.sign is not None and before.sign is not None:
                about = "" if run.start in exact else "about "
                alike.setdefault((run.start, run.end, run.sign, about), []).append(other.mode)
    last = curve.points[-1].x
    return [
        f"From {about}{axis.text(start)} {'on' if end == last else f'to {axis.text(end)}'}"
        f" {curve.mode} makes {_THAN[sign]} {listed(modes)}."
        for (start, end, sign, about), modes in sorted(
            alike.items(), key=lambda item: abs(item[0][0] - x)
        )
    ]


def stretches(curve: Curve, other: Curve) -> list[Run]:
    """The stretches in which two modes compare alike; to meet in passing is none."""
    xs = sorted({point.x for point in (*curve.points, *other.points)})
    passing = (xs[-1] - xs[0]) // 20
    runs: list[Run] = []
    for x, follows in pairwise([*xs, xs[-1] + 1]):
        mine, yours = curve.at(x).calls, other.at(x).calls
        sign = None if min(mine, yours) < 0 else (mine > yours) - (mine < yours)
        if len(runs) > 1 and runs[-1].sign == 0 != sign and x - runs[-1].start <= passing:
            runs.pop()
        start = runs.pop().start if runs and runs[-1].sign == sign else x
        runs.append(Run(start, follows - 1, sign))
    return runs
