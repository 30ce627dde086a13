"""The fact funnel: how far each fact came in each column of a comparison.

The facts are rows and the columns are panels; a bar is as long as the fact lived.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from synth.pictures.fates import STATIONS, Funnel, Panel, funnel_alt
from synth.pictures.shapes import Box, Cut, Path, Picture, Shape, Text
from synth.text.wording import Bold, counted, short

_KINDS = ("k-context", "k-answer", "k-answer plain")  # of the bars of the stations
_HEAD, _FEET, _STATION_NAMES = 128, 104, 116
"""Pixels above the rows of a panel; where the counting bars end, and the names of stations."""
_GAP, _UNDER = 24, 10  # pixels between panels, and below the rows
_MANY = 14  # facts, beyond which rows are lower and bars have no hatch
_TALLEST, _BAR = 44, 0.62  # pixels of the bar that counts all facts; the share of a row of a bar
_STACKED_BELOW, _STACKED_NAMES = 700, 0.46
"""Pixels of width under which panels stand one below the other; the share of them of the names."""
_NAMES, _BEFORE = 246, 104  # pixels of the names of facts, and of the two stations before a call
_NAME, _NAME_END = 16, 8  # pixels before the name of a fact, and from there to the first bar
_CHUNKS, _LETTERS = 3, 200  # numbers of chunks that are shown, letters of a name


@dataclass(frozen=True)
class _Place:
    """Where a panel stands: its left edge, its top, and the width of each of its stations."""

    left: float
    top: float
    station: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + len(STATIONS) * self.station

    def middle(self, station: int) -> float:
        """The middle of a station, counted from 0."""
        return self.left + (station + 0.5) * self.station


@dataclass(frozen=True)
class _Places:
    """The places for a funnel in a picture of this width, in pixels."""

    funnel: Funnel
    width: int

    @property
    def stacked(self) -> bool:
        """Whether the panels stand one below the other, each with its own names of facts."""
        return self.width < _STACKED_BELOW

    @property
    def many(self) -> bool:
        """Whether there are too many facts for hatches."""
        return len(self.funnel.facts) > _MANY

    @property
    def row(self) -> int:
        """The height of a row."""
        return 21 if self.many else 25

    @property
    def block(self) -> int:
        """The height of a panel."""
        return _HEAD + self.row * len(self.funnel.facts) + _UNDER

    @property
    def names(self) -> float:
        """Where the names of facts end."""
        return _STACKED_NAMES * self.width if self.stacked else _NAMES

    def panels(self) -> Iterator[_Place]:
        """The panels in order."""
        count = len(self.funnel.panels)
        if self.stacked:
            for number in range(count):
                station = (self.width - self.names - 2) / len(STATIONS)
                yield _Place(self.names, number * self.block, station)
            return
        left = _NAMES + _BEFORE + _GAP
        wide = (self.width - left - 2 - _GAP * (count - 1)) / count
        for number in range(count):
            yield _Place(left + number * (wide + _GAP), 0, wide / len(STATIONS))

    def y(self, place: _Place, fact: int) -> float:
        """The middle of the row of a fact, counted from 0."""
        return place.top + _HEAD + self.row * (fact + 0.5)

    def tall(self, count: int) -> float:
        """The pixels of the bar that counts so many facts."""
        return _TALLEST * count / max(len(self.funnel.facts), 1)


def funnel_picture(funnel: Funnel, width: int, selected: tuple[int, int] | None = None) -> Picture:
    """The facts as rows and the columns as panels; `selected` are a fact and a panel, from 0.

    A click tells the same two numbers.
    """
    places = _Places(funnel, width)
    height = places.block * (len(funnel.panels) if places.stacked else 1)
    picture = Picture(width, height, funnel_alt(funnel), (0, width))
    words: list[Shape] = []
    if not places.stacked:
        words += _before(picture, places)
    for number, (panel, place) in enumerate(zip(funnel.panels, places.panels(), strict=True)):
        edge = 0 if places.stacked or not number else place.left
        picture.add(*_edges(place, places, edge), *_bars(panel, place, places))
        words += [*_head(panel, place, places), *_ends(panel, place, places)]
        if places.stacked or not number:
            words += _names(place, places)
        if selected is not None and selected[1] == number:
            top = places.y(place, selected[0]) - places.row / 2
            words.append(Box(place.left - 3, place.right + 1, top, places.row, "frame"))
        words += _click_areas(number, panel, place, places)
    picture.add(*words)
    return picture


def _counting(place: _Place, station: int, count: int, kind: str, places: _Places) -> Box:
    """The bar above a station that counts the facts that passed it."""
    tall, left = places.tall(count), place.left + station * place.station
    return Box(left, left + place.station, place.top + _FEET - tall, tall, kind)


def _living(place: _Place, station: int, fact: int, kind: str, places: _Places) -> Box:
    """The piece of the bar of a fact that passed a station."""
    high, left = _BAR * places.row, place.left + station * place.station
    return Box(left, left + place.station, places.y(place, fact) - high / 2, high, kind)


def _bars(panel: Panel, place: _Place, places: _Places) -> Iterator[Box]:
    for at, (kind, count) in enumerate(zip(_KINDS, panel.counts(), strict=True)):
        style = f"{kind} plain weak" if at == 1 and places.many else kind
        if count:
            yield _counting(place, at, count, style, places)
        for fact, fate in enumerate(panel.fates):
            if fate.passed[at]:
                yield _living(place, at, fact, "k-unread" if fate.unread else style, places)


def _click_areas(number: int, panel: Panel, place: _Place, places: _Places) -> Iterator[Box]:
    """Unseen boxes that take the clicks on a fact in a panel, also where nothing is drawn."""
    for fact, fate in enumerate(panel.fates):
        top = places.y(place, fact) - places.row / 2
        says = short(fate.sentence, _LETTERS)
        yield Box(place.left, place.right, top, places.row, "clear", says, (fact, number))


def _edges(place: _Place, places: _Places, left: float) -> Iterator[Path]:
    """A line below the head, and the edges of the panel."""
    head, foot = place.top + _HEAD - 1, place.top + places.block - _UNDER
    across, start = [(left, head), (place.right, head)], [(place.left, head), (place.left, foot)]
    yield Path([across, start], "gridline")
    yield Path([[(place.right, head), (place.right, foot)]], "edge")


def _text(x: float, y: float, words: str | list[str], kind: str = "", size: int = 12) -> Text:
    return Text(x, y, words, kind, "start", size=size)


def _station(place: _Place, at: int, name: str, count: str, tall: float) -> Iterator[Text]:
    """The name of a station, and the number above its counting bar."""
    yield Text(place.middle(at), place.top + _STATION_NAMES, name, "muted")
    yield Text(place.middle(at), place.top + _FEET - 8 - tall, count, size=13)


def _head(panel: Panel, place: _Place, places: _Places) -> Iterator[Shape]:
    """The name of a panel, its facts that must arrive, and the counts of its stations."""
    name = Bold(short(panel.name, _LETTERS))
    yield Cut(place.left, place.right, place.top + 14, [name], "title")
    arrived, musts = panel.arrived(places.funnel.facts)
    if musts and not panel.planned:
        words = ["◆ ", Bold(f"{arrived}"), f" of {musts} arrived"]
        yield _text(place.left, place.top + 32, words)
    for at, (station, count) in enumerate(zip(STATIONS, panel.counts(), strict=True)):
        number = Bold(f"{count:,}") if at == len(STATIONS) - 1 else f"{count:,}"
        told = "" if at and panel.planned else number
        yield from _station(place, at, station, told, places.tall(count))


def _ends(panel: Panel, place: _Place, places: _Places) -> Iterator[Shape]:
    """A tick in the final answer, or the words at the end of a bar, cut at the next panel."""
    last = min(place.right + _GAP - 4, places.width)
    for number, fate in enumerate(panel.fates):
        y = places.y(place, number)
        lived = max((at + 1 for at, passed in enumerate(fate.passed) if passed), default=0)
        lost = places.funnel.facts[number].lost if places.stacked else ""
        if fate.passed[-1]:
            yield Text(place.middle(2), y, "✓", "on-answer")
        elif end := fate.end or lost:
            x = place.left + lived * place.station + 5
            yield Cut(x, last, y, f"✕ {end}", "small muted" if lived else "small")


def _names(place: _Place, places: _Places) -> Iterator[Shape]:
    """The names of the facts, cut where their room ends, and how many there are."""
    facts = places.funnel.facts
    for number, fact in enumerate(facts):
        name, y = short(fact.text, _LETTERS), places.y(place, number)
        if fact.must:
            yield _text(2, y, "◆", size=10)
            name = Bold(name)
        yield Cut(_NAME, places.names - _NAME_END, y, [name])
    words = f"{counted(len(facts), 'fact')}; ◆ must arrive"
    yield _text(2, place.top + _STATION_NAMES, words, "muted")


def _before(picture: Picture, places: _Places) -> Iterator[Shape]:
    """Draw the stations before any call, which do not depend on the mode, and give their words."""
    facts, place = places.funnel.facts, _Place(_NAMES, 0, _BEFORE / 2)
    yield _text(place.left, 14, [Bold("before any call")], size=14)
    passed = ([bool(fact.chunks) for fact in facts], [fact.retrieved for fact in facts])
    for at, (name, here) in enumerate(zip(("in chunks", "retrieved"), passed, strict=True)):
        count = sum(here)
        picture.add(_counting(place, at, count, "k-context", places))
        for number in (number for number, there in enumerate(here) if there):
            picture.add(_living(place, at, number, "k-context", places))
        yield from _station(place, at, name, f"{count:,}", places.tall(count))
    for number, fact in enumerate(facts):
        y = places.y(place, number)
        if fact.chunks:
            more = "…" * (len(fact.chunks) > _CHUNKS)
            chunks = ", ".join(map(str, fact.chunks[:_CHUNKS])) + more
            yield Text(place.middle(0), y, chunks, "on-context")
        if fact.lost:
            x = place.left + place.station * bool(fact.chunks) + 4
            yield _text(x, y, f"✕ {fact.lost}")
