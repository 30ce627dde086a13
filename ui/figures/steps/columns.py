"""The positions of the steps of a chain, and the room for labels on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from ui.trace.steps import Step

LEFT, RIGHT, TOP, BOTTOM = 104, 20, 4, 30
HEIGHT = 310
"""Pixels of the margins, and of the whole figure."""
BELOW, ABOVE = 0.66, 1.38
"""How far the figure reaches below and above the line, in heights of the longest answer."""
LETTER = 6.2
"""Pixels of one letter in a label."""
WIDEST = 110
"""Pixels of a bar, however few they are."""
_LABEL = 34
"""Pixels of half a label in one line."""
THIN = 60
"""Steps above which a column is too thin for any hatch or outline."""


@dataclass(frozen=True)
class StepColumns:
    """The steps side by side on `span` pixels; those after `current` are still to come.

    Heights are in words above the line and, below it, in tokens times `scale`.
    """

    steps: Sequence[Step]
    span: float
    current: int

    @property
    def column(self) -> float:
        """Pixels from one step to the next."""
        return self.span / len(self.steps)

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
        return (BELOW + ABOVE) * self.longest / (HEIGHT - TOP - BOTTOM)

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
