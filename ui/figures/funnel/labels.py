"""The words on the fact funnel: heads, names of facts, and the ends of bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from synth.wording import counted
from ui.figures.funnel.data import STATIONS, FunnelFact, Panel
from ui.figures.funnel.places import FEET, NAMES, STATION_NAMES, TALLEST, Box, Places
from ui.look.escape import escape, plot_text
from ui.look.theme import INK, MUTED, note, paint

_WORDS = 12  # pixels
_CHUNKS = 3  # numbers of chunks that are shown
_LETTERS = 200  # of the name of a fact, more than any column has room for


def labels(places: Places, boxes: Sequence[Box]) -> Iterator[dict[str, Any]]:
    """All words, as annotations."""
    facts = places.funnel.facts
    for number, (panel, box) in enumerate(zip(places.funnel.panels, boxes, strict=True)):
        yield from _head(panel, box, facts)
        yield from _ends(panel, box, places)
        if places.stacked or not number:
            yield from _names(facts, box, places)
    if (before := places.before) is not None:
        yield from _before(before, places)


def _head(panel: Panel, box: Box, facts: Sequence[FunnelFact]) -> Iterator[dict[str, Any]]:
    """The name of a panel, its facts that must arrive, and the counts of its stations."""
    letters = int((box.right - box.left) / 7.5)
    title = f"<b>{plot_text(panel.name, letters)}</b>"
    yield _text(box.left, box.top + 14, title, color=INK, size=14)
    arrived, musts = panel.arrived(facts)
    if musts and not panel.planned:
        words = f"◆ <b>{arrived}</b> of {musts} arrived"
        yield _text(box.left, box.top + 32, words, color=INK)
    tallest = max(len(facts), 1)
    for at, (name, count) in enumerate(zip(STATIONS, panel.counts(), strict=True)):
        middle = box.left + (at + 0.5) * box.station
        yield _text(middle, box.top + STATION_NAMES, name, xanchor="center")
        if at and panel.planned:
            continue
        number = f"<b>{count:,}</b>" if at == len(STATIONS) - 1 else f"{count:,}"
        y = box.top + FEET - 8 - TALLEST * count / tallest
        yield _text(middle, y, number, xanchor="center", color=INK, size=13)


def _ends(panel: Panel, box: Box, places: Places) -> Iterator[dict[str, Any]]:
    """A tick in the final answer, or the words at the end of a bar."""
    for number, fate in enumerate(panel.fates):
        y = places.y(box, number)
        lived = max((at + 1 for at, passed in enumerate(fate.passed) if passed), default=0)
        if fate.passed[-1]:
            x = box.left + 2.5 * box.station
            label = paint("answer").label
            yield _text(x, y, "✓", xanchor="center", color=label)
        elif end := fate.end or _lost_before(places, number):
            color = MUTED if lived else INK
            words = f"✕ {escape(end)}"
            yield _text(box.left + lived * box.station + 5, y, words, color=color)


def _lost_before(places: Places, number: int) -> str:
    """Why a fact reached no mode, where no panel of its own says it."""
    fact = places.funnel.facts[number]
    if not places.stacked or fact.retrieved:
        return ""
    return "not retrieved" if fact.chunks else "in no chunk"


def _names(facts: Sequence[FunnelFact], box: Box, places: Places) -> Iterator[dict[str, Any]]:
    for number, fact in enumerate(facts):
        name = plot_text(fact.text, _LETTERS)
        y = places.y(box, number)
        if fact.must:
            yield _text(2, y, "◆", color=INK, size=10)
            name = f"<b>{name}</b>"
        width = round(places.name_width, 1)
        yield _text(NAMES, y, name, color=INK, size=13, width=width)
    words = f"{counted(len(facts), 'fact')}; ◆ must arrive"
    yield _text(2, box.top + STATION_NAMES, words)


def _before(box: Box, places: Places) -> Iterator[dict[str, Any]]:
    """The stations before any call, which do not depend on the mode."""
    yield _text(box.left, 14, "<b>before any call</b>", color=INK, size=14)
    facts = places.funnel.facts
    for at, (name, passed) in enumerate(places.funnel.before().items()):
        middle, count = box.left + (at + 0.5) * box.station, sum(passed)
        yield _text(middle, STATION_NAMES, name, xanchor="center")
        y = FEET - 8 - TALLEST * count / max(len(facts), 1)
        yield _text(middle, y, f"{count:,}", xanchor="center", color=INK, size=13)
    for number, fact in enumerate(facts):
        y = places.y(box, number)
        if not fact.chunks:
            yield _text(box.left + 4, y, "✕ in no chunk", color=INK)
            continue
        chunks = ", ".join(map(str, fact.chunks[:_CHUNKS])) + ("…" * (len(fact.chunks) > _CHUNKS))
        label = paint("context").label
        yield _text(box.left + box.station / 2, y, chunks, xanchor="center", color=label)
        if not fact.retrieved:
            yield _text(box.left + box.station + 4, y, "✕ not retrieved", color=INK)


def _text(x: float, y: float, text: str, **options: Any) -> dict[str, Any]:
    place = {"xanchor": "left", "yanchor": "middle", "size": _WORDS, **options}
    return note(round(x, 1), round(y, 1), text, **place)
