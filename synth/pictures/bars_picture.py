"""Calls as bars of their windows above their chunks, and the text between them as bands."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import log10
from operator import attrgetter

from synth.pictures.bar_parts import STATE_SIGNS, BarPart, CallBar
from synth.pictures.placement import Drawn, Placed, PlacedBar, PlacedChunk, place_run
from synth.pictures.scene import (
    FATES,
    MEANINGS,
    Align,
    Band,
    Box,
    Handle,
    Label,
    Path,
    RowName,
    Scene,
)
from synth.runs.calls import CallRecord
from synth.text.wording import Bold, counted, numbered, short

_ROOM = ("reasoning", "output", "reserved")  # the parts in the room for the answer
_LETTER = 2.2  # per cent that a letter may need in a narrow picture
_BELOW_RAIL = 14  # pixels from the top of a picture to where nothing lies over it
_LINE = 3  # pixels of the line below what is cached
_FEW_LIT = 5  # chunks and calls, up to which the outlines of calls are lit
MOST_CHUNKS = 150
"""The most chunks that are boxes of their own."""
_NUMBERED = 30  # chunks that have their numbers in them; of more a few stand below
_NUMBERS = 14  # pixels of the numbers below
_LOW = 20  # pixels of a row that has no numbers in it
_TWO_LINES = 40  # pixels of a row that also has tokens
FALLEN = 13  # pixels by which chunks lie lower that were cut off


def draw_bars(
    scene: Scene, drawn: Drawn, top: float = 0, left: float = 0, right: float = 100
) -> Placed:
    """Draw calls as bars over their chunks between two edges, from a height on."""
    placed = place_run(drawn, top, left, right)
    for place in placed.bars.values():
        scene.shapes += _ribbons(place, placed, drawn)
    draw_chunks(scene, placed, drawn)
    for place in placed.bars.values():
        draw_bar(scene, place, drawn)
    _draw_answers(scene, placed, drawn, top)
    if drawn.size.words:
        draw_cut(scene, placed, drawn)
        _draw_window(scene, placed, drawn)
        _draw_mark(scene, placed, drawn)
        if not left:
            name_rows(scene, placed, drawn)
    scene.height = max(scene.height, placed.bottom + drawn.size.below)
    return placed


def _ribbons(place: PlacedBar, placed: Placed, drawn: Drawn) -> Iterator[Band]:
    """What a call carries, from its chunks below, or from the answers of calls of lower levels."""
    low, target = place.top + place.height, ("call", place.bar.number)
    for part in _choose_parts(place.bar, drawn):
        origin, last = part.origin, part.last or part.origin
        if origin is None or last is None:
            continue
        high, end, rise = low, low, 0.0
        if origin.kind == "chunk" and origin.number in placed.chunks and not drawn.size.is_sign:
            chunk = placed.chunks[origin.number]
            begin = chunk.x(origin.start), placed.chunks[last.number].x(last.end)
            high = chunk.high
        elif origin.kind == "answer" and origin.number in placed.bars:
            read = placed.bars[origin.number]
            start, stop = read.bar.share(origin)
            begin = read.x(start), read.x(stop)
            high = read.top
            if read.top <= place.top:  # beside it
                end = place.top
                rise = drawn.size.top * 0.62
        else:
            continue
        edges = place.x(part.start), place.x(part.end)
        style = _band_style(place.bar, part, drawn)
        yield Band(part.kind, begin, edges, high, end, style, rise, target, part.source)


def _band_style(bar: CallBar, part: BarPart, drawn: Drawn) -> str:
    styles = ["planned"] if bar.planned and part.kind == "answer" else []
    if bar.state == "waiting":
        styles.append("waiting")
    call = ("call", bar.number)
    return " ".join([*styles, drawn.light(part.source or call, call)]).strip()


def draw_bar(scene: Scene, place: PlacedBar, drawn: Drawn) -> None:
    """Draw the outline of the window, and its segments with their words."""
    bar, top, height = place.bar, place.top, place.height
    style = " ".join(filter(None, (bar.state, drawn.light(("call", bar.number)))))
    if len(drawn.lit or ()) > _FEW_LIT:
        style = style.replace("lit", "")  # the text that is lit in them says enough
    target, says = ("call", bar.number), f"{bar.name}\n{bar.arithmetic}"
    right = place.x(bar.budget.window)
    window = Box(place.left, right, top, height, "window", style, target, says)
    scene.shapes.append(window)
    for part in _choose_parts(bar, drawn):
        extra = " planned" if bar.planned and part.kind == "answer" else ""
        style = f"{bar.state}{extra} {_part_style(part, bar, drawn)}".strip()
        says = f"{_part_name(part)} {part.end - part.start:,.0f}\n{bar.name}"
        left, right = place.x(part.start), place.x(part.end)
        box = Box(left, right, top, height, part.meaning, style, target, says, source=part.source)
        scene.shapes.append(box)
    for start, end in bar.cached:
        low = top + height + 1
        scene.shapes.append(Box(place.x(start), place.x(end), low, _LINE, "cached", "", target))
    if bar.state == "failed":
        scene.shapes.append(window._replace(right=place.right, kind="failed"))
    if drawn.size.words:
        scene.labels += _bar_labels(place, drawn)


def _choose_parts(bar: CallBar, drawn: Drawn) -> Iterator[BarPart]:
    """The parts that are drawn: what is free is the outline; thin chunks are one part."""
    merges = len(drawn.chunks) > MOST_CHUNKS or drawn.size.is_sign
    for kind, group in groupby(bar.parts, key=attrgetter("kind")):
        parts = list(group)
        if kind == "context" and merges:
            yield parts[0]._replace(end=parts[-1].end, last=parts[-1].origin)
        elif kind != "free":
            yield from parts


def _part_style(part: BarPart, bar: CallBar, drawn: Drawn) -> str:
    """Whether a part of a call is lit: the text that carries the fact, and what it came to."""
    style = drawn.light(("call", bar.number))
    if style != "lit" or drawn.lit is None:
        return style
    if drawn.mark is None:
        return ""
    is_kept = part.kind == "output" and bar.number != drawn.mark.end
    return "lit" if is_kept or part.source in drawn.lit else ""


def _part_name(part: BarPart) -> str:
    if part.origin is not None and part.last is None:
        return f"{part.origin.kind} {part.origin.number}:"
    if part.kind == "output":
        return "its answer"
    return MEANINGS[part.kind]


def _bar_labels(place: PlacedBar, drawn: Drawn) -> Iterator[Label]:
    """The words in a bar: one for each run of parts of one kind."""
    bar = place.bar
    middle = place.top + place.height / 2
    style = drawn.light(("call", bar.number))
    pale = " pale" if style == "dim" else ""
    answered = any(part.kind == "output" for part in bar.parts)
    for kind, group in groupby(bar.parts, key=attrgetter("kind")):
        parts = list(group)
        tokens = round(sum(part.end - part.start for part in parts))
        left, right = place.x(parts[0].start), place.x(parts[-1].end)
        if kind == "context" and drawn.mark is not None and style == "lit":
            for part in parts:
                if part.origin is not None and part.source in (drawn.lit or ()):
                    words = [[Bold(f"{part.origin.number}")]]
                    edges = place.x(part.start), place.x(part.end)
                    yield Label(*edges, middle, words, "on-context")
        elif wordings := _wordings(kind, tokens, parts, answered):
            yield Label(left, right, middle, wordings, f"on-{parts[0].meaning}{pale}")
    sign = STATE_SIGNS.get(bar.state, "")
    if bar.state == "failed":
        tries = bar.call.tries if isinstance(bar.call, CallRecord) else 1
        crosses = [[Bold(sign * min(tries, 3))], [Bold(sign)]]
        yield Label(place.left, place.right, place.top - 12, crosses)
    if bar.state == "cached":
        wordings = [f"{sign} reused", sign]
        yield Label(place.left, place.right, place.top - 8, wordings, "muted", "start")


def _wordings(kind: str, tokens: int, parts: Sequence[BarPart], answered: bool) -> list[str]:
    """What a part of a bar may say, the longest first; nothing for what is named elsewhere."""
    number = f"{tokens:,}"
    origins = {part.origin.number for part in parts if part.origin is not None}
    match kind:
        case "context":
            named = f"{numbered('chunk', origins)} ·" if len(origins) == 1 else "chunks"
            return [f"{named} {number}", number]
        case "answer" if len(parts) > 1:
            return [f"answers {number}", number]
        case "answer" | "output":
            return [f"answer {number}", number]
        case "reserved" | "reasoning_room" if not answered:
            return [f"≤ {number}"]
        case "free":
            return [f"{number} free"]
    return []


def _draw_answers(scene: Scene, placed: Placed, drawn: Drawn, top: float) -> None:
    """The answers that leave upwards: the last one, or each of a list."""
    if not placed.bars or not drawn.ends:
        return
    read = {number for place in placed.bars.values() for number in place.bar.reads}
    last = max(placed.bars)
    for number, place in placed.bars.items():
        leaves = number not in read if drawn.listed else number == last
        if not leaves or place.bar.state in ("failed", "waiting", "running"):
            continue
        planned = "planned" if place.bar.planned else ""
        style = f"{planned} {drawn.light(('call', number))}".strip()
        if drawn.mark is not None and drawn.mark.end == number:
            style = "dim"
        left, right = place.output
        high = top if drawn.size.words else top + 2
        band = Band("answer", (left, right), (left, right), place.top, high, f"out {style}".strip())
        scene.shapes.append(band)
        if drawn.size.words and not planned and not drawn.listed:
            middle = (left + right) / 2
            tip = high + _BELOW_RAIL
            arrow = [(middle - 0.8, tip + 6), (middle, tip), (middle + 0.8, tip + 6)]
            scene.shapes.append(Path([arrow], "line"))


def _draw_window(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """The line of the window, on the first call, or on the root of a tree, and both handles.

    The length of the answer is at the left edge of the room for it.
    """
    if not placed.bars:
        return
    place = placed.bars[max(placed.bars) if drawn.shape == "tree" else min(placed.bars)]
    bar, top = place.bar, place.top
    window, room = bar.budget.window, bar.budget.reserved
    x = place.x(window)
    scene.shapes.append(Path([[(x, top - 6), (x, top + place.height)]], "rule"))
    scene.handles.append(
        Handle("window", x, top - 12, place.height, place.left, place.scale, window)
    )
    start = next((part.start for part in bar.parts if part.kind in _ROOM), None)
    if start is not None and room:
        left, end = place.x(start), place.x(start + room)
        scene.handles.append(Handle("answer", left, top + 4, place.height, end, -place.scale, room))
    if len(placed.bars) == 1:
        words = ["window\n", Bold(f"{window:,}")]
        middle = place.top + place.height / 2
        scene.labels.append(Label(x + 1, 100, middle, [words], "", "start"))
    else:
        words = ["window ", Bold(f"{window:,}")]
        scene.labels.append(Label(x - 14, x + 14, place.top - 14, [words], "plate", "middle"))


def _draw_mark(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Where the followed fact stands, and where its way ended."""
    mark = drawn.mark
    if mark is None:
        return
    here = [placed.chunks[one] for one in sorted(mark.chunks) if one in placed.chunks]
    if mark.end in placed.bars:
        place = placed.bars[mark.end]
        left, right = place.output
        _sign(scene, (left + right) / 2, place.top - 14, mark.sign)
    if not here:
        return
    middle = (here[0].left + here[0].right) / 2
    if mark.sign and mark.end is None:
        if placed.shared_scale:
            low = min(one.top + one.height for one in placed.bars.values())
            edges = here[0].left, here[0].right
            scene.shapes.append(
                Path([[(x, low), (x, here[0].high + FALLEN)] for x in edges], "no-way")
            )
        _sign(scene, middle, here[0].high - drawn.size.ribbon * 0.4, mark.sign)
        return
    name = [Bold(f"“{short(mark.name, 40)}”")]
    y = below_chunks(placed) + 14
    align: Align = "start" if middle < 20 else "end" if middle > 80 else "middle"
    edge = {"start": here[0].left, "middle": middle - 20, "end": here[0].right - 40}[align]
    scene.labels.append(Label(edge, edge + 40, y, [name], "plate", align))
    scene.height = max(scene.height, y + 14)


