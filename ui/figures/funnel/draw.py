"""Drawing the fact funnel: a bar is as long as the fact lived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from synth.wording import counted
from ui.figures.funnel.data import Funnel
from ui.figures.funnel.labels import labels
from ui.figures.funnel.places import FEET, HEAD, TALLEST, Box, Places
from ui.look.escape import plot_text
from ui.look.theme import GRID, INK, OUTLINE, Figure, base_figure, marker, mixed, paint

_KINDS = ("context", "held", "answer")
_BAR = 0.62  # the share of a row that a bar fills


def funnel_figure(funnel: Funnel, width: int, selected: tuple[int, int] | None = None) -> Figure:
    """The facts as rows and the columns as panels; `selected` are a fact and a panel, from 0.

    The `customdata` of a click are the same two numbers.
    """
    places = Places(funnel, width)
    boxes = list(places.boxes())
    return base_figure(
        places.height,
        (0, 0, 0, 0),
        [*_bars(places, boxes), _click_area(places, boxes)],
        barmode="overlay",
        annotations=[*labels(places, boxes)],
        shapes=[*_shapes(places, boxes, selected)],
        xaxis={"range": [0, width], "showticklabels": False},
        yaxis={"range": [places.height, 0], "showticklabels": False},
    )


def funnel_alt(funnel: Funnel) -> str:
    """The funnel in words, for those who can't see it."""
    parts = []
    for panel in funnel.panels:
        sent, held, final = panel.counts()
        known = "" if panel.planned else f", {held:,} in an answer, {final:,} in the final answer"
        parts.append(f"{panel.name}: {sent:,} sent{known}")
    return f"Where {counted(len(funnel.facts), 'fact')} went. {'; '.join(parts)}."


def _bars(places: Places, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    """One trace for each kind of bar, with the silhouettes above the panels among them."""
    facts, row = places.funnel.facts, places.row
    tallest = max(len(facts), 1)
    bars: dict[str, list[tuple[float, float, float, float]]] = {kind: [] for kind in _KINDS}
    for panel, box in zip(places.funnel.panels, boxes, strict=True):
        for at, (kind, count) in enumerate(zip(_KINDS, panel.counts(), strict=True)):
            left = box.left + at * box.station
            tall = TALLEST * count / tallest
            if count:
                bars[kind].append((left, box.station, box.top + FEET - tall / 2, tall))
            bars[kind] += [
                (left, box.station, places.y(box, fact), _BAR * row)
                for fact, fate in enumerate(panel.fates)
                if fate.passed[at]
            ]
    if (before := places.before) is not None:
        for at, passed in enumerate(places.funnel.before().values()):
            left, tall = before.left + at * before.station, TALLEST * sum(passed) / tallest
            bars["context"].append((left, before.station, FEET - tall / 2, tall))
            bars["context"] += [
                (left, before.station, places.y(before, fact), _BAR * row)
                for fact, here in enumerate(passed)
                if here
            ]
    for kind, drawn in bars.items():
        yield {
            "type": "bar",
            "orientation": "h",
            "base": [round(left, 1) for left, *_ in drawn],
            "x": [round(wide, 1) for _, wide, *_ in drawn],
            "y": [round(y, 1) for _, _, y, _ in drawn],
            "width": [round(tall, 1) for *_, tall in drawn],
            "marker": _marker(kind, places.many),
        }


def _marker(kind: str, many: bool) -> dict[str, Any]:
    if kind == "context":
        return marker("context")
    style = marker("answer", pattern=kind == "held" and not many)
    if kind == "held" and many:
        style["color"] = mixed(paint("answer").fill, 0.45)
    return style


def _click_area(places: Places, boxes: Sequence[Box]) -> dict[str, Any]:
    """Transparent bars that take the clicks on a fact in a panel, also where nothing is drawn."""
    cells = [
        (box, fact, number, fate)
        for number, (panel, box) in enumerate(zip(places.funnel.panels, boxes, strict=True))
        for fact, fate in enumerate(panel.fates)
    ]
    return {
        "type": "bar",
        "orientation": "h",
        "base": [box.left for box, *_ in cells],
        "x": [box.right - box.left for box, *_ in cells],
        "y": [places.y(box, fact) for box, fact, *_ in cells],
        "width": places.row,
        "marker": {"color": "rgba(0,0,0,0)", "line": {"width": 0}},
        "customdata": [[fact, number] for _, fact, number, _ in cells],
        "hovertext": [plot_text(fate.sentence, 200) for *_, fate in cells],
    }


def _shapes(
    places: Places, boxes: Sequence[Box], selected: tuple[int, int] | None
) -> Iterator[dict[str, Any]]:
    """A line below the heads, the edges of the panels, and the frame of what is selected."""
    bottom = places.block - 10
    for number, box in enumerate(boxes):
        left = 0 if places.stacked else (box.left if number else 0)
        yield _line(GRID, left, box.top + HEAD - 1, box.right, box.top + HEAD - 1)
        for x, color in ((box.left, GRID), (box.right, OUTLINE)):
            yield _line(color, x, box.top + HEAD - 1, x, box.top + bottom)
    if selected is not None:
        fact, panel = selected
        box, half = boxes[panel], places.row / 2
        y = places.y(box, fact)
        yield {
            "type": "rect",
            "x0": box.left - 3,
            "x1": box.right + 1,
            "y0": y - half,
            "y1": y + half,
            "line": {"color": INK, "width": 2},
        }


def _line(color: str, x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    line = {"color": color, "width": 1}
    return {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line}
