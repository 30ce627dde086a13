"""Many calls in one picture: all of them small, and below them a few as bars, under a lens."""

from collections.abc import Sequence
from dataclasses import replace

from synth.pictures.bars_picture import draw_bars
from synth.pictures.call_bars import CallBar
from synth.pictures.chunk_row import draw_chunks
from synth.pictures.placement import Drawn, Placed, place_chunks, spread
from synth.pictures.scene import Box, Label, Path, Point, RowName, Scene, outline
from synth.text.wording import Bold, counted

MOST_CLICKED = 600
"""The most calls of an overview that can be pointed at one by one."""
NEIGHBOURS = 4
"""The calls under the lens."""

_TALL, _FLAT, _BETWEEN = 108, 20, 26  # pixels of an upright call, of a call in a tree, of a gap
_STRIP, _NUMBERS = 15, 18  # pixels of the chunks, and of the numbers below them
_ROOMY = 70  # calls, up to which gaps are seen between them
_APART = 26  # pixels between the overview and the lens
_LONG = 1_000  # chunks whose number and name have a line each
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
    groups: dict[str, list[list[Point]]] = {}
    hovers: list[Box] = []
    for at, bar in enumerate(bars):
        left, right = at * width + gap / 2, (at + 1) * width - gap / 2
        style = drawn.style("call", bar.number)
        for part in bar.parts:
            kind = f"area k-{part.meaning} {style}".strip()
            high, low = bottom - part.end * scale, bottom - part.start * scale
            groups.setdefault(kind, []).append(outline(left, right, high, low))
        if len(bars) <= MOST_CLICKED:
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
    middles: dict[int, float] = {}
    groups: dict[str, list[list[Point]]] = {}
    edges: dict[str, list[list[Point]]] = {}
    for level, row in enumerate(drawn.levels):
        y = base - (flat + between) * level
        wanted = [_mean([middles[one] for one in bar.reads if one in middles]) for bar in row]
        if level == 0:
            wanted = [(at + 0.5) * step for at in range(len(row))]
        lefts = spread(wanted, step - gap, gap, (0, 100))
        for bar, left in zip(row, lefts, strict=True):
            scale = (step - gap) / max(bar.budget.window, bar.needed)
            style = drawn.style("call", bar.number)
            for part in bar.parts:
                kind = f"area k-{part.meaning} {style}".strip()
                box = outline(left + part.start * scale, left + part.end * scale, y, y + flat)
                groups.setdefault(kind, []).append(box)
            middles[bar.number] = left + (step - gap) / 2
            for one in bar.reads:
                if one in middles:
                    line = [(middles[one], y + flat + between), (middles[bar.number], y + flat)]
                    edges.setdefault(f"thread {style}".strip(), []).append(line)
            target, says = ("call", bar.number), f"{bar.name}\n{bar.arithmetic}"
            scene.shapes.append(Box(left, left + step - gap, y, flat, "clear", "", target, says))
        if words:
            scene.rows.append(RowName(y + flat / 2, f"level {level}", counted(len(row), "call")))
    scene.shapes += [Path(lines, kind) for kind, lines in edges.items()]
    scene.shapes += [Path(lines, kind) for kind, lines in groups.items()]
    if words and drawn.mark is not None and drawn.mark.end in middles:
        end = next(bar for bar in drawn.bars if bar.number == drawn.mark.end)
        depth = next(at for at, row in enumerate(drawn.levels) if end in row)
        y = base - (flat + between) * depth + flat / 2
        scene.labels.append(Label(*_around(middles[end.number]), y, [[Bold("✕")]], "ends"))
    return base + flat


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 50.0


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
        scene.labels.append(Label(place.left, place.left + 20, low, name, "bold plate", "start"))
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
