"""From where on a mode makes fewer calls for good, or more, and the islands before that place."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from synth.text.wording import counted, listed
from ui.plans.axes import Axis
from ui.plans.curves import Curve

_NAMED = 2  # thresholds that the headline and the figure name, beside that of one call
_ISLANDS = 2  # named at most


class Stretch(NamedTuple):
    """Positions `start` to `end`, both included, at which a mode makes as many calls."""

    start: int
    end: int
    calls: int


@dataclass(frozen=True)
class Threshold:
    """From position `x` on a mode makes `calls` at most; at least, on a curve that `rises`.

    `before` are its calls just below x. On the `islands`, all below x, it makes as few (many) too.
    `steady`: up to the next threshold it makes exactly so many, but for the islands of that one.
    """

    x: int
    before: int
    calls: int
    rises: bool
    islands: tuple[Stretch, ...]
    steady: bool

    def bound(self, followed: bool) -> str:
        """What to say before the calls; `followed` says that the next threshold is named."""
        if followed and self.steady:
            return ""
        return "at least " if self.rises else "at most "

    def also(self, axis: Axis, x: int) -> str:
        """The islands between position x and the threshold as the end of a sentence, or nothing."""
        islands = [island for island in self.islands if island.start > x]
        if len(islands) > _ISLANDS:
            return f", and at {counted(len(islands), 'place')} before"
        places = [place(axis, island.start, island.end) for island in islands]
        return f", and {listed(places)}" if places else ""


def place(axis: Axis, start: int, end: int) -> str:
    """Positions as a phrase: "at 1,026", "from 850 to 954"."""
    if start == end:
        return f"at {axis.text(start)}"
    return f"from {axis.text(start)} to {axis.text(end)}"


def stretches(curve: Curve) -> list[Stretch]:
    """The stretches of a curve that have a number of calls, from left to right."""
    return [part for part in _parts(curve) if part.calls >= 0]


def gaps(curve: Curve) -> list[Stretch]:
    """The stretches of a curve that have none: their `calls` are NO_PLAN or UNFINISHED."""
    return [part for part in _parts(curve) if part.calls < 0]


def _parts(curve: Curve) -> list[Stretch]:
    points = curve.points
    starts = [points[0], *(after for one, after in pairwise(points) if one.calls != after.calls)]
    ends = [*(point.x - 1 for point in starts[1:]), points[-1].x]
    return [Stretch(point.x, end, point.calls) for point, end in zip(starts, ends, strict=True)]


def thresholds(curve: Curve) -> list[Threshold]:
    """The thresholds of a curve from left to right; those whose place is not exact are left out."""
    parts = stretches(curve)
    rises = bool(parts) and parts[-1].calls > parts[0].calls
    limits = _limits(parts, rises)
    exact = {cliff.x for cliff in curve.cliffs}
    at = [i for i in range(1, len(parts)) if limits[i] != limits[i - 1] and parts[i].start in exact]
    islands = [_islands(parts[:i], limits[i], rises) for i in at]
    return [
        Threshold(
            parts[i].start,
            limits[i - 1],
            limits[i],
            rises,
            islands[number],
            _steady(parts[i:following], limits[i], islands[number + 1 : number + 2]),
        )
        for number, (i, following) in enumerate(pairwise([*at, len(parts)]))
    ]


def _limits(parts: Sequence[Stretch], rises: bool) -> list[int]:
    """The most calls (the least, if the curve rises) on each stretch and all to its right."""
    calls = [part.calls for part in reversed(parts)]
    return list(accumulate(calls, min if rises else max))[::-1]


def _islands(parts: Sequence[Stretch], calls: int, rises: bool) -> tuple[Stretch, ...]:
    return tuple(part for part in parts if (part.calls >= calls if rises else part.calls <= calls))


def _steady(parts: Sequence[Stretch], calls: int, islands: Sequence[tuple[Stretch, ...]]) -> bool:
    of_the_next = {island for following in islands for island in following}
    return all(part.calls == calls for part in parts if part not in of_the_next)


def named(curve: Curve, x: int) -> tuple[list[Threshold], list[Threshold]]:
    """The thresholds to name: the next two above x and that of one call; else the last up to x."""
    found = thresholds(curve)
    above = [one for one in found if one.x > x]
    nearest = above[:_NAMED]
    if len(above) > _NAMED and above[-1].calls == 1:
        nearest.append(above[-1])
    below = [one for one in reversed(found) if one.x <= x]
    return nearest, below[: _NAMED - min(len(nearest), _NAMED)]


def sentences(axis: Axis, x: int, curve: Curve) -> list[str]:
    """What the mode does from the next thresholds on; else just below the last ones."""
    above, below = named(curve, x)
    return [
        *_exception(axis, x, curve),
        *(
            f"From {axis.text(one.x)} on it makes {bound}{calls_or_none(one.calls)}"
            f"{one.also(axis, x)}."
            for one, bound in zip(above, bounds(curve, x), strict=True)
        ),
        *(f"Just below {axis.text(one.x)} it makes {calls_or_none(one.before)}." for one in below),
    ]


def bounds(curve: Curve, x: int) -> list[str]:
    """What to say before the calls of each named threshold above x: "at most ", or nothing."""
    above, _ = named(curve, x)
    all_above = sum(one.x > x for one in thresholds(curve))
    left_out_after = above[_NAMED - 1 : _NAMED] if all_above > len(above) else []
    return [one.bound(followed=one not in left_out_after) for one in above]


def calls_or_none(calls: int) -> str:
    """A number of calls behind "it makes"."""
    return f"{calls:,}" if calls else "none"


def _exception(axis: Axis, x: int, curve: Curve) -> list[str]:
    """A sentence about the next stretch on which the mode turns back from what it does at x."""
    parts = [part for part in stretches(curve) if part.end >= x]
    if not parts or parts[0].start > x:
        return []
    here, rises = parts[0].calls, any(one.rises for one in thresholds(curve))
    for part in parts[1:]:
        if part.calls < here if rises else part.calls > here:
            where = place(axis, part.start, part.end)
            return [f"{where[0].upper()}{where[1:]} it makes {part.calls:,}."]
    return []