def _sign(scene: Scene, x: float, y: float, words: str) -> None:
    """A cross where the way of a fact ends, and beside it what happened there."""
    scene.labels.append(Label(x - 3, x + 3, y, [[Bold("✕")]], "ends"))
    before = x > 100 - _LETTER * len(words)
    sides = (x - 30, x - 2) if before else (x + 2, x + 30)
    align: Align = "end" if before else "start"
    scene.labels.append(Label(*sides, y, [[Bold(words)]], "plate", align))


def name_rows(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Name each row of calls, and the chunks."""
    for level, row in enumerate(drawn.levels):
        place = placed.bars[row[0].number]
        middle = place.top + place.height / 2
        calls = counted(len(row), "call")
        if drawn.shape == "tree":
            scene.rows.append(RowName(middle, f"level {level}", calls))
        else:
            how = {"chain": "in a chain", "fan": "at once" if len(row) > 1 else ""}[drawn.shape]
            scene.rows.append(RowName(middle, calls, how))
    if drawn.chunks:
        tokens = sum(chunk.tokens for chunk in drawn.chunks)
        middle = next(iter(placed.chunks.values())).high + drawn.size.chunk / 2
        words = counted(len(drawn.chunks), "chunk"), f"{tokens:,}"
        if len(drawn.chunks) > MOST_CHUNKS:  # too long for the column of names
            words = f"{len(drawn.chunks):,}", "chunks"
        scene.rows.append(RowName(middle, *words))


def draw_chunks(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Draw the chunks where they were placed, with their numbers."""
    places = list(placed.chunks.values())
    if len(places) <= MOST_CHUNKS:
        for place in places:
            _draw_chunk(scene, place, drawn)
    else:
        _draw_many_chunks(scene, places, drawn)
    low = drawn.size.chunk < _LOW
    if drawn.size.words and places and (low or len(places) > _NUMBERED):
        falls = any(place.chunk.lost for place in places) and len(drawn.bars) == 1
        bottom = placed.bottom + (FALLEN if falls else 0)
        _number_chunks(scene, places, bottom)


def _draw_many_chunks(scene: Scene, places: Sequence[PlacedChunk], drawn: Drawn) -> None:
    """Chunks that are too thin for boxes, as one box for all neighbours of one kind."""

    def look(place: PlacedChunk) -> tuple[str, str]:
        kinds = {place.chunk.kind(stretch) for stretch in place.chunk.stretches}
        kind = next((kind for kind in ("lost", "unread") if kind in kinds), "context")
        return kind, drawn.light(("chunk", place.chunk.number))

    for (kind, style), group in groupby(places, key=look):
        row = list(group)
        first, last = row[0].chunk.number, row[-1].chunk.number
        tokens = sum(place.chunk.tokens for place in row)
        fate = FATES.get(kind, drawn.missing)
        says = f"chunks {first} to {last} · {counted(tokens, 'token')}, {fate}"
        left, right, high = row[0].left, row[-1].right, row[0].high
        scene.shapes.append(Box(left, right, high, drawn.size.chunk, kind, style, None, says))


def _number_chunks(scene: Scene, places: Sequence[PlacedChunk], bottom: float) -> None:
    """Write a few round numbers of chunks below them."""
    least = len(places) / 8
    power: int = 10 ** int(log10(max(least, 1)))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= least)
    for place in places:
        if place is places[0] or place.chunk.number % step == 0:
            middle, words = (place.left + place.right) / 2, [f"{place.chunk.number:,}"]
            scene.labels.append(Label(middle - 4, middle + 4, bottom + 10, words, "muted"))
    scene.height = max(scene.height, bottom + 18)


