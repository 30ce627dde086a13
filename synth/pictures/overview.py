"""Many calls in one picture: all of them small, and below them a few as bars, under a lens."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from synth.pictures.bars_picture import draw_bars, draw_chunks
from synth.pictures.call_bars import CallBar
from synth.pictures.placement import Drawn, Placed, PlacedBar, place_chunks, spread
from synth.pictures.scene import Box, Handle, Label, Path, Point, RowName, Scene, outline
from synth.text.wording import Bold, counted

MOST_DRAWN, MOST_POINTED = 600, 200
"""The most calls that an overview draws of a row, and that can be pointed at one by one."""
NEIGHBOURS = 4
"""The calls under the lens."""

_TALL, _FLAT, _BETWEEN = 108, 20, 26  # pixels of an upright call, of a call in a tree, of a gap
_STRIP, _NUMBERS = 15, 18  # pixels of the chunks, and of the numbers below them
_ROOMY = 70  # calls, up to which gaps are seen between them
_APART = 26  # pixels between the overview and the lens
_LONG = 1_000  # chunks whose number and name have a line each
_THREADS = 40  # lines to a call that reads many answers
_FRAME = 1.0  # per cent, the least width of the frame of the lens
_INSET = 1.6  # per cent beside the calls under the lens
_SMALL_TALL, _SMALL_STRIP = 22, 8  # pixels on a card and in a column


def draw_overview(scene: Scene, drawn: Drawn, first: int | None = None) -> None:
    """Draw all calls small; where there are words, also those from call `first` on as bars.

    Without `first` these are where the way of a fact ends, or begins, else the first ones.
    """
    words = drawn.size.words
    top = 22 if words else 2
    tall = _TALL if words else _SMALL_TALL
    if drawn.shape == "tree":
        bottom = _levels(scene, drawn, top)
    else:
        bottom = _columns(scene, drawn, top, tall)
    strip = _STRIP if words else _SMALL_STRIP
    low = bottom + (14 if words else 3)
    _chunk_strip(scene, drawn, low, strip)
    scene.height = low + strip + (_NUMBERS if words else 2)
    if words and drawn.bars:
        _draw_lens(scene, drawn, top, first)


def _columns(scene: Scene, drawn: Drawn, top: float, tall: float) -> float:
    """Each call as a column from its template at the bottom to its window; return the bottom."""
    bars, bottom = drawn.bars, top + tall
    window = max(bar.budget.window for bar in bars)
    scale = tall / max(window, *(bar.needed for bar in bars))
    width = 100 / len(bars)
    gap = 0.16 * width if len(bars) <= _ROOMY else 0.0
    groups: dict[str, list[list[Point]]] = defaultdict(list)
    hovers: list[Box] = []
    step = ceil(len(bars) / MOST_DRAWN)  # more would be narrower than half a pixel
    for at, bar in list(enumerate(bars))[::step]:
        left, right = at * width + gap / 2, (at + step) * width - gap / 2
        style = drawn.style("call", bar.number)
        for part in bar.parts:
            kind = f"area k-{part.meaning} {style}".strip()
            high = bottom - part.end * scale
            low = bottom - part.start * scale
            groups[kind].append(outline(left, right, high, low))
        if len(bars) <= MOST_POINTED:
            target, says = ("call", bar.number), f"{bar.name}\n{bar.arithmetic}"
            hovers.append(Box(left, right, top, tall, "clear", "", target, says))
    scene.shapes += [Path(lines, kind) for kind, lines in groups.items()]
    scene.shapes += hovers
    level = bottom - window * scale
    scene.shapes.append(Path([[(0, level), (100, level)]], "rule"))
    if drawn.size.words:
        scene.labels.append(
            Label(60, 100, level - 11, [["window ", Bold(f"{window:,}")]], "muted", "end")
        )
        how = "in a chain" if drawn.shape == "chain" else "at once"
        scene.rows.append(RowName(top + tall / 2, counted(len(bars), "call"), how))
        _mark_end(scene, drawn, [(at + 0.5) * width for at in range(len(bars))], top)
    return bottom


def _levels(scene: Scene, drawn: Drawn, top: float) -> float:
    """Each level as a row of flat bars, with a line to each call that reads them; the bottom."""
    widest = max(map(len, drawn.levels))
    words = drawn.size.words
    flat, between = (_FLAT, _BETWEEN) if words else (5, 3)
    step = 100 / widest
    gap = 0.12 * step
    base = top + (flat + between) * (len(drawn.levels) - 1)
    places: dict[int, PlacedBar] = {}
    for level, row in enumerate(drawn.levels):
        y = base - (flat + between) * level
        read = [[places[one].middle for one in bar.reads if one in places] for bar in row]
        middles = [sum(at) / len(at) if at else 50.0 for at in read]
        if level == 0:
            middles = [(at + 0.5) * step for at in range(len(row))]
        for bar, left in zip(row, spread(middles, step - gap, gap, (0, 100)), strict=True):
            scale = (step - gap) / max(bar.budget.window, bar.needed)
            places[bar.number] = PlacedBar(bar, left, scale, y, flat)
        if words:
            scene.rows.append(RowName(y + flat / 2, f"level {level}", counted(len(row), "call")))
    _draw_threads(scene, drawn, places)
    _draw_flat_bars(scene, drawn, places)
    if words and drawn.mark is not None and drawn.mark.end in places:
        place = places[drawn.mark.end]
        middle = place.top + place.height / 2
        scene.labels.append(Label(*_around(place.middle), middle, [[Bold("✕")]], "ends"))
    return base + flat


def _draw_threads(scene: Scene, drawn: Drawn, places: Mapping[int, PlacedBar]) -> None:
    """A line from each answer to the call that reads it; of very many, some."""
    lines: dict[str, list[list[Point]]] = defaultdict(list)
    for place in places.values():
        step = max(1, ceil(len(place.bar.reads) / _THREADS))
        for one in place.bar.reads[::step]:
            if one in places:
                source = places[one]
                style = f"thread {drawn.style('call', place.bar.number)}".strip()
                end = place.middle, place.top + place.height
                lines[style].append([(source.middle, source.top), end])
    scene.shapes += [Path(line, kind) for kind, line in lines.items()]


def _draw_flat_bars(scene: Scene, drawn: Drawn, places: Mapping[int, PlacedBar]) -> None:
    groups: dict[str, list[list[Point]]] = defaultdict(list)
    hovers = []
    step = ceil(len(places) / MOST_DRAWN)
    for at, place in enumerate(places.values()):
        bar, low = place.bar, place.top + place.height
        if at % step == 0 or bar.reads:
            for part in bar.parts:
                kind = f"area k-{part.meaning} {drawn.style('call', bar.number)}".strip()
                left, right = place.x(part.start), place.x(part.end)
                groups[kind].append(outline(left, right, place.top, low))
        if len(places) <= MOST_POINTED:
            box = Box(place.left, place.right, place.top, place.height, "clear")
            says = f"{bar.name}\n{bar.arithmetic}"
            hovers.append(box._replace(target=("call", bar.number), says=says))
    scene.shapes += [Path(lines, kind) for kind, lines in groups.items()]
    scene.shapes += hovers


def _around(x: float) -> tuple[float, float]:
    return x - 3, x + 3


def _mark_end(scene: Scene, drawn: Drawn, middles: Sequence[float], top: float) -> None:
    if drawn.mark is None:
        return
    for bar, x in zip(drawn.bars, middles, strict=True):
        if bar.number == drawn.mark.end:
            scene.labels.append(Label(*_around(x), top + 12, [[Bold("✕")]], "ends"))


def _chunk_strip(scene: Scene, drawn: Drawn, top: float, height: int) -> None:
    """The chunks in a low row, without gaps."""
    placed = Placed(bottom=top + height)
    place_chunks(drawn, placed, 0, 100, top)
    plain = replace(drawn, size=drawn.size._replace(chunk=height))
    draw_chunks(scene, placed, plain)
    if drawn.size.words:
        name, _, unit = counted(len(drawn.chunks), "chunk").partition(" ")
        many = len(drawn.chunks) >= _LONG
        names = (name, unit) if many else (f"{name} {unit}",)
        scene.rows.append(RowName(top + height / 2, *names))


def _draw_lens(scene: Scene, drawn: Drawn, top: float, first: int | None) -> None:
    """Some neighbours as bars in a panel, and a frame around them in the overview."""
    row = drawn.levels[0]
    start = _first(drawn, row, first)
    under = row[start : start + NEIGHBOURS]
    carried = {chunk for bar in under for chunk in bar.chunks}
    chunks = [chunk for chunk in drawn.chunks if chunk.number in carried]
    panel = scene.height + _APART
    each = 100 / len(row)
    left = start * each
    right = max(left + _FRAME, (start + len(under)) * each)
    frame_top = top + (len(drawn.levels) - 1) * (_FLAT + _BETWEEN) if drawn.shape == "tree" else top
    frame_bottom = scene.height - _NUMBERS + 3
    scene.shapes.append(Path([outline(left, right, frame_top - 4, frame_bottom)], "lens-frame"))
    height = frame_bottom - frame_top + 4
    first_shown = under[0].number
    scene.handles.append(
        Handle("lens", left, frame_top - 4, height, left - first_shown * each, each, first_shown)
    )
    scene.shapes.append(
        Path(
            [
                [(left, frame_bottom), (left, frame_bottom + 8), (0, panel - 8), (0, panel)],
                [(right, frame_bottom), (right, frame_bottom + 8), (100, panel - 8), (100, panel)],
            ],
            "line",
        )
    )
    scene.shapes.append(Box(0, 100, panel, 0, "panel"))
    at = len(scene.shapes) - 1
    part = replace(drawn, bars=under, chunks=chunks, ends=False)
    placed = draw_bars(scene, part, panel + 6, _INSET, 100 - _INSET)
    for place in placed.bars.values():
        name = [f"call {place.bar.number}"]
        low = place.top + place.height + 10
        scene.labels.append(Label(place.right - 20, place.right, low, name, "bold plate", "end"))
    scene.shapes[at] = Box(0, 100, panel, scene.height - panel + 4, "panel")
    scene.height += 8


def _first(drawn: Drawn, row: Sequence[CallBar], first: int | None) -> int:
    """The position in the row at which the lens begins."""
    wanted = first
    if wanted is None and drawn.mark is not None:
        ends = [drawn.mark.end] if drawn.mark.end is not None else sorted(drawn.mark.calls)
        numbers = [bar.number for bar in row]
        wanted = next((number for number in ends if number in numbers), None)
        if wanted is not None and drawn.mark.end == wanted:
            wanted -= NEIGHBOURS - 1
    position = next((at for at, bar in enumerate(row) if bar.number == (wanted or 1)), 0)
    return max(0, min(position, len(row) - NEIGHBOURS))
