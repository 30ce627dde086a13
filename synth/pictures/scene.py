"""What a picture shows, as plain data: boxes, bands, lines and labels, without sizes of letters.

Across, a scene is in per cent of its width; down, it is in pixels. One scene serves every width:
`synth.pictures.scene_writer` writes it as HTML and SVG. A `kind` is a meaning
(`synth.pictures.scene`) or a shape of the stylesheet, and `style` says in which state it is.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from synth.prompts.prompt import VALUES, SpanKind
from synth.text.wording import reveal

Target = tuple[str, int]
"""What a click opens, such as ("call", 3)."""
Words = str | Sequence[str]
"""A text, or its parts, of which `Bold` ones are bold; "\\n" ends a line."""
Point = tuple[float, float]
"""Per cent across and pixels down."""
Align = Literal["start", "middle", "end"]

_HOVERED = 300  # characters of a text that the pointer shows


class Box(NamedTuple):
    """A rectangle. The pointer shows `says`, and the text that `text` is the hash of.

    `source` is the chunk or the call whose text it holds, and lights with it.
    """

    left: float
    right: float
    top: float
    height: float
    kind: str
    style: str = ""
    target: Target | None = None
    says: str = ""
    text: str = ""
    source: Target | None = None


class Band(NamedTuple):
    """Text on its way, as a filled curve between two stretches, from `begin` to `end`.

    Where both are at one height it is an arc, which rises by so many pixels. `source` is the chunk
    or the call that it comes from, `target` the call that reads it.
    """

    kind: str
    begin: tuple[float, float]
    end: tuple[float, float]
    low: float
    high: float
    style: str = ""
    rise: float = 0
    target: Target | None = None
    source: Target | None = None


class Path(NamedTuple):
    """Lines, or outlines of which the kind says how they are filled, each through its points."""

    lines: Sequence[Sequence[Point]]
    kind: str


class Label(NamedTuple):
    """Words between two edges, around a height: the first of the `wordings` that has room."""

    left: float
    right: float
    middle: float
    wordings: Sequence[Words]
    kind: str = ""
    align: Align = "middle"


class Handle(NamedTuple):
    """What can be dragged across, to change a number: it stands at `x`.

    `origin` is where its number would be 0 and `scale` the per cent of 1, below 0 where the number
    grows to the left. `name` says which number, in tokens or as that of a call, `value` how large
    it is.
    """

    name: Literal["window", "answer", "lens"]
    x: float
    top: float
    height: float
    origin: float
    scale: float
    value: int


class RowName(NamedTuple):
    """The name of a row, left of the scene where there is room, and a detail below it."""

    middle: float
    name: str
    detail: str = ""


@dataclass
class Scene:
    """A picture: its shapes in the order in which they are laid over one another.

    `height` is in pixels; `alt` says what it shows to people who can't see it. `texts` has the
    beginnings of texts by their hashes, each once however many boxes show it.
    """

    alt: str
    height: float = 0
    shapes: list[Box | Band | Path] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    rows: list[RowName] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """Remember the beginning of a text, and return its hash."""
        beginning = reveal(text if len(text) <= _HOVERED else f"{text[:_HOVERED]}…")
        key = hashlib.blake2b(beginning.encode(), digest_size=6).hexdigest()
        self.texts[key] = beginning
        return key


def outline(left: float, right: float, top: float, bottom: float) -> list[Point]:
    """Return the corners of a rectangle, for a path."""
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


MEANINGS: Mapping[str, str] = {
    kind: kind.label for kind in (SpanKind.FRAME, SpanKind.TEMPLATE, *VALUES)
} | {
    "reasoning": "reasoning",
    "reasoning_room": "room for reasoning",
    "reserved": "room for the answer",
    "padding": "safety margin",
    "free": "free",
    "lost": "cut off",
    "unread": "cut by the server",
}
"""The label of every meaning, in the order of the budget bar, which has no lost or unread text."""

FATES = {"context": "sent once", "twice": "sent twice", "unread": MEANINGS["unread"]}
"""What became of text of a chunk, in words; those for what was lost are the picture's."""
