"""The numbers, names, grid and titles of the two axes of a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, floor, log10
from typing import Any

from ui.look.picture.frame import Frame, short
from ui.look.picture.words import words

_BESIDE, _BELOW, _LINE = 6, 15, 16  # pixels from the frame to a number, and to the title below it
_MOST = 8  # numbers on an axis that does not say


def axes(layout: Mapping[str, Any], frame: Frame) -> Iterator[str]:
    """Both axes: the grid of one, the numbers or names of those that show them, their titles."""
    across, down = layout["xaxis"], layout["yaxis"]
    for value, text in ticks(across, frame.xs):
        x = frame.x(value)
        if across["showgrid"]:
            ends = f'x1="{short(x)}%" x2="{short(x)}%" y1="{frame.top}" y2="{frame.bottom}"'
            yield f'<line {ends} stroke="{across["gridcolor"]}"/>'
        yield words(x, frame.bottom + _BELOW, text, kind="tick", **_font(across))
    for value, text in ticks(down, frame.ys):
        y = frame.y(value)
        yield words(0, y, text, anchor="end", kind="tick", shift=-_BESIDE, **_font(down))
    if title := across["title"].get("text"):
        y = frame.bottom + _BELOW + _LINE
        yield words(50, y, title, kind="note", **_font(across["title"], "font"))
    if title := down["title"].get("text"):
        left, middle = layout["margin"]["l"] - 10, short((frame.top + frame.bottom) / 2)
        upright = words(0, 0, title, kind="note", **_font(down["title"], "font"))
        yield f'<g transform="translate({-left} {middle}) rotate(-90)">{upright}</g>'


def _font(of: Mapping[str, Any], name: str = "tickfont") -> dict[str, Any]:
    return {"size": of[name]["size"], "colour": of[name]["color"]}


def ticks(axis: Mapping[str, Any], ends: tuple[float, float]) -> Iterator[tuple[float, str]]:
    """The values of an axis that have a number or a name, with it."""
    if not axis.get("showticklabels", True):
        return
    if "tickvals" in axis:
        yield from zip(axis["tickvals"], axis["ticktext"], strict=True)
        return
    low, high = sorted(ends)
    step, decimals = _step((high - low) / axis.get("nticks", _MOST))
    suffix = axis.get("ticksuffix", "")
    for at in range(ceil(low / step), floor(high / step) + 1):
        yield at * step, f"{at * step:,.{decimals}f}{suffix}"


def _step(least: float) -> tuple[float, int]:
    """The round number from `least` on: 1, 2 or 5 times a power of ten, and its decimals."""
    power = floor(log10(least))
    step = next(step for step in (1, 2, 5, 10) if step * 10.0**power >= least)
    return step * 10.0**power, max(0, -power - (step == 10))
