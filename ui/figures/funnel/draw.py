"""Drawing the fact funnel: a bar is as long as the fact lived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from synth.wording import counted
from ui.figures.funnel.data import STATIONS, Funnel, FunnelFact, Panel
from ui.figures.funnel.places import FEET, HEAD, STATION_NAMES, TALLEST, Box, Places
from ui.look.escape import escape, plot_text
from ui.look.theme import Figure, Look, base_figure, marker, note, rgba

_KINDS = ("context", "held", "answer")
_BAR, _WORDS = 0.62, 12  # the share of a row that a bar fills; pixels of words at its end
_CHUNKS = 3  # numbers of chunks that are shown


def funnel_figure(
    funnel: Funnel, look: Look, width: int, selected: tuple[int, int] | None = None
) -> Figure:
    """The facts as rows and the columns as panels; `selected` are a fact and a panel, from 0.

    The `customdata` of a click are the same two numbers.
    """
    places = Places(funnel, width)
    boxes = list(places.boxes())
    return base_figure(
        look,
        places.height,
        (0, 0, 0, 0),
        [*_bars(places, boxes, look), _click_area(places, boxes)],
        barmode="overlay",
        annotations=[*_annotations(places, boxes, look)],
        shapes=[*_shapes(places, boxes, look, selected)],
        xaxis={"range": [0, width], "visible": False},
        yaxis={"range": [places.height, 0], "visible": False},
    )


def funnel_alt(funnel: Funnel) -> str:
    """The funnel in words, for those who can't see it."""
    parts = []
    for panel in funnel.panels:
        sent, held, final = panel.counts()
        known = "" if panel.planned else f", {held:,} in an answer, {final:,} in the final answer"
        parts.append(f"{panel.name}: {sent:,} sent{known}")
    return f"Where {counted(len(funnel.facts), 'fact')} went. {'; '.join(parts)}."


def _bars(places: Places, boxes: Sequence[Box], look: Look) -> Iterator[dict[str, Any]]:
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
        for at, passed in enumerate((_in_chunks(facts), [fact.retrieved for fact in facts])):
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
            "marker": _marker(kind, look, places.many),
            "hoverinfo": "skip",
            "unselected": {"marker": {"opacity": 1}},
        }


def _in_chunks(facts: Sequence[FunnelFact]) -> list[bool]:
    return [bool(fact.chunks) for fact in facts]


def _marker(kind: str, look: Look, many: bool) -> dict[str, Any]:
    if kind == "context":
        return marker(look, "context")
    style = marker(look, "answer", pattern=kind == "held" and not many)
    if kind == "held" and many:
        style["color"] = rgba(look.paint("answer").fill, 0.45)
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
        "customdata": [
            [fact, number, plot_text(fate.sentence, 200)] for _, fact, number, fate in cells
        ],
        "hovertemplate": "%{customdata[2]}<extra></extra>",
        "unselected": {"marker": {"opacity": 1}},
    }


def _annotations(places: Places, boxes: Sequence[Box], look: Look) -> Iterator[dict[str, Any]]:
    facts = places.funnel.facts
    for number, (panel, box) in enumerate(zip(places.funnel.panels, boxes, strict=True)):
        yield from _head(panel, box, facts, look)
        yield from _ends(panel, box, places, look)
        if places.stacked or not number:
            yield from _names(facts, box, places, look)
    if (before := places.before) is not None:
        yield from _before(facts, before, places, look)


def _head(
    panel: Panel, box: Box, facts: Sequence[FunnelFact], look: Look
) -> Iterator[dict[str, Any]]:
    """The name of a panel, its facts that must arrive, and the counts of its stations."""
    letters = int((box.right - box.left) / 7.5)
    title = f"<b>{plot_text(panel.name, letters)}</b>"
    yield _text(look, box.left, box.top + 14, title, color=look.ink, size=14)
    arrived, musts = panel.arrived(facts)
    if musts and not panel.planned:
        words = f"◆ <b>{arrived}</b> of {musts} arrived"
        yield _text(look, box.left, box.top + 32, words, color=look.ink)
    tallest = max(len(facts), 1)
    for at, (name, count) in enumerate(zip(STATIONS, panel.counts(), strict=True)):
        middle = box.left + (at + 0.5) * box.station
        yield _text(look, middle, box.top + STATION_NAMES, name, xanchor="center")
        if at and panel.planned:
            continue
        number = f"<b>{count:,}</b>" if at == len(STATIONS) - 1 else f"{count:,}"
        y = box.top + FEET - 8 - TALLEST * count / tallest
        yield _text(look, middle, y, number, xanchor="center", color=look.ink, size=13)


