"""The calls of a run as rows on a scale of time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from synth.calls import CallRecord
from synth.times import timeline_facts
from synth.trace import Trace
from synth.wording import duration
from ui.look.escape import plot_text

LEFT, RIGHT, TOP, BOTTOM = 112, 84, 26, 40
ROW, READABLE, TALLEST = 24, 14, 1000
"""Pixels of a row, of the lowest row that still has words, and of all rows together."""
LEAST = 3
"""Pixels of the shortest bar: a call that took no time can still be seen and clicked."""
GAP = 6
"""Pixels by which the axis is longer than the run."""

Kind = Literal["critical", "other", "failed", "reused"]


@dataclass(frozen=True)
class CallRows:
    """One row per call, over `span` pixels; times are in `unit` ("s" or "ms") since the start."""

    trace: Trace
    span: float

    @cached_property
    def critical(self) -> frozenset[int]:
        """The calls that decided how long the run took."""
        return frozenset(timeline_facts(self.trace).critical)

    @property
    def row(self) -> int:
        """Pixels of a row."""
        return max(3, min(ROW, TALLEST // max(1, len(self.trace.calls))))

    @property
    def words(self) -> bool:
        """Whether a row is high enough for words."""
        return self.row >= READABLE

    @cached_property
    def end(self) -> float:
        """Seconds until the last call ended."""
        ends = (call.started + _seconds(call) for call in self.trace.calls)
        return max(ends, default=0.0) or 0.001

    @property
    def unit(self) -> str:
        """Seconds, or for a quick run milliseconds."""
        return "s" if self.end >= 0.5 else "ms"

    def in_unit(self, seconds: float) -> float:
        """A time in the unit."""
        return seconds if self.unit == "s" else seconds * 1000

    @property
    def pixel(self) -> float:
        """Seconds of one pixel."""
        return self.end / self.span

    def kind(self, call: CallRecord) -> Kind:
        """The way in which the call is drawn."""
        if call.replayed:
            return "reused"
        if call.answer is None:
            return "failed"
        return "critical" if call.number in self.critical else "other"

    def width(self, call: CallRecord) -> float:
        """Seconds of its bar."""
        return max(_seconds(call), LEAST * self.pixel)

    def label(self, call: CallRecord) -> str:
        """The time that the call took; a reused answer has its original time."""
        sign = {"failed": "✕ ", "reused": "↺ "}.get(self.kind(call), "")
        return sign + duration(call.seconds)

    @cached_property
    def names(self) -> list[str]:
        """The calls by number and template; in a tree by number and level."""
        calls = self.trace.calls
        depths = Counter(call.depth for call in calls)
        tree = 1 < len(depths) < len(calls)
        what = [f"level {call.depth}" if tree else _template(call.template) for call in calls]
        return [
            f"{call.number} · {words}" if call.template else f"{call.number}"
            for call, words in zip(calls, what, strict=True)
        ]


def _seconds(call: CallRecord) -> float:
    """Seconds that the call took in this run."""
    return 0.0 if call.replayed else call.seconds


def _template(name: str) -> str:
    return plot_text(name.removesuffix("_template"), 12)
