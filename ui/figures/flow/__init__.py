"""The flow: which chunk goes into which call, and which answer into the next.

The calls' origins become parts in tokens (`data`), the parts become boxes and ribbons
(`layouts`), and those become traces (`draw`, `labels`). Whatever can be clicked is a bar;
its `customdata` is its kind ("chunk", "call" or "answer") and its number.
"""

from __future__ import annotations

from collections.abc import Mapping

from synth.calls import Setup
from synth.walk import State
from synth.wording import counted
from ui.figures.flow.data import Calls, FlowData, flow_data
from ui.figures.flow.draw import arrow_traces, box_traces, ribbon_traces, shapes
from ui.figures.flow.labels import flow_labels, label_notes, label_traces
from ui.figures.flow.layouts import chain, levels
from ui.figures.flow.view import FlowView
from ui.look.theme import Figure, base_figure

NARROW = 480
"""The width in pixels of a figure that is too narrow for the labels of its rows."""
MARGINS = 4, 12
"""Pixels at the left and at the right of a figure without these labels."""
_BESIDE = 104  # pixels more at the left for these labels
_EDGE = 4  # pixels for the outlines of boxes at the ends


def flow_figure(
    calls: Calls,
    setup: Setup,
    *,
    width: int = 880,
    height: int | None = None,
    selected: int | None = None,
    states: Mapping[int, State] | None = None,
    planned: bool = False,
    small: bool = False,
) -> Figure:
    """The flow of a plan or a run as a tree, a chain or a fan; `width`, `height` in pixels.

    `selected` highlights a call and its lineage. `states` are those of a run that goes on, by
    call number. `planned`: answers are assumed, so they are dashed and have a "≤". `small`:
    without any words.
    """
    data = flow_data(calls, setup)
    margins = MARGINS if small else margins_at(width)
    span = width - sum(margins) - 2 * _EDGE
    scene = (chain if data.shape == "chain" else levels)(data, span)
    view = FlowView(selected, states, planned, _highlighted(data, selected, states))
    labels = [] if small else flow_labels(scene, view)
    return base_figure(
        height or round(scene.unit * (scene.top - scene.bottom)),
        (*margins, 0, 0),
        [
            *ribbon_traces(scene.ribbons, view),
            *arrow_traces(scene.arrows, view),
            *box_traces(scene.boxes, view),
            *label_traces(labels),
        ],
        barmode="overlay",
        annotations=label_notes(labels, scene.row_labels if margins[0] > MARGINS[0] else ()),
        shapes=shapes(scene, view),
        xaxis={"range": [-_EDGE, scene.span + _EDGE], "showticklabels": False},
        yaxis={"range": [scene.bottom, scene.top], "showticklabels": False},
    )


def margins_at(width: int) -> tuple[int, int]:
    """The margins at the left and at the right of a figure of this width, in pixels."""
    left, right = MARGINS
    return left + (_BESIDE if width >= NARROW else 0), right


def _highlighted(
    data: FlowData, selected: int | None, states: Mapping[int, State] | None
) -> frozenset[int]:
    """The calls whose ribbons stand out: a lineage, or all calls that were sent so far."""
    if selected is not None:
        return frozenset(data.lineage(selected))
    sent = ("running", "done", "cached")
    return frozenset(number for number, state in (states or {}).items() if state in sent)


def flow_alt(calls: Calls, setup: Setup, planned: bool = False) -> str:
    """The flow in one sentence, for those who can't see it."""
    data = flow_data(calls, setup)
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
