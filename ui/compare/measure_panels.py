"""The positions of the panels of small multiples, and the scale of the bars in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.compare.analysis.measures import MeasureRow

ROW, TITLE, FOOT, RIGHT = 28, 30, 8, 8
"""Pixels of a bar with its gap, above a panel (its title), below it, and at the right."""
LETTER = 6.6
"""Pixels of one letter of a value or a name."""
_NARROWEST, _BETWEEN = 112, 14  # pixels of a panel, and from one to the next
_SHRUNK = 0.75  # of the given width: the browser may show the figure narrower
_LEAST_BAR = 0.3  # of a panel: the longest bar is never shorter
_NAME = (64, 172)  # pixels of the names: the least and the most


@dataclass(frozen=True)
class PanelGrid:
    """Lines of as many panels as are readable, each line as long as the others if possible.

    `width` is that of the figure in pixels; every panel has one bar per label.
    """

    count: int
    labels: Sequence[str]
    width: int

    @property
    def left(self) -> int:
        """Pixels for the names of the bars."""
        longest = max(map(len, self.labels), default=0)
        least, most = _NAME
        return round(min(max(longest * LETTER + 18, least), most, self.width * 0.3))

    @property
    def letters(self) -> int:
        """The number of letters of a name that have room."""
        return int((self.left - 14) / LETTER)

    @property
    def plot(self) -> int:
        """Pixels of all panels of a line."""
        return self.width - self.left - RIGHT

    @property
    def per_line(self) -> int:
        """Panels on a line."""
        most = max(1, self.plot // _NARROWEST)
        lines = -(-self.count // most)
        return -(-self.count // max(1, lines))

    @property
    def lines(self) -> int:
        """The number of lines."""
        return -(-self.count // max(1, self.per_line))

    @property
    def panel(self) -> float:
        """Pixels of one panel, without the gap before the next."""
        return self.plot / max(1, self.per_line) - _BETWEEN

    @property
    def line_height(self) -> int:
        """Pixels of a line with its titles."""
        return TITLE + ROW * len(self.labels) + FOOT

    @property
    def height(self) -> int:
        """Pixels of the whole figure."""
        return max(1, self.lines) * self.line_height

    def across(self, position: int) -> tuple[float, float]:
        """The left and right edge of a panel, as parts of the plot's width."""
        begin = position % self.per_line * (self.panel + _BETWEEN)
        return begin / self.plot, min(1.0, (begin + self.panel) / self.plot)

    def up(self, line: int) -> tuple[float, float]:
        """The lower and upper edge of the bars of a line, as parts of the figure's height."""
        below = (self.lines - 1 - line) * self.line_height + FOOT
        return below / self.height, (below + ROW * len(self.labels)) / self.height

    def reach(self, row: MeasureRow) -> float:
        """The amount at the right end of a panel, so that every value fits behind its bar."""
        panel = _SHRUNK * self.panel
        bars = [
            amount / max(panel - LETTER * len(value) - 8, _LEAST_BAR * panel)
            for amount, value in zip(row.amounts, row.values, strict=True)
            if amount
        ]
        return max(bars, default=0.0) * panel or 1.0
