"""A picture of boxes, lines and words, as data and as SVG.

Across, a picture stretches between margins of fixed width; down, and in the size of its words,
it is in pixels. `pictures.css` gives the kinds of its shapes their colours, hatches and lines.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as File
from typing import Literal, NamedTuple

from synth.pictures.words import round_numbers, wide
from synth.text.wording import Bold, visible

Anchor = Literal["start", "middle", "end"]
Side = Literal["above", "on", "below"]
Point = tuple[float, float]
"""A value across and a pixel down."""
Click = tuple[str | int, ...]
"""What a box tells of a click, such as ("call", 3)."""
Words = str | Sequence[str]
"""A text, or its parts, of which `Bold` ones are bold; "\\n" ends a line."""

STYLES = File(__file__).with_name("pictures.css").read_text("utf-8")
"""The stylesheet of all pictures, which takes the colours of meanings from variables of CSS."""
HATCHES = File(__file__).with_name("hatches.svg").read_text("utf-8")
"""The hatches of all pictures, which stand once in a document and are never hidden."""

WIDE = 900, 480, 330
"""The widths in pixels for which pictures are drawn that have a whole page to themselves."""
BESIDE = 540, 330
"""The widths of pictures that stand beside something else, or on a narrow page."""

# Of per cent and pixels five digits are enough, as in {x:.5g}.
_ACROSS = 10_000  # units of a path, which stretches to the width of the picture
_LINE = 1.3  # of the size of a font, from one line to the next
_BASE: Mapping[Side, float] = {"above": -0.5, "on": 0.35, "below": 0.8}
"""From the height of a text to its last, middle or first baseline, in its size."""
_UNDER_AXIS, _BESIDE_AXIS = 15, 6  # pixels from the ends of an axis to its numbers and names
_MOST_NUMBERS, _APART = 8, 14  # numbers on an axis, pixels between them


class Box(NamedTuple):
    """A rectangle: `says` stands under the pointer, and a click on it tells `click`."""

    start: float
    end: float
    top: float
    high: float
    kind: str
    says: str = ""
    click: Click = ()

    def svg(self, x: Callable[[float], float]) -> str:
        """The box; what it says is a title, which pages show in their own way."""
        left = x(self.start)
        wide = x(self.end) - left
        mark = f' data-mark="{_mark(self.click)}"' if self.click else ""
        says = f"<title>{_safe(self.says)}</title>" if self.says else ""
        return (
            f'<rect class="{self.kind}" x="{left:.5g}%" y="{self.top:.5g}"'
            f' width="{wide:.5g}%" height="{self.high:.5g}"{mark}>{says}</rect>'
        )


class Path(NamedTuple):
    """Lines or filled outlines, each through its points."""

    lines: Sequence[Sequence[Point]]
    kind: str

    def svg(self, x: Callable[[float], float], height: float) -> str:
        """All lines as one path, which stretches; the width of a line does not."""
        whole = "".join(
            "M" + "L".join(f"{x(across) * _ACROSS / 100:.0f} {y:.5g}" for across, y in line)
            for line in self.lines
        )
        return (
            f'<svg width="100%" height="{height}" preserveAspectRatio="none"'
            f' viewBox="0 0 {_ACROSS} {height}"><path class="{self.kind}" d="{whole}"/></svg>'
        )


class Head(NamedTuple):
    """The head of an arrow to the right, which ends here."""

    x: float
    y: float

    def svg(self, x: Callable[[float], float]) -> str:
        """The head, which keeps its size."""
        return (
            f'<svg x="{x(self.x):.5g}%" y="{self.y:.5g}">'
            '<path class="tip" d="M-7 -4L0 0L-7 4z"/></svg>'
        )


class Label(NamedTuple):
    """Words at a point, moved to the right by `shift` pixels."""

    x: float
    y: float
    words: Words
    kind: str = ""
    anchor: Anchor = "middle"
    shift: float = 0
    size: float = 12
    side: Side = "on"

    @property
    def plain(self) -> str:
        """Its words without their bold parts."""
        return self.words if isinstance(self.words, str) else "".join(self.words)

    def svg(self, x: Callable[[float], float]) -> str:
        """The words, each line centred beside, above or below the point."""
        first, *others = _lines(self.words)
        before = {"above": len(others), "on": len(others) / 2, "below": 0}[self.side]
        y = self.y + self.size * (_BASE[self.side] - _LINE * before)
        across = f' x="{x(self.x):.5g}%"' + (f' dx="{self.shift:.5g}"' * bool(self.shift))
        rest = "".join(f'<tspan{across} dy="{_LINE}em">{line}</tspan>' for line in others)
        style = f' font-size="{self.size:.5g}"' * (self.size != 12)
        style += f' text-anchor="{self.anchor}"' * (self.anchor != "start")
        style += f' class="{self.kind}"' * bool(self.kind)
        return f'<text{across} y="{y:.5g}"{style}>{first}{rest}</text>'


Shape = Box | Path | Head | Label


class Picture:
    """Shapes on a scale of values across, from the first of `ends` to the other, and pixels down.

    `width` is the least width in pixels at which it is shown: its words have room there, and more
    where it is wider. `left` and `right` are the pixels of its margins, `alt` says what it shows
    to people who can't see it.
    """

    def __init__(
        self,
        width: float,
        height: float,
        alt: str,
        ends: tuple[float, float] = (0, 1),
        left: float = 0,
        right: float = 0,
    ) -> None:
        self.width, self.height, self.alt = width, height, alt
        self.ends, self.left, self.right = ends, left, right
        self.shapes: list[Shape] = []
        self._scale = 100 / ((ends[1] - ends[0]) or 1)

    @property
    def pixel(self) -> float:
        """What one pixel is worth across, where the picture is as narrow as it may be."""
        return (self.ends[1] - self.ends[0]) / (self.width - self.left - self.right)

    @property
    def boxes(self) -> list[Box]:
        """Its boxes in their order."""
        return [shape for shape in self.shapes if isinstance(shape, Box)]

    @property
    def texts(self) -> list[Label]:
        """Its words in their order."""
        return [shape for shape in self.shapes if isinstance(shape, Label)]

    def add(self, *shapes: Shape) -> None:
        """Lay shapes over those that are there."""
        self.shapes += shapes

    def numbers(self, y: float, most: int = _MOST_NUMBERS, title: str = "") -> None:
        """Round numbers below `y`, `most` of them, and the axis's title below."""
        largest = f"{self.ends[1]:,.0f}"
        room = (self.width - self.left - self.right) / (wide(largest) + _APART)
        values = list(round_numbers(self.ends, max(2, min(most, int(room)))))
        for value, number in values:
            self.add(Label(value, y + _UNDER_AXIS, number, "muted"))
        if title:
            middle = sum(self.ends) / 2
            self.add(Label(middle, y + 2 * _UNDER_AXIS + 1, title, "muted"))

    def scale(self, bottom: float, top: float, end: float, most: int) -> None:
        """Round numbers from 0 to `end` beside the left edge, from pixel `bottom` up to `top`."""
        for value, number in round_numbers((0, end), most):
            y = bottom - (bottom - top) * value / end
            self.name(y, number, "muted")

    def name(self, y: float, words: Words, kind: str = "", size: float = 12) -> None:
        """Words left of the picture, such as the name of a row."""
        self.add(Label(self.ends[0], y, words, kind, "end", -_BESIDE_AXIS, size))

    def html(self, styles: str = "") -> str:
        """The picture as an element with these classes more than its own."""
        sides = f"margin-left: {self.left}px; width: calc(100% - {self.left + self.right}px)"
        return (
            f'<div class="figure {styles}" role="img" aria-label="{_safe(self.alt)}">'
            f'<svg style="{sides}" height="{self.height:.5g}" aria-hidden="true">'
            f"{self._parts()}</svg></div>"
        )

    def image(self, css: str) -> str:
        """The picture without its margins as a file of its own, with its stylesheet."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}">'
            f"<style>{css}</style>{self._parts()}</svg>"
        )

    def _parts(self) -> str:
        return "".join(
            shape.svg(self._x, self.height) if isinstance(shape, Path) else shape.svg(self._x)
            for shape in self.shapes
        )

    def _x(self, value: float) -> float:
        return (value - self.ends[0]) * self._scale


class Shown(NamedTuple):
    """Pictures as HTML, and what their boxes tell of a click, by the names of these in it."""

    html: str
    clicks: Mapping[str, Click]


def shown(pictures: Sequence[Picture]) -> Shown:
    """Pictures of one thing, the widest first, of which the widest that has room is seen.

    The widths are known to `pictures.css`.
    """
    parts, wider = [], ""
    for number, picture in enumerate(pictures, 1):
        least = f"from-{picture.width} " * (number < len(pictures))
        parts.append(picture.html(f"{least}{wider}".strip()))
        wider = f"below-{picture.width}"
    clicks = {_mark(box.click): box.click for one in pictures for box in one.boxes if box.click}
    return Shown("".join(parts), clicks)


def outline(start: float, end: float, top: float, bottom: float) -> list[Point]:
    """The corners of a rectangle, for a path."""
    return [(start, top), (end, top), (end, bottom), (start, bottom), (start, top)]


def _mark(click: Click) -> str:
    return " ".join(map(str, click))


def _safe(text: str) -> str:
    return html.escape(visible(text))


def _lines(words: Words) -> list[str]:
    """The lines of a text, with its bold parts in a tag."""
    lines = [""]
    for part in (words,) if isinstance(words, str) else words:
        first, *others = map(_safe, part.split("\n"))
        shown = [first, *others]
        if isinstance(part, Bold):
            shown = [f'<tspan class="bold">{line}</tspan>' if line else "" for line in shown]
        lines[-1] += shown[0]
        lines += shown[1:]
    return lines
