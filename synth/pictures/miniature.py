"""A miniature of a flow: the chunks in a row, and above them the calls that read them.

It shows proportions and no numbers: of more than 24 boxes in a row, 24 are drawn.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil

from synth.pictures.shapes import Path, Picture, outline

_WIDTH, _HEIGHT = 78, 44  # pixels
_MOST = 24  # boxes in a row
_CHUNKS, _CHUNK_HEIGHT = 35.5, 7.0  # pixels from the top
_TOP, _BOTTOM = 1.5, 28.0  # of the calls
_GAP = 0.22  # of the width of a box, between two of them

STYLE = """path { fill: none; stroke-width: .8px; vector-effect: non-scaling-stroke; }
.k-context { fill: var(--context); stroke: var(--context-edge); }
.k-query { fill: var(--query); stroke: var(--query-edge); }
.k-answer { fill: var(--answer); stroke: var(--answer-edge); }
.edge { stroke: var(--outline); }
.unsent { stroke-dasharray: 2 1.5; }"""
"""The stylesheet of a miniature that is an image, which sees none of the page around it."""

Span = tuple[float, float]
"""The left and the right edge of a box, in pixels."""


def miniature(chunks: Sequence[int], levels: Sequence[int], unsent: float, sends: bool) -> Picture:
    """The flow of so many calls on each level.

    `chunks` are tokens of each chunk; the share `unsent` at their end, from 0 to 1, is drawn as
    cut off. Without `sends` the calls carry no chunk.
    """
    picture = Picture(_WIDTH, _HEIGHT, "", (0, _WIDTH))
    end = _WIDTH * (1 - unsent if sends else 0)
    # Boxes as wide as the tokens of their chunks, or equal ones if there are many.
    sizes = [max(tokens, 1) for tokens in chunks] if len(chunks) <= _MOST else [1] * _MOST
    each = _WIDTH / max(sum(sizes), 1)
    edges = [each * edge for edge in accumulate(sizes, initial=0)]
    row = [_inner(left, right) for left, right in pairwise(edges)]
    sent = [(left, min(right, end)) for left, right in row if left < end]
    cut = [(max(left, end), right) for left, right in row if right > end]
    _boxes(picture, sent, _CHUNKS, _CHUNK_HEIGHT, "k-context")
    _boxes(picture, cut, _CHUNKS, _CHUNK_HEIGHT, "edge unsent")
    _calls(picture, levels, end if sends else _WIDTH, sends)
    return picture


def _inner(left: float, right: float) -> Span:
    """A box with half a gap on both of its sides."""
    gap = min(1.2, _GAP * (right - left)) / 2
    return left + gap, right - gap


def _calls(picture: Picture, levels: Sequence[int], end: float, sends: bool) -> None:
    """The calls of each level and the lines that lead to them; a chain is one row."""
    chained = len(levels) > 1 and max(levels) == 1
    rows = [len(levels)] if chained else list(levels)
    high = min(14.0, (_BOTTOM - _TOP) / (1.6 * len(rows) - 0.6)) if rows else 0.0
    below: list[Span] = []
    for level, count in enumerate(rows):
        top = _BOTTOM - high - 1.6 * high * level
        calls, answers = _row(count, end, narrow=level > 0), []
        if chained:
            ends = [right - min(0.3 * (right - left), 5.0) for left, right in calls]
            answers = [(end, right) for end, (_, right) in zip(ends, calls, strict=True)]
            calls = [(left, end) for end, (left, _) in zip(ends, calls, strict=True)]
        if level:
            picture.add(Path(_between(below, top + 1.6 * high, calls, top + high), "edge"))
        elif sends:
            stems = [[(sum(call) / 2, _BOTTOM), (sum(call) / 2, _CHUNKS)] for call in calls]
            picture.add(Path(stems, "edge"))
        kind = "answer" if level else "context" if sends else "query"
        _boxes(picture, calls, top, high, f"k-{kind}")
        _boxes(picture, answers, top + 0.15 * high, 0.7 * high, "k-answer")
        below = calls


def _row(count: int, end: float, narrow: bool) -> list[Span]:
    """So many boxes of equal width; with `narrow`, in the middle of the row."""
    drawn = min(count, _MOST)
    width = end * drawn / (drawn + 1.3) if narrow else end
    start, each = (end - width) / 2, width / drawn
    return [_inner(start + each * at, start + each * (at + 1)) for at in range(drawn)]


def _between(
    below: Sequence[Span], start: float, above: Sequence[Span], end: float
) -> list[list[tuple[float, float]]]:
    """A line from each call to the one above that reads its answer."""
    each = ceil(len(below) / len(above))
    ends = [above[min(at // each, len(above) - 1)] for at in range(len(below))]
    return [
        [(sum(lower) / 2, start), (sum(upper) / 2, end)]
        for lower, upper in zip(below, ends, strict=True)
    ]


def _boxes(picture: Picture, boxes: Sequence[Span], top: float, high: float, kind: str) -> None:
    """All boxes of one kind as one path."""
    if boxes:
        picture.add(Path([outline(*box, top, top + high) for box in boxes], kind))
