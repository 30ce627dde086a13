"""The labels of a flow: text traces, and annotations for those that need a plate or a margin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, groupby, pairwise
from operator import not_
from typing import Any, Literal, NamedTuple

from ui.figures.flow.draw import scatter
from ui.figures.flow.scene import LETTER, TALL, Box, RowLabel, Scene
from ui.figures.flow.view import FlowView
from ui.look.theme import INK, MUTED, PAPER, note, paint

PLATES = 40
_LEFT, _MARGIN = LETTER, 2 * LETTER  # pixels of the figure at the left and right of the boxes
_GAP = 6  # pixels between two labels
_SIGNS: Mapping[str, str] = {"running": "▸ ", "failed": "✕ ", "cached": "↺ "}
Anchor = Literal["middle center", "middle right", "top center", "bottom center"]


class FlowLabel(NamedTuple):
    """A label with its position, colour and size; on a hatch it needs a plate under it."""

    x: float
    y: float
    text: str
    colour: str
    anchor: Anchor = "middle center"
    size: int = 12
    plate: bool = False


def flow_labels(scene: Scene, view: FlowView) -> list[FlowLabel]:
    """All labels in and around the boxes."""
    chunks = [box for box in scene.boxes if box.kind == "chunk" and box.label]
    calls = [
        box
        for box in scene.boxes
        if box.kind == "call" and box.label and (not box.beside or _in_reach(box, scene.span))
    ]
    thin = [not box.fits(box.label) for box in chunks]
    most = 2 * sum(thin) > len(thin)
    below = [
        (most or too_thin) and box.label == str(box.number)
        for box, too_thin in zip(chunks, thin, strict=True)
    ]
    inside = compress(chunks, map(not_, below))
    return [
        *_below(list(compress(chunks, below))),
        *(_label(box, view) for box in [*inside, *calls]),
        *_answers(scene, view),
    ]


def _in_reach(box: Box, span: float) -> bool:
    """Whether the label beside a box ends in the figure."""
    return box.right + 3 + LETTER * len(box.label) <= span + _MARGIN


def _label(box: Box, view: FlowView) -> FlowLabel:
    sign = _SIGNS.get(view.state(box.number), "") if box.kind == "call" else ""
    text = sign + box.label
    if sign and not box.fits(text):
        text = f"{sign.strip()}<br>{box.label}"
    if box.beside:
        return FlowLabel(box.right + 3, box.y, text, INK, "middle right")
    plate = view.hatched(box)
    plain = view.style(box) == "solid" and not plate
    colour = paint(box.meaning).label if plain else INK
    return FlowLabel(box.centre, box.y, text, colour, plate=plate)


def _below(chunks: Sequence[Box]) -> Iterable[FlowLabel]:
    """The numbers of thin chunks below them: all, or the first and every fifth, tenth …"""
    shown = chunks
    for step in (1, 5, 10, 20, 50, 100, 500):
        shown = [box for box in chunks if box.number == 1 or box.number % step == 0]
        if all(_are_apart(left, right) for left, right in pairwise(shown)):
            break
    for box in shown:
        y = -TALL / 2 - 0.04
        yield FlowLabel(box.centre, y, box.label, MUTED, "bottom center", size=11)


def _are_apart(left: Box, right: Box) -> bool:
    """Whether the numbers below two boxes can be told apart."""
    return right.centre - left.centre >= LETTER * (len(right.label) + 1)


def _answers(scene: Scene, view: FlowView) -> Iterable[FlowLabel]:
    """The tokens of each answer, and the word "answer" below the last one of a chain."""
    answers = [box for box in scene.boxes if box.kind == "answer"]
    # While a finished run is stepped through, later answers get no label either.
    hidden = {"absent"} if view.planned else {"absent", "assumed"}
    visible = [box for box in answers if view.style(box) not in hidden]
    for _, row in groupby(visible, key=lambda box: box.y):
        if scene.shape == "tree":
            yield from _beside(list(row), scene.span, view)
        else:
            yield from _above(list(row), scene, view)
    last = answers[-1] if answers else None
    if scene.arrows and last in visible:
        under = last.y - TALL / 2 - 0.02
        yield FlowLabel(last.centre, under, "answer", INK, "bottom center")


def _above(row: Sequence[Box], scene: Scene, view: FlowView) -> Iterable[FlowLabel]:
    """Tokens above the answers, or above the calls, if there is room for all of them."""
    sizes = [_size(box, view) for box in row]
    longest = LETTER * max(map(len, sizes))
    room = min((right.centre - left.centre for left, right in pairwise(row)), default=99.0)
    if room < longest + _GAP:
        return
    calls = [box for box in scene.boxes if box.kind == "call" and box.y == row[0].y]
    top = max((box.top for box in calls), default=row[0].top)
    for box, text in zip(row, sizes, strict=True):
        half = LETTER * len(text) / 2
        x = max(half - _LEFT, min(box.centre, scene.span + _MARGIN - half))
        if abs(x - box.centre) <= _GAP:  # moved further, it would lie on its neighbour
            yield FlowLabel(x, top, text, MUTED, "top center")


def _beside(row: Sequence[Box], span: float, view: FlowView) -> Iterable[FlowLabel]:
    """Tokens right of the answers; if all have the same assumed size, only at the root."""
    sizes = [_size(box, view) for box in row]
    ends = [*(box.left for box in row[1:]), span + 12]
    room = min(end - box.right for box, end in zip(row, ends, strict=True))
    same_size = len(row) > 1 and view.planned and view.states is None
    if not same_size and room >= LETTER * max(map(len, sizes)) + _GAP:
        for box, text in zip(row, sizes, strict=True):
            yield FlowLabel(box.right + 2, box.y, text, MUTED, "middle right", size=11)


def _size(box: Box, view: FlowView) -> str:
    return f"{'≤ ' if view.style(box) == 'assumed' else ''}{box.tokens:,}"


def label_traces(labels: Iterable[FlowLabel]) -> list[dict[str, Any]]:
    """The labels without a plate, in one trace for each anchor and size."""
    groups: dict[tuple[Anchor, int], list[FlowLabel]] = defaultdict(list)
    for label in labels:
        if not label.plate:
            groups[label.anchor, label.size].append(label)
    return [
        scatter("text", [round(label.x, 1) for label in group], [label.y for label in group])
        | {
            "text": [label.text for label in group],
            "textposition": anchor,
            "textfont": {"size": size, "color": [label.colour for label in group]},
        }
        for (anchor, size), group in groups.items()
    ]


def label_notes(labels: Iterable[FlowLabel], rows: Sequence[RowLabel]) -> list[dict[str, Any]]:
    """The labels on a hatch, each on its plate, and the labels of the rows."""
    plated = [label for label in labels if label.plate][:PLATES]
    plate = {"bgcolor": PAPER, "borderpad": 2, "color": INK}
    beside = {"xref": "paper", "xanchor": "right", "xshift": -14, "align": "right"}
    return [
        *(note(round(label.x, 1), label.y, label.text, **plate) for label in plated),
        *(note(0, row.y, f"<b>{row.name}</b><br>{row.detail}", **beside) for row in rows),
    ]
