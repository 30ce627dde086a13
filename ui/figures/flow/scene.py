"""The geometry of a flow: boxes, ribbons and arrows, in pixels across and in rows up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from synth.spans import SourceKind
from ui.figures.flow.data import FlowShape

TALL, FLAT = 0.56, 0.2
"""Heights of a chunk or call, and of the answer on a call, in rows."""
LETTER = 6.0
"""Pixels of one letter at the size of the labels."""


class Box(NamedTuple):
    """A chunk (or a piece of one), a call, or its answer. `y` is its middle, `tokens` its size.

    The label stands in the box, or right of it if `beside`.
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
        return self.width >= LETTER * len(text) + 3.5


class Ribbon(NamedTuple):
    """Tokens on their way into a call, as (left, right) edges at the source and at the call."""

    kind: SourceKind
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
    boxes: tuple[Box, ...]
    ribbons: tuple[Ribbon, ...]
    arrows: tuple[Arrow, ...]
    row_labels: tuple[RowLabel, ...]
    span: float
    bottom: float
    top: float
    unit: int
