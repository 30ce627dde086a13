"""The chunks of a run in a row: what was sent of each, once or twice, and what was cut off."""

from collections.abc import Sequence
from itertools import groupby
from math import log10

from synth.pictures.meanings import FATES
from synth.pictures.placement import Drawn, Placed, PlacedChunk
from synth.pictures.scene import Box, Label, Path, Scene
from synth.runs.coverage import ChunkCoverage
from synth.text.wording import Bold, counted

MOST_CHUNKS = 150
"""The most chunks that are boxes of their own."""

_NUMBERED = 30  # chunks that have their numbers in them; of more a few stand below
_NUMBERS = 14  # pixels of the numbers below
_LOW = 30  # pixels of a row that has no words in it
FALLEN = 13  # pixels by which chunks lie lower that were cut off


def draw_chunks(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Draw the chunks where they were placed, with their numbers."""
    places = list(placed.chunks.values())
    if len(places) <= MOST_CHUNKS:
        for place in places:
            _draw_chunk(scene, place, drawn)
    else:
        _draw_many_chunks(scene, places, drawn)
    low = drawn.size.chunk <= _LOW
    if drawn.size.words and places and (low or len(places) > _NUMBERED):
        falls = any(place.chunk.lost for place in places) and len(drawn.bars) == 1
        bottom = placed.bottom + (FALLEN if falls else 0)
        _number_chunks(scene, places, bottom)


def _draw_many_chunks(scene: Scene, places: Sequence[PlacedChunk], drawn: Drawn) -> None:
    """Chunks that are too thin for boxes, as one box for all neighbours of one kind."""
    kinds = [(fate_of(one.chunk), drawn.style("chunk", one.chunk.number), one) for one in places]
    for (kind, style), group in groupby(kinds, key=lambda entry: entry[:2]):
        row = [place for _, _, place in group]
        first, last = row[0].chunk.number, row[-1].chunk.number
        tokens = sum(place.chunk.tokens for place in row)
        says = (
            f"chunks {first} to {last} · {counted(tokens, 'token')}, {FATES.get(kind, 'cut off')}"
        )
        left, right, high = row[0].left, row[-1].right, row[0].high
        scene.shapes.append(Box(left, right, high, drawn.size.chunk, kind, style, None, says))


def fate_of(chunk: ChunkCoverage) -> str:
    """Return what became of a chunk: "lost" or "unread" where that is so of a part of it."""
    kinds = {chunk.kind(stretch) for stretch in chunk.stretches}
    return next((kind for kind in ("lost", "unread") if kind in kinds), "context")


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
    chunk, size = place.chunk, drawn.size
    waits = chunk.number in drawn.unsent
    style = f"{drawn.style('chunk', chunk.number)}{' waiting' if waits else ''}".strip()
    text = scene.text(chunk.text) if size.words else ""
    kinds = groupby(chunk.stretches, key=chunk.kind)
    fallen = False
    for kind, group in kinds:
        stretches = list(group)
        left, right = place.x(stretches[0].start), place.x(stretches[-1].end)
        falls = kind == "lost" and len(drawn.bars) == 1 and size.words
        top = place.high + (FALLEN if falls else 0)
        fallen = fallen or falls
        fate = "not sent yet" if waits else FATES.get(kind, "cut off")
        says = f"chunk {chunk.number} · {counted(chunk.tokens, 'token')}, {fate}"
        target = ("chunk", chunk.number)
        scene.shapes.append(Box(left, right, top, size.chunk, kind, style, target, says, text))
    if not chunk.stretches:
        scene.shapes.append(Box(place.left, place.right, place.high, size.chunk, "context", style))
    if size.words and size.chunk > _LOW and (len(drawn.chunks) <= _NUMBERED or style == "lit"):
        _label_chunk(scene, place, drawn, fallen)


def _label_chunk(scene: Scene, place: PlacedChunk, drawn: Drawn, fallen: bool) -> None:
    chunk = place.chunk
    words = [Bold(f"{chunk.number}"), f"\n{chunk.tokens:,}"], [Bold(f"{chunk.number}")]
    kinds = {chunk.kind(one) for one in chunk.stretches}
    kind = "on-context" if kinds <= {"context"} else "plate on-twice"
    if "lost" in kinds:
        kind = "plate on-lost"
    if drawn.style("chunk", chunk.number) == "dim":
        kind = "" if kinds <= {"context"} else "plate"
    whole = "context" in kinds or "twice" in kinds
    lower = FALLEN if fallen and not whole else 0
    middle = place.high + lower + drawn.size.chunk / 2
    scene.labels.append(Label(place.left, place.right, middle, words, kind))


def below_chunks(placed: Placed) -> float:
    """Return the height below the chunks, and below their numbers where these stand there."""
    return placed.bottom + (_NUMBERS if len(placed.chunks) > _NUMBERED else 0)


def draw_cut(scene: Scene, placed: Placed, drawn: Drawn) -> None:
    """Draw the knife where the room of one call ends, and how much was cut off."""
    lost = [one for one in placed.chunks.values() if one.chunk.lost]
    if not lost:
        return
    tokens = sum(one.chunk.lost_tokens for one in lost)
    left = min(one.x(one.chunk.lost[0].start) for one in lost)
    right = max(one.x(one.chunk.lost[-1].end) for one in lost)
    y = below_chunks(placed) + (FALLEN if len(drawn.bars) == 1 else 0)
    words = [Bold(f"{counted(tokens, 'token')} cut off")], [Bold(f"{tokens:,} cut off")]
    if placed.shared_scale:
        bar = next(iter(placed.bars.values()))
        knife = [[(left, bar.top + bar.height), (left, y + 4)]]
        scene.shapes.append(Path(knife, "knife"))
    scene.shapes.append(
        Path([[(left, y + 3), (left, y + 8), (right, y + 8), (right, y + 3)]], "line")
    )
    scene.labels.append(Label(left - 10, max(right, left + 20), y + 20, words, "", "middle"))
    scene.height = y + 32
