"""The shapes of a scene in a state: boxes for whatever can be clicked, and filled outlines between.

A plan is drawn with answers that are assumed, a run that goes on with calls that wait.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from synth.pictures.flow.data import Mark
from synth.pictures.flow.scene import Arrow, Block, Ribbon, Scene
from synth.pictures.shapes import Box, Head, Path, Point
from synth.pictures.walk import State
from synth.text.wording import counted

Style = Literal["solid", "assumed", "waiting", "running", "failed", "absent"]

_MANY = 80  # boxes of one kind above which outlines, hatches and dashes would be noise
_STYLES: Mapping[State, Style] = {"waiting": "waiting", "running": "running", "failed": "failed"}
_FRAMED = {"chain": 0.1, "tree": 0.32, "fan": 0.44}  # rows for the answer and its label
_BESIDE, _BELOW = 4, 0.08  # between a call and its frame: pixels beside it, rows below it


@dataclass(frozen=True)
class FlowView:
    """The state in which a scene is drawn, and `y`, the pixel of a height in rows.

    `states` are those of the calls of a run that goes on; with None the whole flow is
    `planned`, or all of it is done. `highlighted` are the calls whose ribbons stand out; with a
    `mark` only the way of its fact does. `ends`: its last answer is the response.
    """

    selected: int | None
    states: Mapping[int, State] | None
    planned: bool
    highlighted: frozenset[int]
    y: Callable[[float], float]
    mark: Mark | None = None
    ends: bool = True

    def state(self, number: int) -> State:
        """The state of a call."""
        if self.states is None:
            return "done"
        return self.states.get(number, "waiting" if self.planned else "done")

    def style(self, block: Block) -> Style:
        """The style of a block; a plan assumes the size of a call that carries only answers."""
        if block.kind == "chunk":
            return "solid"
        style = _STYLES.get(self.state(block.number))
        if style is None:
            assumed = self.planned and self.states is None and block.meaning == "answer"
            return "assumed" if assumed else "solid"
        if block.kind == "call":
            return style
        return "absent" if style == "failed" else "assumed"

    def strength(self, ribbon: Ribbon) -> str:
        """How strong a ribbon is; "" as usual."""
        if self.mark is not None:
            into = self.mark.lights("call", ribbon.call)
            return "marked" if into and self.mark.lights(ribbon.kind, ribbon.number) else "dim"
        if ribbon.call in self.highlighted:
            return "lit"
        return "dim" if self.highlighted else ""

    def unlit(self, block: Block) -> bool:
        """Whether the marked fact did not go through this block."""
        return self.mark is not None and not self.mark.lights(block.kind, block.number)

    def hatched(self, block: Block) -> bool:
        """Whether a label in the block would lie on a hatch."""
        style = self.style(block)
        return style == "failed" or (
            style == "solid" and block.meaning in ("answer", "lost", "unread")
        )


def ribbons(scene: Scene, view: FlowView) -> Iterator[Path]:
    """One filled shape for each kind of source and strength."""
    groups: dict[tuple[str, str], list[Ribbon]] = defaultdict(list)
    for ribbon in scene.ribbons:
        meaning = "context" if ribbon.kind == "chunk" else "answer"
        groups[meaning, view.strength(ribbon)].append(ribbon)
    for (meaning, strength), group in sorted(groups.items()):
        lines = [_outline(ribbon, view) for ribbon in group]
        yield Path(lines, f"ribbon k-{meaning} {strength}".rstrip())


def _outline(ribbon: Ribbon, view: FlowView) -> list[Point]:
    (a, b), (c, d) = ribbon.begin, ribbon.arrive
    low, high = view.y(ribbon.low), view.y(ribbon.high)
    return [(a, low), (b, low), (d, high), (c, high)]


def arrows(scene: Scene, view: FlowView) -> Iterator[Path | Head]:
    """All arrows, lines and heads; a failed call has no arrow."""
    drawn: list[Arrow] = [one for one in scene.arrows if view.state(one.call) != "failed"]
    if drawn:
        lines = [[(one.start, view.y(one.y)), (one.end - 4, view.y(one.y))] for one in drawn]
        yield Path(lines, "arrow")
        yield from (Head(one.end, view.y(one.y)) for one in drawn)


def boxes(blocks: Sequence[Block], view: FlowView) -> Iterator[Box]:
    """The boxes of all blocks, and a frame around the call that is selected."""
    kinds = [(block.kind, block.meaning, view.style(block)) for block in blocks]
    many = {kind for kind, count in Counter(kinds).items() if count > _MANY}
    for block, kind in zip(blocks, kinds, strict=True):
        if kind[-1] != "absent":
            name = _kind(block.meaning, kind[-1], kind in many) + " unlit" * view.unlit(block)
            top, bottom = view.y(block.top), view.y(block.bottom)
            click = block.kind, block.number
            says = _says(block, view)
            yield Box(block.left, block.right, top, bottom - top, name, says, click)


def frame(scene: Scene, view: FlowView) -> Iterator[Box]:
    """The frame around the selected call and its answer."""
    for block in scene.blocks:
        if (block.kind, block.number) == ("call", view.selected):
            above = _FRAMED[scene.shape]
            top, bottom = view.y(block.top + above), view.y(block.bottom - _BELOW)
            yield Box(block.left - _BESIDE, block.right + _BESIDE, top, bottom - top, "frame")


def _kind(meaning: str, style: Style, many: bool) -> str:
    if style in ("waiting", "running", "failed"):
        return style
    assumed = " assumed" if style == "assumed" else ""
    plain = " thin" + " plain" * (meaning not in ("lost", "unread")) if many else ""
    return f"k-{meaning}{assumed}{plain}"


def _says(block: Block, view: FlowView) -> str:
    """What the pointer shows; tokens of a piece of text are spread, so they are "about"."""
    about = "" if block.tokens == round(block.tokens) else "about "
    tokens = about + counted(round(block.tokens), "token")
    if block.kind == "answer":
        sign = "at most " if view.style(block) == "assumed" else ""
        return f"answer of call {block.number}\n{sign}{tokens}"
    if block.kind == "chunk":
        missing = {"lost": ", not sent", "unread": ", cut by the server"}
        return f"chunk {block.number}\n{tokens}{missing.get(block.meaning, '')}"
    state = f", {view.state(block.number)}" if view.states is not None else ""
    return f"call {block.number}{state}\ncarries {tokens}"