def _draw_chunk(scene: Scene, place: PlacedChunk, drawn: Drawn) -> None:
    """A chunk in stretches by what became of them; what fell out of a call lies lower."""
    chunk, size, target = place.chunk, drawn.size, ("chunk", place.chunk.number)
    light = drawn.light(target)
    waits = chunk.number in drawn.unsent
    style = f"{light}{' waiting' if waits else ''}".strip()
    text = scene.text(chunk.text) if size.words else ""
    falls = FALLEN if len(drawn.bars) == 1 and size.words else 0
    kinds = set()
    for kind, group in groupby(chunk.stretches, key=chunk.kind):
        stretches = list(group)
        kinds.add(kind)
        left, right = place.x(stretches[0].start), place.x(stretches[-1].end)
        top = place.high + (falls if kind == "lost" else 0)
        fate = "not sent yet" if waits else FATES.get(kind, drawn.missing)
        says = f"chunk {chunk.number} · {counted(chunk.tokens, 'token')}, {fate}"
        scene.shapes.append(Box(left, right, top, size.chunk, kind, style, target, says, text))
    if not chunk.stretches:
        scene.shapes.append(Box(place.left, place.right, place.high, size.chunk, "context", style))
    if size.chunk < _LOW or (len(drawn.chunks) > _NUMBERED and light != "lit"):
        return
    number = Bold(f"{chunk.number}")
    words: list[list[str]] = [[number]]
    if size.chunk >= _TWO_LINES:
        words.insert(0, [number, f"\n{chunk.tokens:,}"])
    look = "on-context" if kinds <= {"context"} else "on-twice"
    pale = " pale" if light == "dim" else ""
    middle = place.high + size.chunk / 2 + (falls if kinds == {"lost"} else 0)
    scene.labels.append(Label(place.left, place.right, middle, words, look + pale))


