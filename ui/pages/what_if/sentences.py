"""The sentences of the What if page: what the mode in focus does at a value, and along the axis."""

from collections.abc import Mapping, Sequence

from synth.modes.advice.choice import SHORT
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan
from synth.text.wording import Bold, counted, listed, ranged
from ui.plans import thresholds
from ui.plans.axes import Axis
from ui.plans.curves import Curve, Point
from ui.plans.findings import NEVER, all_ends, crossings, missing

_NEARLY_EMPTY = 4  # a call is nearly empty if it carries less than the average by this factor
_CROSSINGS = 3  # named at most
_SHOWN = 12  # thresholds, as many below the chosen value as above it where there are enough


def nearly_empty_last_call(plan: Plan) -> int | None:
    """Tokens of chunks that only the last call carries if they are few, else None."""
    last = plan.call_count
    if last < 2:
        return None
    count = plan.setup.tokenizer.count
    alone = sum(
        count(chunk.text[part.start : part.end].strip())
        for chunk in plan.coverage
        for part in chunk.stretches
        if tuple(part.calls) == (last,)
    )
    total = sum(chunk.tokens for chunk in plan.coverage)
    return alone if 0 < alone * _NEARLY_EMPTY * last <= total else None


def headline(
    axis: Axis,
    point: Point,
    curve: Curve,
    others: Sequence[Curve],
    last_call_tokens: int | None = None,
    bounds: Bounds | None = None,
) -> list[str]:
    """The calls of the mode in focus at a point, its next thresholds, a crossing and an end.

    `point` has a plan of its own, since a slope is not exact between its samples.
    `last_call_tokens` are those of a nearly empty last call. `bounds` hold for all answers.
    """
    phrase = axis.phrase(point.x)
    parts: list[str] = [f"{phrase[0].upper()}{phrase[1:]} {curve.mode} "]
    parts += _calls(curve.mode, point, bounds)
    if last_call_tokens is not None:
        parts.append(f" The last call carries only {counted(last_call_tokens, 'token')} of chunks.")
    parts += _thresholds(axis, point.x, curve)
    parts += [f" {sentence}" for sentence in crossings(axis, point.x, curve, others)[:1]]
    return parts + [f" {sentence}" for sentence in all_ends(axis, (curve, *others))[:1]]


def one_call(windows: Mapping[str, int]) -> str:
    """The window from which on one call of each mode carries all chunks."""
    modes: dict[int, list[str]] = {}
    for mode, window in windows.items():
        modes.setdefault(window, []).append(mode)
    never = modes.pop(NEVER, [])
    parts = [f"{listed(modes[window])} from {window:,} on" for window in sorted(modes)]
    parts += [f"{listed(never)} at no window"] if never else []
    return f"One call carries all chunks: {'; '.join(parts)}."


def more(axis: Axis, x: int, curve: Curve, others: Sequence[Curve]) -> str:
    """The sentences for which the headline has no room."""
    sentences = [
        *crossings(axis, x, curve, others)[1:_CROSSINGS],
        *all_ends(axis, (curve, *others))[1:],
    ]
    return " ".join(sentences)


def _calls(mode: str, point: Point, bounds: Bounds | None) -> list[str]:
    """The predicate of the first sentence: the number of calls, and its bounds if they differ."""
    if point.calls < 0:
        return [Bold(missing(mode, point.calls)), "."]
    low, high = sorted((point.low.calls, point.high.calls))
    if not high:
        return ["makes ", Bold("no call"), "."]
    number = ranged(low, high, "call")
    if bounds is None or bounds.calls == (low, high):
        return ["makes ", Bold(number), "."]
    certain = ranged(*bounds.calls)
    return ["makes ", Bold(f"about {number}"), f" ({certain}, whatever the model answers)."]


def _thresholds(axis: Axis, x: int, curve: Curve) -> list[str]:
    """The sentences about thresholds; without any, one about the whole axis."""
    if named := thresholds.sentences(axis, x, curve):
        return [" ", Bold(" ".join(named))]
    if curve.at(x).calls < 0:
        return []
    first, last = _ends_with_plans(curve)
    if len(thresholds.stretches(curve)) > 1:
        return [
            f" It makes {thresholds.calls_or_none(first.calls)} at {axis.text(first.x)}"
            f" and {thresholds.calls_or_none(last.calls)} at {axis.text(last.x)}."
        ]
    return [f" The number is the same from {axis.text(first.x)} to {axis.text(last.x)}."]


def changes(axis: Axis, x: int, curve: Curve) -> tuple[list[tuple[str, str]], int]:
    """The thresholds nearest to x as place and calls, and how many others there are."""
    found = thresholds.thresholds(curve)
    here = sum(one.x <= x for one in found)
    first = max(0, min(here - _SHOWN // 2, len(found) - _SHOWN))
    starts = [curve.points[0].x, *(one.x for one in found)]
    rows = [
        (
            f"from {axis.text(one.x)} on",
            f"{one.before:,} → {one.bound(followed=True)}{one.calls:,}{one.also(axis, start - 1)}",
        )
        for start, one in zip(starts, found, strict=False)
    ]
    return rows[first : first + _SHOWN], max(0, len(found) - _SHOWN)


def _ends_with_plans(curve: Curve) -> tuple[Point, Point]:
    planned = [point for point in curve.points if point.calls >= 0]
    return planned[0], planned[-1]


def bands(num_output: int | None) -> str:
    """The answers that lines and bands assume; None if num_output itself is varied."""
    longest = "the answer length" if num_output is None else counted(num_output, "token")
    lines = f"Lines and sentences assume answers of {longest}"
    if num_output is not None and num_output <= SHORT:
        return f"{lines}."
    return f"{lines}; bands reach down to answers of {counted(SHORT, 'token')}."
