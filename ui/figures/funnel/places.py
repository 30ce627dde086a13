"""Where everything of the fact funnel stands, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ui.figures.funnel.data import STATIONS, Funnel

HEAD = 128  # pixels above the rows of a panel
FEET, STATION_NAMES = 104, 116  # where the counting bars end, and the names of stations
GAP = 24  # pixels between panels
MANY = 14  # facts, beyond which rows are lower and bars have no pattern
TALLEST = 44  # pixels of the bar that counts all facts
_BELOW = 10
_STACKED_BELOW = 700  # pixels of width, under which panels stand one below the other
_STACKED_LABELS = 0.46  # of the width
_LABELS, _BEFORE = 246, 104  # pixels of the names of facts, and of the two stations before a call
NAMES, _NAME_END = 16, 8  # pixels before the name of a fact, and from there to the first bar


@dataclass(frozen=True)
class Box:
    """A panel: its left edge, its top, and the width of each of its stations."""

    left: float
    top: float
    station: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + len(STATIONS) * self.station


@dataclass(frozen=True)
class Places:
    """The places for a funnel in a figure of this width."""

    funnel: Funnel
    width: int

    @property
    def stacked(self) -> bool:
        """Whether the panels stand one below the other, each with its own names of facts."""
        return self.width < _STACKED_BELOW

    @property
    def many(self) -> bool:
        """Whether there are too many facts for patterns."""
        return len(self.funnel.facts) > MANY

    @property
    def row(self) -> int:
        """The height of a row."""
        return 21 if self.many else 25

    @property
    def block(self) -> int:
        """The height of a panel."""
        return HEAD + self.row * len(self.funnel.facts) + _BELOW

    @property
    def height(self) -> int:
        """The height of the figure."""
        return self.block * (len(self.funnel.panels) if self.stacked else 1)

    @property
    def before(self) -> Box | None:
        """The stations before any call; none where panels are stacked."""
        return None if self.stacked else Box(_LABELS, 0, _BEFORE / 2)

    def boxes(self) -> Iterator[Box]:
        """The panels in order."""
        count = len(self.funnel.panels)
        if self.stacked:
            left = _STACKED_LABELS * self.width
            for number in range(count):
                yield Box(left, number * self.block, (self.width - left - 2) / len(STATIONS))
            return
        left = _LABELS + _BEFORE + GAP
        wide = (self.width - left - 2 - GAP * (count - 1)) / count
        for number in range(count):
            yield Box(left + number * (wide + GAP), 0, wide / len(STATIONS))

    def y(self, box: Box, fact: int) -> float:
        """The middle of the row of a fact, counted from 0."""
        return box.top + HEAD + self.row * (fact + 0.5)

    @property
    def name_width(self) -> float:
        """The pixels that the name of a fact may take; where it has more it is cut."""
        column = _STACKED_LABELS * self.width if self.stacked else _LABELS
        return column - NAMES - _NAME_END