def below_chunks(placed: Placed) -> float:
    """Return the height below the chunks, and below their numbers where these stand there."""
    return placed.bottom + (_NUMBERS if len(placed.chunks) > _NUMBERED else 0)


def draw_cut(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Draw the knife where the room of one call ends, and how much no call carries."""
    lost = [one for one in placed.chunks.values() if one.chunk.lost]
    if not lost:
        return
    tokens = sum(one.chunk.lost_tokens for one in lost)
    left = min(one.x(one.chunk.lost[0].start) for one in lost)
    right = max(one.x(one.chunk.lost[-1].end) for one in lost)
    y = below_chunks(placed) + (FALLEN if len(drawn.bars) == 1 else 0)
    amounts = counted(tokens, "token"), f"{tokens:,}"
    words = [[Bold(f"{amount} {drawn.missing}")] for amount in amounts]
    if placed.shared_scale:
        bar = next(iter(placed.bars.values()))
        knife = [[(left, bar.top + bar.height), (left, y + 4)]]
        scene.shapes.append(Path(knife, "knife"))
    scene.shapes.append(
        Path([[(left, y + 3), (left, y + 8), (right, y + 8), (right, y + 3)]], "line")
    )
    scene.labels.append(Label(left - 10, max(right, left + 20), y + 20, words, "", "middle"))
    scene.height = y + 32