def _ends(panel: Panel, box: Box, places: Places, look: Look) -> Iterator[dict[str, Any]]:
    """A tick in the final answer, or the words at the end of a bar."""
    for number, fate in enumerate(panel.fates):
        y = places.y(box, number)
        lived = max((at + 1 for at, passed in enumerate(fate.passed) if passed), default=0)
        if fate.passed[-1]:
            x = box.left + 2.5 * box.station
            label = look.paint("answer").label
            yield _text(look, x, y, "✓", xanchor="center", color=label)
        elif end := fate.end or _lost_before(places, number):
            color = look.muted if lived else look.ink
            words = f"✕ {escape(end)}"
            yield _text(look, box.left + lived * box.station + 5, y, words, color=color)


def _lost_before(places: Places, number: int) -> str:
    """Why a fact reached no mode, where no panel of its own says it."""
    fact = places.funnel.facts[number]
    if not places.stacked or fact.retrieved:
        return ""
    return "not retrieved" if fact.chunks else "in no chunk"


def _names(
    facts: Sequence[FunnelFact], box: Box, places: Places, look: Look
) -> Iterator[dict[str, Any]]:
    for number, fact in enumerate(facts):
        name = plot_text(fact.text, places.label_letters)
        y = places.y(box, number)
        if fact.must:
            yield _text(look, 2, y, "◆", color=look.ink, size=10)
            name = f"<b>{name}</b>"
        yield _text(look, 16, y, name, color=look.ink, size=13)
    words = f"{counted(len(facts), 'fact')}; ◆ must arrive"
    yield _text(look, 2, box.top + STATION_NAMES, words)


def _before(
    facts: Sequence[FunnelFact], box: Box, places: Places, look: Look
) -> Iterator[dict[str, Any]]:
    """The stations before any call, which do not depend on the mode."""
    yield _text(look, box.left, 14, "<b>before any call</b>", color=look.ink, size=14)
    stations = {"in chunks": _in_chunks(facts), "retrieved": [fact.retrieved for fact in facts]}
    for at, (name, passed) in enumerate(stations.items()):
        middle, count = box.left + (at + 0.5) * box.station, sum(passed)
        yield _text(look, middle, STATION_NAMES, name, xanchor="center")
        y = FEET - 8 - TALLEST * count / max(len(facts), 1)
        yield _text(look, middle, y, f"{count:,}", xanchor="center", color=look.ink, size=13)
    for number, fact in enumerate(facts):
        y = places.y(box, number)
        if not fact.chunks:
            yield _text(look, box.left + 4, y, "✕ in no chunk", color=look.ink)
            continue
        chunks = ", ".join(map(str, fact.chunks[:_CHUNKS])) + ("…" * (len(fact.chunks) > _CHUNKS))
        label = look.paint("context").label
        yield _text(look, box.left + box.station / 2, y, chunks, xanchor="center", color=label)
        if not fact.retrieved:
            yield _text(look, box.left + box.station + 4, y, "✕ not retrieved", color=look.ink)


def _text(look: Look, x: float, y: float, text: str, **options: Any) -> dict[str, Any]:
    place = {"xanchor": "left", "yanchor": "middle", "size": _WORDS, **options}
    return note(look, round(x, 1), round(y, 1), text, captureevents=False, **place)


def _shapes(
    places: Places, boxes: Sequence[Box], look: Look, selected: tuple[int, int] | None
) -> Iterator[dict[str, Any]]:
    """A line below the heads, the edges of the panels, and the frame of what is selected."""
    bottom = places.block - 10
    for number, box in enumerate(boxes):
        left = 0 if places.stacked else (box.left if number else 0)
        yield _line(look.grid, left, box.top + HEAD - 1, box.right, box.top + HEAD - 1)
        for x, color in ((box.left, look.grid), (box.right, look.outline)):
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
            "line": {"color": look.ink, "width": 2},
        }


def _line(color: str, x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    line = {"color": color, "width": 1}
    return {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line, "layer": "below"}
