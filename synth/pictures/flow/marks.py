"""What a mark adds to a flow: outlines, where the fact stands, and the sign where its way ended."""

from collections.abc import Iterator, Sequence

from synth.pictures.flow.data import Mark
from synth.pictures.flow.draw import FlowView
from synth.pictures.flow.scene import TALL, Block, Scene
from synth.pictures.shapes import Anchor, Box, Label
from synth.pictures.words import wide
from synth.text.wording import Bold, numbered, short

ABOVE, BELOW = 0.3, 0.12
"""Rows that a mark needs above the answers, and below the chunks."""
_AROUND = 3  # pixels from a block to its outline
_OVER_TOKENS, _OVER_ANSWER = 30, 14  # pixels from a block to the middle of the sign above it
_BESIDE = 12  # pixels from the middle of the sign to its words
_UNDER = 15  # pixels for the numbers of thin chunks
_MARGINS = -4, 12  # pixels of the picture left and right of the scene
_WIDE, _NAME = 370, 24  # pixels of a scene that names the fact, and characters of the name


def mark_alt(mark: Mark) -> str:
    """The way of the fact in a sentence, for those who can't see it."""
    end = f", {mark.sign}: call {mark.end}" if mark.end else ""
    where = numbered("chunk", sorted(mark.chunks)) if mark.chunks else "no chunk"
    return f" “{short(mark.name, _NAME)}” stands in {where}{end}."


def outlines(mark: Mark, scene: Scene, view: FlowView) -> Iterator[Box]:
    """The outlines of the chunks that have the fact, and of the call where its way ended."""
    wanted = [*(("chunk", number) for number in sorted(mark.chunks)), ("call", mark.end)]
    for place in wanted:
        if blocks := [one for one in scene.blocks if (one.kind, one.number) == place]:
            top, bottom = view.y(blocks[0].top), view.y(blocks[0].bottom)
            left, right = min(one.left for one in blocks), max(one.right for one in blocks)
            high = bottom - top + 2 * _AROUND
            yield Box(left - _AROUND, right + _AROUND, top - _AROUND, high, "frame")


def mark_labels(mark: Mark, scene: Scene, view: FlowView) -> Iterator[Label]:
    """Where the fact stands, below the chunks, and the sign above the answer without it."""
    chunks = [one for one in scene.blocks if one.kind == "chunk" and one.number in mark.chunks]
    if chunks:
        where = numbered("chunk", sorted(mark.chunks))
        if scene.span >= _WIDE:
            here = "here" if len(mark.chunks) == 1 else f"in {where}"
            where = f"“{short(mark.name, _NAME)}” stands {here}"
        half = wide(where) / 2
        low, high = _MARGINS[0] + half, scene.span + _MARGINS[1] - half
        x = max(low, min(chunks[0].centre, high))
        yield Label(x, view.y(-TALL / 2 - 0.04) + _UNDER, [Bold(where)], side="below")
    ends = [one for one in scene.blocks if one.number == mark.end and one.kind != "chunk"]
    if ends:
        yield from _sign(mark.sign, ends, scene, view)


def _sign(sign: str, ends: Sequence[Block], scene: Scene, view: FlowView) -> Iterator[Label]:
    """The sign above an answer, its words on the side that has room for them."""
    answer, over = ends[-1], _OVER_ANSWER if scene.shape == "tree" else _OVER_TOKENS
    y = view.y(max(one.top for one in ends)) - over
    yield Label(answer.centre, y, [Bold("✕")], "ends", size=13)
    left = answer.centre - _BESIDE - wide(sign) > _MARGINS[0]
    anchor: Anchor = "end" if left else "start"
    yield Label(answer.centre, y, [Bold(sign)], "plate", anchor, -_BESIDE if left else _BESIDE)
