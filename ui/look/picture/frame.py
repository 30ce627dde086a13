"""Where data stand in a figure: across in per cent, so that it stretches, and down in pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Frame:
    """The room between the margins of a figure, and the ranges of its two axes.

    `top` and `bottom` are in pixels from the top of the figure. A range may run backwards.
    """

    top: float
    bottom: float
    xs: tuple[float, float]
    ys: tuple[float, float]

    @classmethod
    def of(cls, layout: Mapping[str, Any]) -> Frame:
        """The frame of a figure's layout."""
        margin = layout["margin"]
        left, right = layout["xaxis"]["range"]
        lower, upper = layout["yaxis"]["range"]
        return cls(margin["t"], layout["height"] - margin["b"], (left, right), (lower, upper))

    def x(self, value: float) -> float:
        """How far a value stands from the left, in per cent of the room between the margins."""
        start, end = self.xs
        return 100 * (value - start) / (end - start)

    def y(self, value: float) -> float:
        """How far a value stands from the top of the figure, in pixels."""
        start, end = self.ys
        return self.bottom - (self.bottom - self.top) * (value - start) / (end - start)

    def point(self, mark: Mapping[str, Any]) -> tuple[float, float]:
        """Where a note stands; with `xref` "paper", 0 and 1 are the ends of the room."""
        x = 100 * mark["x"] if mark.get("xref") == "paper" else self.x(mark["x"])
        return x, self.y(mark["y"])


def short(number: float) -> str:
    """A number of an SVG, to a hundredth."""
    text = f"{number:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def stroke(line: Mapping[str, Any]) -> str:
    """The attributes of a line that is drawn; a line of no width is not."""
    if not line.get("width"):
        return ""
    dashes = f' stroke-dasharray="{line["dash"].replace("px", "")}"' if "dash" in line else ""
    return f' stroke="{line["color"]}" stroke-width="{short(line["width"])}"{dashes}'
