"""A miniature of a flow: the chunks in a row, and above them the calls that read them.

It is an SVG of 78 by 44 pixels that shows proportions and no numbers: of more than 24 boxes in a
row, 24 are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil

from ui.look.theme import OUTLINE, paint, variables_style

WIDTH, HEIGHT = 78, 44  # pixels
_MOST = 24  # boxes in a row
_CHUNKS, _CHUNK_HEIGHT = 35.5, 7.0  # pixels from the top
_TOP, _BOTTOM = 1.5, 28.0  # of the calls
_GAP = 0.22  # of the width of a box, between two of them

Span = tuple[float, float]
"""The left and the right edge of a box, in pixels."""


def miniature(chunks: Sequence[int], levels: Sequence[int], unsent: float, sends: bool) -> str:
    """The flow of so many calls on each level as an SVG.

    `chunks` are tokens of each chunk; the share `unsent` at their end, from 0 to 1, is drawn as
    cut off. Without `sends` the calls carry no chunk.
    """
    end = WIDTH * (1 - unsent if sends else 0)
    row = _chunk_row(chunks)
    sent = [(left, min(right, end)) for left, right in row if left < end]
    cut = [(max(left, end), right) for left, right in row if right > end]
    fill, edge, _ = paint("context")
    parts = [
        _boxes(sent, _CHUNKS, _CHUNK_HEIGHT, fill, edge),
        _boxes(cut, _CHUNKS, _CHUNK_HEIGHT, "none", OUTLINE, dashed=True),
        *_calls(levels, end if sends else WIDTH, sends),
    ]
    drawn = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f"{variables_style(drawn)}{drawn}</svg>"
    )


def _chunk_row(chunks: Sequence[int]) -> list[Span]:
    """The boxes of the chunks, as wide as their tokens; equal ones if there are many."""
    sizes = [max(tokens, 1) for tokens in chunks] if len(chunks) <= _MOST else [1] * _MOST
    each = WIDTH / max(sum(sizes), 1)
    edges = [each * edge for edge in accumulate(sizes, initial=0)]
    return [_inner(left, right) for left, right in pairwise(edges)]


def _inner(left: float, right: float) -> Span:
    """A box with half a gap on both of its sides."""
    gap = min(1.2, _GAP * (right - left)) / 2
    return left + gap, right - gap


def _calls(levels: Sequence[int], end: float, sends: bool) -> list[str]:
    """The calls of each level and the lines that lead to them; a chain is one row."""
    chained = len(levels) > 1 and max(levels) == 1
    rows = [len(levels)] if chained else list(levels)
    height = min(14.0, (_BOTTOM - _TOP) / (1.6 * len(rows) - 0.6)) if rows else 0.0
    first, answer = paint("context" if sends else "query"), paint("answer")
    parts: list[str] = []
    below: list[Span] = []
    for level, count in enumerate(rows):
        top = _BOTTOM - height - 1.6 * height * level
        boxes = _row(count, end, narrow=level > 0)
        calls = [(left, right - _answer(right - left)) for left, right in boxes]
        answers = [(call[1], box[1]) for call, box in zip(calls, boxes, strict=True)]
        if not chained:
            calls, answers = boxes, []
        if level:
            parts.append(_lines(below, top + 1.6 * height, calls, top + height))
        elif sends:
            parts.append(_stems(calls))
        colours = answer if level else first
        parts.append(_boxes(calls, top, height, colours.fill, colours.edge))
        inset = 0.15 * height
        parts.append(_boxes(answers, top + inset, height - 2 * inset, answer.fill, answer.edge))
        below = calls
    return parts


def _answer(width: float) -> float:
    """The width of the answer at the end of a call's box."""
    return min(0.3 * width, 5.0)


def _row(count: int, end: float, narrow: bool) -> list[Span]:
    """So many boxes of equal width; with `narrow`, in the middle of the row."""
    drawn = min(count, _MOST)
    width = end * drawn / (drawn + 1.3) if narrow else end
    start, each = (end - width) / 2, width / drawn
    return [_inner(start + each * at, start + each * (at + 1)) for at in range(drawn)]


def _stems(calls: Sequence[Span]) -> str:
    """A line from the row of chunks to each call."""
    paths = "".join(f"M{sum(call) / 2:.1f} {_BOTTOM}V{_CHUNKS}" for call in calls)
    return f'<path d="{paths}" stroke="{OUTLINE}" stroke-width=".8"/>'


def _lines(below: Sequence[Span], start: float, above: Sequence[Span], end: float) -> str:
    """A line from each call to the one above that reads its answer."""
    each = ceil(len(below) / len(above))
    ends = [above[min(at // each, len(above) - 1)] for at in range(len(below))]
    paths = "".join(
        f"M{sum(lower) / 2:.1f} {start:.1f}L{sum(upper) / 2:.1f} {end:.1f}"
        for lower, upper in zip(below, ends, strict=True)
    )
    return f'<path d="{paths}" stroke="{OUTLINE}" stroke-width=".8"/>'


def _boxes(
    boxes: Sequence[Span], y: float, height: float, fill: str, edge: str, dashed: bool = False
) -> str:
    """All boxes of one kind as one path."""
    if not boxes:
        return ""
    paths = "".join(
        f"M{left:.1f} {y:.1f}h{right - left:.1f}v{height:.1f}h{left - right:.1f}z"
        for left, right in boxes
    )
    dashes = ' stroke-dasharray="2 1.5"' if dashed else ""
    return f'<path d="{paths}" fill="{fill}" stroke="{edge}" stroke-width=".8"{dashes}/>'
