"""The flow: which chunk goes into which call, and which answer into the next.

The calls' origins become parts in tokens (`data`), the parts become blocks and ribbons
(`layouts`), and those become shapes (`draw`, `labels`). A click tells the kind of a block
("chunk", "call" or "answer") and its number.
"""

from collections.abc import Mapping
from dataclasses import replace

from synth.pictures.flow.data import FlowData, Mark, flow_data, flow_of
from synth.pictures.flow.draw import FlowView, arrows, boxes, frame, ribbons
from synth.pictures.flow.labels import labels, row_labels
from synth.pictures.flow.layouts import chain, levels
from synth.pictures.flow.marks import ABOVE, BELOW, mark_alt, mark_labels, outlines
from synth.pictures.shapes import Picture
from synth.pictures.walk import State
from synth.text.wording import counted

__all__ = ["Mark", "flow_data", "flow_margins", "flow_of", "flow_picture"]

_NARROW = 480  # the width in pixels of a flow that is too narrow for the labels of its rows
_LEFT, _RIGHT = 4, 12  # pixels at the left and at the right of a flow without these labels
_BESIDE = 104  # pixels more at the left for these labels
_ANSWER = 34  # pixels more at the right of a chain, for the words of its answer
_EDGE = 4  # pixels for the outlines of boxes at the ends


def flow_picture(
    data: FlowData,
    width: int,
    *,
    height: int | None = None,
    selected: int | None = None,
    states: Mapping[int, State] | None = None,
    planned: bool = False,
    small: bool = False,
    mark: Mark | None = None,
) -> Picture:
    """The flow of a plan or a run as a tree, a chain or a fan; `width`, `height` in pixels.

    `selected` highlights a call and its lineage. `states` are those of a run that goes on, by
    call number. `planned`: answers are assumed, so they are dashed and have a "≤". `small`:
    without any words. `mark`: the way of a fact, all else pale.
    """
    left, right = (_LEFT, _RIGHT) if small else flow_margins(width)
    if data.shape == "chain" and not small:
        right += _ANSWER
    scene = (chain if data.shape == "chain" else levels)(data, width - left - right - 2 * _EDGE)
    if mark is not None:
        scene = replace(scene, top=scene.top + ABOVE, bottom=scene.bottom - BELOW)
    rows = scene.top - scene.bottom
    high = height or round(scene.unit * rows)
    ends = -_EDGE, scene.span + _EDGE
    alt = _alt(data, planned) + (mark_alt(mark) if mark else "")
    picture = Picture(width, high, alt, ends, left, right)
    lit = _highlighted(data, selected, states)
    view = FlowView(
        selected, states, planned, lit, lambda y: (scene.top - y) * high / rows, mark, data.ends
    )
    picture.add(*ribbons(scene, view), *arrows(scene, view), *boxes(scene.blocks, view))
    if not small:
        picture.add(*labels(scene, view))
        if left > _LEFT:
            picture.add(*row_labels(scene.row_labels, view))
    picture.add(*frame(scene, view))
    if mark is not None:
        picture.add(*outlines(mark, scene, view), *mark_labels(mark, scene, view))
    return picture


def flow_margins(width: int) -> tuple[int, int]:
    """The margins at the left and at the right of a flow of this width, in pixels."""
    return _LEFT + (_BESIDE if width >= _NARROW else 0), _RIGHT


def _highlighted(
    data: FlowData, selected: int | None, states: Mapping[int, State] | None
) -> frozenset[int]:
    """The calls whose ribbons stand out: a lineage, or all calls that were sent so far."""
    if selected is not None:
        return frozenset(data.lineage(selected))
    sent = ("running", "done", "cached")
    return frozenset(number for number, state in (states or {}).items() if state in sent)


def _alt(data: FlowData, planned: bool) -> str:
    """The flow in one sentence, for those who can't see it."""
    start = f"Flow: {counted(len(data.chunks), 'chunk')} {'would go' if planned else 'went'} into"
    count = counted(len(data.calls), "call")
    if data.shape == "tree":
        depths = sorted({call.depth for call in data.calls})
        counts = [sum(call.depth == depth for call in data.calls) for depth in depths]
        per_level = ", ".join(f"{count:,} at level {level}" for level, count in enumerate(counts))
        return f"{start} a tree of {count}: {per_level}."
    order = {"chain": ", one after the other", "fan": " at once" if len(data.calls) > 1 else ""}
    unsent = f"; {counted(data.unsent, 'token')} of them not sent" if data.unsent else ""
    return f"{start} {count}{order[data.shape]}{unsent}."
