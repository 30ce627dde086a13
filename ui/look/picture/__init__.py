"""A figure drawn by us, as SVG.

Plotly takes a browser longer than all the rest of an edit, and Streamlit lets it draw each
figure twice. The pictures of calls and chunks change with every edit, and of Plotly they need
bars, words, lines and filled outlines. These are drawn here, from the same figure. Curves and
charts, whose points one compares along an axis, are left to Plotly.

Across, a figure stretches with the page between its margins; its words and its height don't.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ui.look.picture.axes import axes
from ui.look.picture.bars import Bars
from ui.look.picture.frame import Frame, short
from ui.look.picture.lines import head_trace, line_trace, shape
from ui.look.picture.words import note_words, text_trace
from ui.look.theme import Figure


class Picture(NamedTuple):
    """A figure as SVG; `marks` are the customdata of its bars, by their attribute `data-mark`."""

    svg: str
    marks: dict[str, Any]


def picture(figure: Figure, name: str) -> Picture:
    """Draw a figure; `name` tells its hatches from those of all other pictures of a page."""
    layout = figure["layout"]
    frame = Frame.of(layout)
    bars = Bars(frame, name, layout.get("barmode") == "stack", layout.get("bargap", 0.2))
    parts = "".join(_parts(figure, frame, bars))
    margin = layout["margin"]
    sides = f"margin-left: {margin['l']}px; width: calc(100% - {margin['l'] + margin['r']}px)"
    svg = (
        f'<svg style="{sides}" height="{short(layout["height"])}" aria-hidden="true">{parts}</svg>'
    )
    return Picture(svg, bars.marks)


def _parts(figure: Figure, frame: Frame, bars: Bars) -> Iterator[str]:
    """The traces in their order over the axes, then what is laid over them."""
    layout = figure["layout"]
    yield from axes(layout, frame)
    for trace in figure["data"]:
        match trace["type"], trace.get("mode"):
            case "bar", _:
                yield from bars.draw(trace)
            case "scatter", "lines":
                yield from line_trace(trace, frame)
            case "scatter", "markers":
                yield from head_trace(trace, frame)
            case "scatter", "text":
                yield from text_trace(trace, frame)
    for drawn in layout.get("shapes", ()):
        yield shape(drawn, frame)
    for note in layout.get("annotations", ()):
        yield note_words(note, frame)
