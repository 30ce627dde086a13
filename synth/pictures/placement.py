"""Where the calls and the chunks of a run stand in its picture."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Literal, NamedTuple

from synth.lazy import defer
from synth.modes.registry import mode_facts
from synth.pictures.bar_parts import CallBar
from synth.pictures.scene import Target
from synth.runs.coverage import ChunkCoverage


class PictureSize(NamedTuple):
    """The heights of a picture in pixels, and whether it has words.

    `top` is above the calls, `level` between two levels, `ribbon` between calls and chunks, and
    `below` under the chunks.
    """

    top: int
    bar: int
    level: int
    ribbon: int
    chunk: int
    below: int
    words: bool = True

    @property
    def is_sign(self) -> bool:
        """Return whether it is too small to tell the chunks in a call apart."""
        return self.ribbon < ROW.ribbon


PAGE = PictureSize(top=52, bar=58, level=46, ribbon=110, chunk=52, below=26)
"""A picture that has a page or half of one."""
COLUMN = PictureSize(top=16, bar=24, level=22, ribbon=34, chunk=20, below=4, words=False)
"""A picture beside others."""
STRIP = PictureSize(top=16, bar=34, level=6, ribbon=0, chunk=0, below=2, words=False)
"""The calls of a run alone, of which one is looked at below."""
ROW = PictureSize(top=9, bar=14, level=9, ribbon=14, chunk=10, below=2, words=False)
"""A picture in a row of several."""
CARD = PictureSize(top=9, bar=10, level=5, ribbon=5, chunk=8, below=2, words=False)
"""The sign of a plan, on a card or in a list."""

_CARD_ROWS = 22  # pixels of all levels of a card


def card_of(levels: int) -> PictureSize:
    """Return the size of the sign of a plan with so many levels, which is as high as any other."""
    if levels <= 1:
        return CARD
    bar = max(2, int(_CARD_ROWS / (1.6 * levels - 0.6)))
    return CARD._replace(bar=bar, level=max(1, bar // 2))


_ROOMY = 70  # calls in a row, up to which gaps are seen between them
_TREE_BAR = 0.72  # of the height of a bar, where there are levels
_LEAST, _LEAST_CALL = 0.25, 0.12  # the least shares of the width for chunks and call on one scale
_GAP = 0.35  # per cent between two chunks
_WINDOW_WORDS = 12  # per cent beside a call that stands alone, for the words of its window
_FITS = 1  # per cent right of the window in which all of the text would fit
_LONE_CALL = 0.6  # of the width for a call on a scale of its own: its window can be drawn larger


@dataclass(frozen=True)
class Mark:
    """The way of a fact through a run that has ended.

    `chunks` have the fact `name`, and it went through `calls`. The answer of the call `end` has
    it no more; `sign` says so, as in "lost here". Without an `end` it arrived, or there is a sign
    that it came into no call, as in "no room left".
    """

    name: str
    chunks: frozenset[int]
    calls: frozenset[int] = frozenset()
    end: int | None = None
    sign: str = ""


@dataclass(frozen=True)
class Drawn:
    """What is drawn: the calls as bars, the chunks, what is lit, and in which size.

    `lit` has the chunks and calls that stand out, as ("chunk", 9); None if all do. `ends`: the
    last answer is the response.
    """

    bars: Sequence[CallBar]
    chunks: Sequence[ChunkCoverage]
    mode: str
    size: PictureSize = PAGE
    lit: frozenset[Target] | None = None
    mark: Mark | None = None
    ends: bool = True
    planned: bool = False

    @property
    def missing(self) -> str:
        """Return the word for text that no call carries, which only a run to the end cut off."""
        return "cut off" if self.ends and mode_facts(self.mode).sends_chunks else "not sent"

    @defer
    def shape(self) -> Literal["chain", "fan", "tree"]:
        """Return "chain" if each call waits for the one before, "fan" if none waits."""
        depths = [bar.call.depth for bar in self.bars]
        if not any(depths):
            return "fan"
        merging = any(len(bar.reads) > 1 for bar in self.bars)
        return "tree" if merging or len(set(depths)) < len(depths) else "chain"

    @defer
    def levels(self) -> list[list[CallBar]]:
        """Return the rows of calls, from the lowest to the highest."""
        if self.shape != "tree":
            return [list(self.bars)] if self.bars else []
        ordered = sorted(self.bars, key=lambda bar: bar.call.depth)
        return [list(row) for _, row in groupby(ordered, key=lambda bar: bar.call.depth)]

    @defer
    def unsent(self) -> frozenset[int]:
        """Return the chunks that only calls carry which wait to be sent, in a run that began."""
        waiting = {one for bar in self.bars if bar.state == "waiting" for one in bar.chunks}
        sent = {one for bar in self.bars if bar.state != "waiting" for one in bar.chunks}
        return frozenset(waiting - sent)

    @property
    def listed(self) -> bool:
        """Return whether the mode returns all answers."""
        return mode_facts(self.mode).response_source == "all_answers"

    def light(self, *targets: Target) -> str:
        """Return "lit" if all these chunks and calls are, else "dim"; "" where no way is lit."""
        if self.lit is None:
            return ""
        if self.lit.issuperset(targets):
            return "lit"
        return "dim" if self.mark is None or self.mark.calls else ""


class PlacedBar(NamedTuple):
    """A bar on the page: its left edge and a token in per cent, its top and height in pixels."""

    bar: CallBar
    left: float
    scale: float
    top: float
    height: float

    def x(self, tokens: float) -> float:
        """Return where so many tokens of its window end."""
        return self.left + tokens * self.scale

    @property
    def right(self) -> float:
        """Return the end of its window, or of what goes beyond it."""
        return self.x(max(self.bar.budget.window, self.bar.needed))

    @property
    def middle(self) -> float:
        """Return the middle of its window."""
        return (self.left + self.right) / 2

    @property
    def output(self) -> tuple[float, float]:
        """Return the edges of its answer."""
        start, end = self.bar.output
        return self.x(start), self.x(end)


class PlacedChunk(NamedTuple):
    """A chunk on the page, in per cent; `high` is its upper edge, in pixels."""

    chunk: ChunkCoverage
    left: float
    right: float
    high: float

    def x(self, character: int) -> float:
        """Return where so many of its characters end."""
        return self.left + (self.right - self.left) * character / max(len(self.chunk.text), 1)


@dataclass
class Placed:
    """Where the calls and the chunks stand, by number, and the lower edge of the chunks."""

    bars: dict[int, PlacedBar] = field(default_factory=dict)
    chunks: dict[int, PlacedChunk] = field(default_factory=dict)
    bottom: float = 0
    shared_scale: bool = False


def place_run(drawn: Drawn, top: float, left: float, right: float) -> Placed:
    """Lay out the rows: the levels of calls from the top, and the chunks below them."""
    size, levels = drawn.size, drawn.levels
    bar = size.bar * (_TREE_BAR if len(levels) > 1 else 1)
    placed = Placed()
    base = top + size.top + (bar + size.level) * max(len(levels) - 1, 0)
    low = base + (bar if levels else 0)
    placed.bottom = low + size.ribbon + size.chunk if drawn.chunks else low
    whole = [max(one.budget.window, one.needed) for one in drawn.bars]
    alone = len(drawn.bars) == 1
    span = right - left
    if alone and drawn.chunks and _align(drawn, placed, (left, right), (base, bar)):
        return placed
    count = max(map(len, levels), default=1)
    gap = min(4.0, 30.0 / count) * span / 100 if 1 < count <= _ROOMY else 0.0
    usable = span * (_LONE_CALL if alone and size.words else 1)
    scale = (usable - gap * (count - 1)) / (count * max(whole, default=1))
    _place_chunks(drawn, placed, left, right, low + size.ribbon)
    for level, row in enumerate(levels):
        y = base - (bar + size.level) * level
        width = max(whole) * scale
        share = span / len(row)  # a level above the first has the whole width, in equal shares
        for at, one in enumerate(row):
            edge = (width + gap) * at if level == 0 else share * (at + 0.5) - width / 2
            placed.bars[one.number] = PlacedBar(one, left + edge, scale, y, bar)
    return placed


def _align(
    drawn: Drawn, placed: Placed, ends: tuple[float, float], row: tuple[float, float]
) -> bool:
    """Lay out one call and its chunks on one scale, so that the end of its room cuts through them.

    Return False where the chunks or the call would be too small to be seen.
    """
    [bar] = drawn.bars
    left, right = ends
    start = next((part.start for part in bar.parts if part.kind == "context"), 0.0)
    tokens = [chunk.tokens for chunk in drawn.chunks]
    window = max(bar.budget.window, bar.needed)
    words, fits = (_WINDOW_WORDS, _FITS) if drawn.size.words else (0, 0)
    whole = max(
        window * (1 + words / 100),
        (start + sum(tokens) + fits * (bar.budget.reserved + bar.budget.reasoning_room))
        * (1 + fits / 100),
    )
    if sum(tokens) < _LEAST * whole or window < _LEAST_CALL * whole:
        return False
    scale = (right - left) / whole
    placed.shared_scale = True
    placed.bars[bar.number] = PlacedBar(bar, left, scale, *row)
    high = row[0] + row[1] + drawn.size.ribbon
    edges = accumulate(tokens, initial=start)
    for chunk, size, at in zip(drawn.chunks, tokens, edges, strict=False):
        x = left + at * scale
        placed.chunks[chunk.number] = PlacedChunk(chunk, x, x + size * scale, high)
    return True


def _place_chunks(drawn: Drawn, placed: Placed, left: float, right: float, high: float) -> None:
    """Lay out the chunks over the whole width, each as wide as its tokens."""
    total = sum(chunk.tokens for chunk in drawn.chunks)
    gap = min(_GAP, 20.0 / max(len(drawn.chunks), 1)) * (right - left) / 100
    scale = (right - left - gap * (len(drawn.chunks) - 1)) / max(total, 1)
    x = left
    for chunk in drawn.chunks:
        width = chunk.tokens * scale
        placed.chunks[chunk.number] = PlacedChunk(chunk, x, x + width, high)
        x += width + gap
