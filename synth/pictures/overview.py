"""Many calls in one picture: all of them small, and below them a few as bars, under a lens."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from synth.pictures.bar_parts import CallBar
from synth.pictures.bars_picture import draw_bars, draw_chunks, name_rows
from synth.pictures.placement import Drawn, PictureSize, Placed, PlacedBar, place_run
from synth.pictures.scene import Box, Handle, Label, Path, Point, Scene, outline
from synth.text.wording import Bold

MOST_DRAWN, MOST_POINTED = 600, 200
"""The most calls that an overview draws of a row, and that can be pointed at one by one."""
NEIGHBOURS = 4
"""The calls under the lens."""

_ROW = PictureSize(top=22, bar=108, level=0, ribbon=20, chunk=15, below=18)
_TREE = PictureSize(top=22, bar=25, level=28, ribbon=20, chunk=15, below=18)
_SMALL_ROW = PictureSize(top=2, bar=22, level=0, ribbon=3, chunk=8, below=2, words=False)
_SMALL_TREE = PictureSize(top=2, bar=7, level=3, ribbon=3, chunk=8, below=2, words=False)
_APART = 26  # pixels between the overview and the lens
_THREADS = 40  # lines to a call that reads many answers
_FRAME = 1.0  # per cent, the least width of the frame of the lens
_INSET = 1.6  # per cent beside the calls under the lens


def draw_overview(scene: Scene, drawn: Drawn, first: int | None = None) -> None:
    """Draw all calls small; where there are words, also those from call `first` on as bars.

    Without `first` these are where the way of a fact ends, or begins, else the first ones.
    """
    tree = drawn.shape == "tree"
    size = (_TREE if tree else _ROW) if drawn.size.words else _SMALL_TREE if tree else _SMALL_ROW
    small = replace(drawn, size=size)
    placed = place_run(small, 0, 0, 100)
    if tree:
        _draw_threads(scene, small, placed.bars)
    _draw_areas(scene, small, list(placed.bars.values()))
    draw_chunks(scene, placed, small)
    scene.height = placed.bottom + size.below
    if size.words and drawn.bars:
        name_rows(scene, placed, small)
        if drawn.mark is not None and drawn.mark.end in placed.bars:
            end = placed.bars[drawn.mark.end]
            height = end.height / 2 if tree else 12
            x = end.middle
            scene.labels.append(Label(x - 3, x + 3, end.top + height, [[Bold("✕")]], "ends"))
        _draw_lens(scene, drawn, placed, first)


def _draw_areas(scene: Scene, drawn: Drawn, places: Sequence[PlacedBar]) -> None:
    """All parts of one look as one path: in a tree across, else upright, below their window."""
    areas: dict[str, list[list[Point]]] = defaultdict(list)
    hovers = []
    whole = max(max(place.bar.budget.window, place.bar.needed) for place in places)
    upright = drawn.shape != "tree"
    step = ceil(len(places) / MOST_DRAWN)  # more would be narrower than half a pixel
    for at, place in enumerate(places):
        bar, low = place.bar, place.top + place.height
        if at % step and (upright or not bar.reads):
            continue
        left, right, top = place.left, place.right, place.top
        for part in bar.parts:
            if upright:
                rate = place.height / whole
                top, bottom = low - part.end * rate, low - part.start * rate
            else:
                left, right, bottom = place.x(part.start), place.x(part.end), low
            kind = f"area k-{part.meaning} {drawn.light(('call', bar.number))}".strip()
            areas[kind].append(outline(left, right, top, bottom))
        if len(places) <= MOST_POINTED:
            target, says = ("call", bar.number), f"{bar.name}\n{bar.arithmetic}"
            wide = place.left, place.right
            hovers.append(Box(*wide, place.top, place.height, "clear", "", target, says))
    scene.shapes += [Path(lines, kind) for kind, lines in areas.items()]
    scene.shapes += hovers
    if upright:
        window = places[0].bar.budget.window
        level = places[0].top + places[0].height * (1 - window / whole)
        scene.shapes.append(Path([[(0, level), (100, level)]], "rule"))
        if drawn.size.words:
            words = [["window ", Bold(f"{window:,}")]]
            scene.labels.append(Label(60, 100, level - 11, words, "muted", "end"))


def _draw_threads(scene: Scene, drawn: Drawn, places: Mapping[int, PlacedBar]) -> None:
    """A line from each answer to the call that reads it; of very many, some."""
    lines: dict[str, list[list[Point]]] = defaultdict(list)
    for place in places.values():
        step = max(1, ceil(len(place.bar.reads) / _THREADS))
        for source in (places[one] for one in place.bar.reads[::step] if one in places):
            style = f"thread {drawn.light(('call', place.bar.number))}".strip()
            end = place.middle, place.top + place.height
            lines[style].append([(source.middle, source.top), end])
    scene.shapes += [Path(line, kind) for kind, line in lines.items()]


def _draw_lens(scene: Scene, drawn: Drawn, overview: Placed, first: int | None) -> None:
    """Some neighbours as bars in a panel, and a frame around them in the overview."""
    row = drawn.levels[0]
    start = _first(drawn, row, first)
    under = row[start : start + NEIGHBOURS]
    carried = {chunk for bar in under for chunk in bar.chunks}
    chunks = [chunk for chunk in drawn.chunks if chunk.number in carried]
    panel = scene.height + _APART
    each = 100 / len(row)
    number = under[0].number
    left = overview.bars[number].left
    right = max(left + _FRAME, overview.bars[under[-1].number].right)
    top, bottom = overview.bars[number].top - 4, overview.bottom + 3
    scene.shapes.append(Path([outline(left, right, top, bottom)], "lens-frame"))
    scene.handles.append(
        Handle("lens", left, top, bottom - top, left - number * each, each, number)
    )
    lines = [
        [(x, bottom), (x, bottom + 8), (edge, panel - 8), (edge, panel)]
        for x, edge in ((left, 0), (right, 100))
    ]
    scene.shapes.append(Path(lines, "line"))
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
