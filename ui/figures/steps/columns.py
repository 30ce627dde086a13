"""The positions of the steps of a chain, and the room for labels on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from synth.walk import Step

LEFT, RIGHT, TOP, BOTTOM = 104, 20, 4, 30
HEIGHT = 310
"""Pixels of the margins, and of the whole figure."""
BELOW = 0.66
"""How far the figure reaches below the line, in heights of the longest answer."""
LETTER = 6.2
"""Pixels of one letter in a label."""
WIDEST, WIDEST_COLUMN = 110, 160
"""Pixels of a bar, and from one step to the next, however few they are."""
_LABELS = 51
"""Pixels for three lines of a label on the longest answer."""
_BEYOND = 0.6
"""How far the figure reaches before the first step and beyond the last, in steps."""
_LABEL = 34
"""Pixels of half a label in one line."""
THIN = 60
"""Steps above which a column is too thin for any hatch or outline."""


@dataclass(frozen=True)
class StepColumns:
    """The steps side by side on `span` pixels; those after `current` are still to come.

    `height` is that of the whole figure, in pixels. All other heights are in words above the line
    and, below it, in tokens times `scale`.
    """

    steps: Sequence[Step]
    span: float
    current: int
    height: int = HEIGHT

    @property
    def column(self) -> float:
        """Pixels from one step to the next."""
        return min(self.span / len(self.steps), WIDEST_COLUMN)

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the figure, counted in steps: 1 is the middle of the first one."""
        needed = len(self.steps) - 1 + 2 * _BEYOND
        return 1 - _BEYOND, 1 - _BEYOND + max(needed, self.span / WIDEST_COLUMN)

    @property
    def ends(self) -> tuple[float, float]:
        """The middles of the first and the last step, as shares of the span."""
        start, end = self.range
        return (1 - start) / (end - start), (len(self.steps) - start) / (end - start)

    @property
    def width(self) -> float:
        """The part of a column that its bar takes."""
        part = 0.66 if self.labelled else 0.84 if self.hatched else 1.0
        return min(part, WIDEST / self.column)

    @property
    def labelled(self) -> bool:
        """Whether a column holds numbers: "+36"."""
        return self.column >= 26

    @property
    def hatched(self) -> bool:
        """Whether a column is wide enough for hatches and outlines."""
        return len(self.steps) <= THIN

    @cached_property
    def longest(self) -> int:
        """Words of the longest answer."""
        return max(1, *(self.top(step.number) for step in self.steps))

    @cached_property
    def scale(self) -> float:
        """Words that one token below the line is drawn as: the largest chunk is half as high."""
        return 0.55 * self.longest / max(1, *(step.tokens for step in self.steps))

    @property
    def pixel(self) -> float:
        """Words that are one pixel high."""
        return (BELOW + 1) * self.longest / (self.height - TOP - BOTTOM - _LABELS)

    @property
    def above(self) -> float:
        """Words to which the figure reaches above the line."""
        return self.longest + _LABELS * self.pixel

    def top(self, number: int) -> int:
        """Words of the answer after a step."""
        diff = self.steps[number - 1].diff
        return diff.kept + diff.added

    def crest(self, number: int) -> int:
        """Words above which a step's label touches no answer: its own, or those of near steps."""
        near = 0 if self.labelled else ceil(_LABEL / self.column)
        return max(
            self.top(step.number) for step in self.steps[max(0, number - 1 - near) : number + near]
        )

    @property
    def roomy(self) -> bool:
        """Whether a column holds a word: "step 14"."""
        return self.column >= LETTER * 7

    @property
    def ticks(self) -> list[int]:
        """The steps that have a number below: all, or the first and every fifth, tenth …"""
        steps = (step for step in (1, 5, 10, 20, 50, 100) if step * self.column >= 24)
        each = next(steps, 500)
        return [step.number for step in self.steps if step.number % each == 0 or step.number == 1]
