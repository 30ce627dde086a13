"""The bars of a figure, with their hatches, their words, and what they say and tell of a click."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import pi, sqrt
from typing import Any

from ui.look.picture.frame import Frame, short, stroke
from ui.look.picture.words import plain, words

_TILE = 4
"""The units of a tile of a hatch, which is repeated across and down."""
_UP, _DOWN = "M-1 1l2-2M0 4l4-4M3 5l2-2", "M3-1l2 2M0 0l4 4M-1 3l2 2"
_STROKES = {
    "/": f'path d="{_UP}"',
    "\\": f'path d="{_DOWN}"',
    "x": f'path d="{_UP}{_DOWN}"',
    "-": 'path d="M0 2h4"',
    "|": 'path d="M2 0v4"',
    ".": 'circle cx="2" cy="2"',
}


@dataclass
class Bars:
    """Draws the bars of one figure after the other; `stacked` bars begin where others end.

    `name` makes the ids of its hatches those of this figure, `marks` gets the customdata of
    each bar that can be clicked, by the name under which the page tells of it.
    """

    frame: Frame
    name: str
    stacked: bool
    gap: float
    marks: dict[str, Any] = field(default_factory=dict)
    _ends: dict[float, float] = field(default_factory=lambda: defaultdict(float))
    _traces: int = 0

    def draw(self, trace: Mapping[str, Any]) -> Iterator[str]:
        """The bars of a trace as one group of rectangles."""
        self._traces += 1
        marker = trace["marker"]
        fill = marker["color"]
        if pattern := marker.get("pattern"):
            hatch = f"{self.name}-{self._traces}"
            yield _hatch(pattern, hatch)
            fill = f"url(#{hatch})"
        pale = f' opacity="{trace["opacity"]}"' if "opacity" in trace else ""
        yield f'<g class="bars" fill="{fill}"{stroke(marker.get("line", {}))}{pale}>'
        texts: list[str] = []
        for at, (x, y, width, height) in enumerate(self._boxes(trace)):
            if width and height:
                yield self._rect(trace, at, (x, y, width, height))
                if text := trace.get("text") and trace["text"][at]:
                    font = trace["insidetextfont"]
                    middle = x + width / 2, y + height / 2
                    size, colour = font["size"], font["color"]
                    texts.append(words(*middle, text, kind="word inside", size=size, colour=colour))
        yield "</g>"
        yield from texts

    def _boxes(self, trace: Mapping[str, Any]) -> Iterator[tuple[float, float, float, float]]:
        """Left and width in per cent, top and height in pixels, of each bar."""
        flat = trace.get("orientation") == "h"
        positions, lengths = (trace["y"], trace["x"]) if flat else (trace["x"], trace["y"])
        thick = trace.get("width", 1 - self.gap)
        for at, (position, length) in enumerate(zip(positions, lengths, strict=True)):
            base = trace["base"][at] if "base" in trace else 0.0
            if self.stacked:
                base = self._ends[position]
                self._ends[position] += length
            half = (thick if isinstance(thick, (int, float)) else thick[at]) / 2
            along, beside = (base, base + length), (position - half, position + half)
            xs, ys = (along, beside) if flat else (beside, along)
            left, right = sorted(map(self.frame.x, xs))
            top, bottom = sorted(map(self.frame.y, ys))
            yield left, top, right - left, bottom - top

    def _rect(
        self, trace: Mapping[str, Any], at: int, box: tuple[float, float, float, float]
    ) -> str:
        x, y, width, height = map(short, box)
        click = ""
        if "customdata" in trace:
            name = f"{self._traces}-{at}"
            self.marks[name] = trace["customdata"][at]
            click = f' data-mark="{name}"'
        says = f"<title>{plain(trace['hovertext'][at])}</title>" if "hovertext" in trace else ""
        return f'<rect x="{x}%" y="{y}" width="{width}%" height="{height}"{click}>{says}</rect>'


def _hatch(pattern: Mapping[str, Any], name: str) -> str:
    """A hatch with the strokes that Plotly gives it."""
    shape, size, solidity = pattern["shape"], pattern["size"], pattern["solidity"]
    side = size * sqrt(2) if shape in "/\\x" else size  # pixels, of _TILE units
    unit = side / _TILE
    if shape == ".":
        radius = sqrt(solidity * size * size / pi) / unit
        paint = f'r="{short(radius)}" fill="{pattern["fgcolor"]}"'
    else:
        wide = size - size * sqrt(1 - solidity) if shape == "x" else solidity * size
        paint = f'stroke="{pattern["fgcolor"]}" stroke-width="{short(wide / unit)}"'
    return (
        f'<pattern id="{name}" width="{short(side)}" height="{short(side)}"'
        f' viewBox="0 0 {_TILE} {_TILE}" patternUnits="userSpaceOnUse">'
        f'<rect width="{_TILE}" height="{_TILE}" fill="{pattern["bgcolor"]}"/>'
        f'<{_STROKES[shape]} {paint} opacity="{short(pattern.get("fgopacity", 1))}"/></pattern>'
    )
