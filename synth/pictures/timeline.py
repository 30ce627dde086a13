"""The timeline: calls over time, and the longest chain, which decided how long the run took."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from synth.pictures.shapes import Box, Path, Picture, Point, Text
from synth.pictures.times import TimelineFacts
from synth.pictures.words import thinned
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted, duration, short

_LEFT, _RIGHT, _TOP, _BOTTOM = 112, 84, 26, 40  # pixels around the bars
_ROW, _READABLE, _TALLEST = 24, 14, 1000
"""Pixels of a row, of the lowest row that still has words, and of all rows together."""
_APART = 24  # pixels between the names of rows that are too low for words
_LEAST = 3
"""Pixels of the shortest bar: a call that took no time can still be seen and clicked."""
_BEYOND = 6  # pixels by which the axis is longer than the run
_QUICK = 0.5  # seconds of a run that is shown in milliseconds

Kind = Literal["critical", "other", "failed", "reused", "edited"]
_STYLES: dict[Kind, str] = {
    "critical": "k-ink",
    "other": "k-template",
    "failed": "failed",
    "reused": "k-free",
    "edited": "k-free",
}
_ENDINGS: dict[Kind, str] = {
    "critical": ", on the longest chain",
    "other": "",
    "failed": ", without an answer",
    "reused": " originally; the answer was reused",
}
_EDITED = "by hand"


@dataclass(frozen=True)
class _Rows:
    """One row per call; times are in `unit` ("s" or "ms") since the start."""

    trace: Trace
    facts: TimelineFacts

    @property
    def row(self) -> int:
        """Pixels of a row."""
        return max(3, min(_ROW, _TALLEST // max(1, len(self.trace.calls))))

    @property
    def readable(self) -> bool:
        """Whether a row is high enough for words."""
        return self.row >= _READABLE

    @cached_property
    def end(self) -> float:
        """Seconds until the last call ended."""
        return max((call.started + _seconds(call) for call in self.trace.calls), default=0) or 0.001

    @property
    def unit(self) -> str:
        """Seconds, or for a quick run milliseconds."""
        return "s" if self.end >= _QUICK else "ms"

    def in_unit(self, seconds: float) -> float:
        """A time in the unit."""
        return seconds if self.unit == "s" else seconds * 1000

    def middle(self, at: int) -> float:
        """The pixel of the middle of a row."""
        return _TOP + self.row * (at + 0.5)

    def kind(self, call: CallRecord) -> Kind:
        """The way in which the call is drawn."""
        if call.replayed:
            return "edited" if call.number in self.facts.edited else "reused"
        if call.answer is None:
            return "failed"
        return "critical" if call.number in self.facts.critical else "other"

    def names(self) -> list[str]:
        """The calls by number and template; in a tree by number and level."""
        calls = self.trace.calls
        depths = Counter(call.depth for call in calls)
        tree = 1 < len(depths) < len(calls)
        templates = [short(call.template.removesuffix("_template"), 12) for call in calls]
        what = [f"level {call.depth}" for call in calls] if tree else templates
        return [
            f"{call.number} · {words}" if call.template else f"{call.number}"
            for call, words in zip(calls, what, strict=True)
        ]


def _seconds(call: CallRecord) -> float:
    """Seconds that the call took in this run."""
    return 0.0 if call.replayed else call.seconds


def timeline(trace: Trace, facts: TimelineFacts, width: int, beginning: str = "Run") -> Picture:
    """One bar per call over the seconds since the `beginning` of the run.

    A click tells "call" and its number. `facts` are those of the trace.
    """
    rows = _Rows(trace, facts)
    bottom = _TOP + rows.row * len(trace.calls)
    end = rows.in_unit(rows.end * (1 + _BEYOND / (width - _LEFT - _RIGHT)))
    alt = f"Timeline of {counted(len(trace.calls), 'call')}. {''.join(facts.sentence)}"
    picture = Picture(width, bottom + _BOTTOM, alt, (0, end), _LEFT, _RIGHT)
    unit = "seconds" if rows.unit == "s" else "milliseconds"
    picture.numbers(bottom, 10, f" {rows.unit}", f"{unit} since {beginning}", (_TOP, bottom))
    picture.add(Text(0, _TOP - 10, _legend(rows), "muted", "start"))
    picture.add(Path(list(_longest_chain(rows)), "dots"))
    for at, call in enumerate(trace.calls):
        picture.add(_bar(rows, at, call, picture.pixel))
        if rows.readable:
            words = _time(rows, call)
            picture.add(Text(end, rows.middle(at), words, "", "end", _RIGHT - 2))
    names = rows.names()
    places = {at + 1: rows.middle(at) for at in range(len(names))}
    for number in thinned(places, _READABLE if rows.readable else _APART):
        picture.name(places[number], names[number - 1])
    return picture


def _bar(rows: _Rows, at: int, call: CallRecord, pixel: float) -> Box:
    kind, start = rows.kind(call), rows.in_unit(call.started)
    long = max(rows.in_unit(_seconds(call)), _LEAST * pixel)
    high = rows.row * (0.66 if rows.readable else 0.9)
    took = _EDITED if kind == "edited" else f"{duration(call.seconds)}{_ENDINGS[kind]}"
    says = f"call {call.number}, started at {duration(call.started)}\n{took}"
    top = rows.middle(at) - high / 2
    return Box(start, start + long, top, high, _STYLES[kind], says, ("call", call.number))


def _longest_chain(rows: _Rows) -> Iterator[list[Point]]:
    """A line from each call of the longest chain to the next one, when that began."""
    critical = [
        (at, call) for at, call in enumerate(rows.trace.calls) if call.number in rows.facts.critical
    ]
    for (above, _), (below, call) in pairwise(sorted(critical, key=lambda row: row[1].started)):
        start = rows.in_unit(call.started)
        yield [(start, rows.middle(above)), (start, rows.middle(below))]


def _time(rows: _Rows, call: CallRecord) -> str:
    """The time that the call took; a reused answer has its original time, an edited one none."""
    if rows.kind(call) == "edited":
        return _EDITED
    sign = {"failed": "✕ ", "reused": "↺ "}.get(rows.kind(call), "")
    return sign + duration(call.seconds)


def _legend(rows: _Rows) -> str:
    """The meaning of the ink and of the signs, over the first row."""
    kinds = {rows.kind(call) for call in rows.trace.calls}
    entries = [
        "strong colour: the longest chain" if {"critical", "other"} <= kinds else "",
        "↺ reused" if "reused" in kinds else "",
        "✕ no answer" if "failed" in kinds else "",
    ]
    return " · ".join(filter(None, entries))
