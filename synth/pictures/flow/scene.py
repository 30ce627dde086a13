"""The geometry of a flow: blocks, ribbons and arrows, in pixels across and in rows up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from synth.pictures.flow.data import FlowCall, FlowShape
from synth.pictures.words import wide
from synth.text.spans import SourceKind

TALL, FLAT = 0.56, 0.2
"""Heights of a chunk or call, and of the answer on a call, in rows."""
_AROUND = 3.5  # pixels beside the words in a block


class Block(NamedTuple):
    """A chunk (or a piece of one), a call, or its answer. `y` is its middle, `tokens` its size.

    The label stands in the block, or right of it if `beside`.
    """

    kind: Literal["chunk", "call", "answer"]
    number: int
    left: float
    width: float
    y: float
    height: float
    meaning: str
    tokens: float
    label: str = ""
    beside: bool = False

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def centre(self) -> float:
        """Its middle, from left to right."""
        return self.left + self.width / 2

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y - self.height / 2

    def at(self, tokens: float, total: float | None = None) -> float:
        """The x at which its first `tokens` end, if it has `total` (by default its own) tokens."""
        return self.left + self.width * tokens / ((self.tokens if total is None else total) or 1)

    def fits(self, text: str) -> bool:
        """Whether a label fits into it."""
        return self.width >= wide(text) + _AROUND


def number_width(number: int) -> float:
    """The width of a block that has room for this number."""
    return wide(f"{number}") + _AROUND


class Ribbon(NamedTuple):
    """Tokens on their way into a call, as (left, right) edges at the source and at the call.

    `number` is that of the chunk, or of the call whose answer they are of.
    """

    kind: SourceKind
    number: int
    call: int
    begin: tuple[float, float]
    arrive: tuple[float, float]
    low: float
    high: float


class Arrow(NamedTuple):
    """The answer of a call on its way, from left to right at height `y`."""

    call: int
    start: float
    end: float
    y: float


class RowLabel(NamedTuple):
    """The label beside a row: its name in bold, and a detail."""

    y: float
    name: str
    detail: str


@dataclass(frozen=True)
class Scene:
    """A whole flow, `span` pixels wide, its rows from `bottom` to `top`, `unit` pixels each."""

    shape: FlowShape
    blocks: tuple[Block, ...]
    ribbons: tuple[Ribbon, ...]
    arrows: tuple[Arrow, ...]
    row_labels: tuple[RowLabel, ...]
    span: float
    bottom: float
    top: float
    unit: int


Sources = dict[tuple[SourceKind, int], Block]
"""The blocks of chunks and answers, from which the ribbons come."""


def call_block(call: FlowCall, width: float, y: float) -> Block:
    """A call, coloured by what it carries: chunks, only answers, or nothing but its template."""
    kinds = {part.kind for part in call.parts}
    meaning = "context" if "chunk" in kinds else "answer" if kinds else "template"
    return Block("call", call.number, 0, width, y, TALL, meaning, call.tokens("chunk", "answer"))


def labelled(row: Sequence[Block], beside: bool = True) -> list[Block]:
    """The calls of a row, all labelled in one way: "call 3" or "3" inside, or "3" beside them.

    The last call often carries only the rest, so it may have "3" among others with words. Where
    there is no room in the calls, nor `beside` them, none has a label.
    """
    numbers = [str(block.number) for block in row]
    words = [f"call {number}" for number in numbers]
    if all(map(Block.fits, row, numbers)):
        names = words if all(map(Block.fits, row[:-1] or row, words)) else numbers
        choices = zip(row, zip(names, numbers, strict=True), strict=True)
        return [block._replace(label=next(filter(block.fits, pair), "")) for block, pair in choices]
    if not beside:
        return list(row)
    order = sorted(row, key=lambda block: block.left)
    room = min((after.left - block.right for block, after in pairwise(order)), default=99.0)
    if room < wide(numbers[-1]) + 8:
        return list(row)
    return [
        block._replace(label=number, beside=True)
        for block, number in zip(row, numbers, strict=True)
    ]


def ribbons_into(call: FlowCall, block: Block, sources: Sources) -> list[Ribbon]:
    """The ribbons of a call, side by side under its block, each from its part of the source."""
    parts = [part for part in call.parts if (part.kind, part.number) in sources]
    total = sum(part.end - part.start for part in parts)
    ribbons, before = [], 0.0
    for kind, number, start, end in parts:
        source, after = sources[kind, number], before + end - start
        begin = source.at(start), source.at(end)
        arrive = block.at(before, total), block.at(after, total)
        ribbons.append(Ribbon(kind, number, call.number, begin, arrive, source.top, block.bottom))
        before = after
    return ribbons
