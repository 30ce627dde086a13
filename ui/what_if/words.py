"""The sentences of the page: what the mode in focus does at a value, and what the curves show."""

from __future__ import annotations

from collections.abc import Sequence

from synth.bounds import Bounds
from synth.wording import counted, ranged
from ui.look.escape import Bold
from ui.request.request import SHORT
from ui.sweep.axes import Axis, Span
from ui.sweep.curves import Curve, Point
from ui.sweep.findings import all_ends, beside, crossings, missing

_CROSSINGS = 3  # that are named at most
_LISTED = 6  # more of them that are named below


def headline(
    axis: Axis,
    here: Point,
    span: Span,
    curve: Curve,
    others: Sequence[Curve],
    tail: int | None = None,
    bounds: Bounds | None = None,
) -> list[str]:
    """What the mode in focus does here, its next cliffs, the nearest crossing and end.

    `here` is planned for itself: a slope has no exact values between its samples. `tail` are the
    tokens that its last call is for, where those are few. `bounds` hold for every answer.
    """
    x, place = here.x, axis.place(here.x)
    said = [f"{place[0].upper()}{place[1:]} {curve.mode} ", *_does(curve.mode, here, tail, bounds)]
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


def _does(mode: str, point: Point, tail: int | None, bounds: Bounds | None) -> list[str]:
    if point.calls < 0:
        return [Bold(missing(mode, point.calls)), "."]
    low, high = sorted((point.low.calls, point.high.calls))
    if not high:
        return ["makes ", Bold("no call"), "."]
    number = ranged(low, high, "call")
    whatever = ""
    if bounds is not None and bounds.calls != (low, high):
        number = f"about {number}"
        whatever = f" ({ranged(*bounds.calls)}, whatever the answers say)"
    last = f", the last for {counted(tail, 'token')}" if tail is not None else ""
    return ["makes ", Bold(number), f"{whatever}{last}."]


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


def bands(num_output: int | None) -> str:
    """What lines and bands stand for; without a number, num_output is what is varied."""
    most = "num_output" if num_output is None else counted(num_output, "token")
    lines = f"Lines and sentences: answers of {most}"
    if num_output is not None and num_output <= SHORT:
        return f"{lines}."
    return f"{lines}; bands reach down to answers of {counted(SHORT, 'token')}."
