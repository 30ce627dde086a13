"""What the curves say, in sentences: cliffs, crossings, and where a mode can't go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from synth.what_if import Cliff
from ui.planning import SHORT
from ui.safe import Bold
from ui.what_if.axes import Axis, Span
from ui.what_if.curves import NO_PLAN, Curve, Point
from ui.words import counted

_THAN = {-1: "fewer calls than", 0: "as many calls as", 1: "more calls than"}
_CROSSINGS = 3  # that are named at most
NAMED = 2  # cliffs of the mode in focus that the sentence and the figure name
_LISTED = 6  # more of them that are named below


class Crossing(NamedTuple):
    """From x on the mode in focus makes more calls than another (1), fewer (-1) or as many (0)."""

    x: int
    mode: str
    sign: int


def headline(
    axis: Axis, x: int, span: Span, curve: Curve, others: Sequence[Curve], tail: int | None
) -> list[str]:
    """What the mode in focus does at x, its next cliffs, the nearest crossing and end.

    `tail` are the tokens that its last call is for, where those are few.
    """
    said = [f"{axis.at.format(axis.text(x))} {curve.mode} ", *_does(curve.mode, curve.at(x), tail)]
    said += _next(axis, x, span, curve)
    said += [f" {text}" for text in crossings(axis, x, curve, others)[:1]]
    return said + [f" {text}" for text in all_ends(axis, (curve, *others))[:1]]


def more(axis: Axis, x: int, curve: Curve, others: Sequence[Curve]) -> str:
    """What the headline leaves out."""
    said = [
        *rest(axis, x, curve),
        *crossings(axis, x, curve, others)[1:_CROSSINGS],
        *all_ends(axis, (curve, *others))[1:],
    ]
    return " ".join(said)


def _does(mode: str, point: Point, tail: int | None) -> list[str]:
    if point.calls < 0:
        return [Bold(_state(mode, point.calls)), "."]
    low, high = point.low.calls, point.high.calls
    if not high:
        return ["makes ", Bold("no call"), "."]
    number = counted(high, "call") if low == high else f"{low:,} to {high:,} calls"
    last = f", the last for {counted(tail, 'token')}" if tail is not None else ""
    return ["makes ", Bold(number), f"{last}."]


def _next(axis: Axis, x: int, span: Span, curve: Curve) -> list[str]:
    """The cliffs above x, and where those are few the one below it."""
    above, below = beside(curve, x)
    named = [
        f"from {axis.text(step.x)} on {'' if at else 'it makes '}{_count(step.after)}"
        for at, step in enumerate(above)
    ]
    named += [f"below {axis.text(step.x)} it makes {_count(step.before)}" for step in below]
    if named:
        steps = ", ".join(named)
        return [" ", Bold(f"{steps[0].upper()}{steps[1:]}.")]
    if curve.at(x).calls < 0:
        return []
    if curve.slope:
        first, last = _drawn_ends(curve)
        return [
            f" It makes {_count(first.calls)} at {axis.text(first.x)}"
            f" and {_count(last.calls)} at {axis.text(last.x)}."
        ]
    return [f" That stays so from {axis.text(span.low)} to {axis.text(span.high)}."]


def _drawn_ends(curve: Curve) -> tuple[Point, Point]:
    drawn = [point for point in curve.points if point.calls >= 0]
    return drawn[0], drawn[-1]


def _count(calls: int) -> str:
    return f"{calls:,}" if calls else "none"


def beside(curve: Curve, x: int) -> tuple[list[Cliff], list[Cliff]]:
    """The cliffs that are named, two at most: the next above x, else the last below it."""
    above = [step for step in curve.steps if step.x > x][:NAMED]
    below = [step for step in reversed(curve.steps) if step.x <= x][: NAMED - len(above)]
    return above, below


def rest(axis: Axis, x: int, curve: Curve) -> list[str]:
    """The cliffs of the mode in focus that are not in the headline, as a sentence."""
    above, below = beside(curve, x)
    others = [step for step in curve.steps if step not in (*above, *below)]
    if not others:
        return []
    shown = sorted(others, key=lambda step: abs(step.x - x))[:_LISTED]
    listed = ", ".join(
        f"{axis.text(step.x)} ({step.before:,} to {step.after:,})"
        for step in sorted(shown, key=lambda step: step.x)
    )
    left = len(others) - len(shown)
    too = f", and at {left:,} more that the table has" if left else ""
    return [f"The calls of {curve.mode} also change at {listed}{too}."]


def _state(mode: str, calls: int) -> str:
    """What is the matter where there is no number of calls."""
    if calls == NO_PLAN:
        return "has no plan"
    return "never ends" if mode == "tree_summarize" else "can't finish"


def ends(axis: Axis, curve: Curve) -> list[str]:
    """Where the curve of a mode begins or ends, or that there is none."""
    if all(point.calls < 0 for point in curve.points):
        return [f"{curve.mode} {_state(curve.mode, curve.points[0].calls)} at every value shown"]
    return [
        f"{curve.mode} {_state(curve.mode, end.before)} below {axis.text(end.x)}"
        if end.before < 0
        else f"{curve.mode} {_state(curve.mode, end.after)} from {axis.text(end.x)} on"
        for end in curve.ends
    ]


def all_ends(axis: Axis, curves: Sequence[Curve]) -> list[str]:
    """The ends of all curves, those of the same values in one sentence."""
    return [f"{text}." for curve in curves for text in ends(axis, curve)]


def crossings(axis: Axis, x: int, curve: Curve, others: Sequence[Curve]) -> list[str]:
    """Where the mode in focus begins to make more, fewer or as many calls as another.

    The nearest to x come first.
    """
    found = [crossing for other in others for crossing in _crossings(curve, other)]
    return [
        f"From {axis.text(one.x)} on {curve.mode} makes {_THAN[one.sign]} {one.mode}."
        for one in sorted(found, key=lambda one: abs(one.x - x))
    ]


def _crossings(curve: Curve, other: Curve) -> list[Crossing]:
    xs = sorted({point.x for point in (*curve.points, *other.points)})
    passing = (xs[-1] - xs[0]) // 20  # to be as many for no longer than that is no news
    found: list[Crossing] = []
    before: int | None = None
    for x in xs:
        mine, yours = curve.at(x).calls, other.at(x).calls
        sign = None if min(mine, yours) < 0 else (mine > yours) - (mine < yours)
        if sign is not None and before is not None and sign != before:
            if found and not found[-1].sign and x - found[-1].x <= passing:
                found.pop()
            found.append(Crossing(x, other.mode, sign))
        before = sign
    return found


def bands(num_output: int | None) -> str:
    """What lines and bands stand for; without a number, num_output is what is varied."""
    most = "num_output" if num_output is None else counted(num_output, "token")
    if num_output is not None and num_output <= SHORT:
        return f"Lines: answers of {most}."
    return f"Lines: answers of {most}; bands reach down to answers of {counted(SHORT, 'token')}."
