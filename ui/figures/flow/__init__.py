"""The flow: which chunk goes into which call, and which answer into the next.

Everything that can be clicked is a bar, because Plotly reports clicks on bars; its
`customdata` is its kind ("chunk", "call" or "answer") and its number.
"""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from synth.trace import Setup
from ui.figures import flow_draw as draw
from ui.figures.flow_data import Calls, FlowData, flow_data
from ui.figures.flow_layout import layout
from ui.figures.places import counted
from ui.theme import Look, base_figure


def flow_figure(
    calls: Calls,
    setup: Setup,
    look: Look,
    *,
    width: int = 880,
    height: int | None = None,
    selected: int | None = None,
    states: Mapping[int, draw.State] | None = None,
    planned: bool = False,
) -> go.Figure:
    """The flow of a plan or a run as a tree, a chain or a fan; `width`, `height` in pixels.

    `selected` lights a call's lineage. `states` are those of a run that is going on, by call
    number. `planned`: answers are assumed, so they are drawn dashed with a "≤".
    """
    data = flow_data(calls, setup)
    beside = 112 if width >= 480 else 8
    scene = layout(data, width - beside - 16)
    view = draw.View(look, selected, states, planned, _lit(data, selected, states))
    return base_figure(
        look,
        height or round(scene.unit * (scene.top - scene.bottom)) + 16,
        (beside, 16, 8, 8),
        [
            *draw.ribbon_traces(scene.ribbons, view),
            *draw.arrow_traces(scene, view),
            *draw.box_traces(scene.boxes, view),
            *draw.word_traces(scene, view),
        ],
        barmode="overlay",
        annotations=draw.notes(scene, view, beside=beside > 8),
        shapes=draw.shapes(scene, view),
        xaxis={"range": [0, scene.span], "showticklabels": False},
        yaxis={"range": [scene.bottom, scene.top], "showticklabels": False},
    )


def _lit(
    data: FlowData, selected: int | None, states: Mapping[int, draw.State] | None
) -> frozenset[int]:
    """The calls whose ribbons stand out: a lineage, or what has been sent so far."""
    if selected is not None:
        return frozenset(data.lineage(selected))
    sent = ("running", "done", "cached")
    return frozenset(number for number, state in (states or {}).items() if state in sent)


def flow_alt(calls: Calls, setup: Setup, planned: bool = False) -> str:
    """The flow in one sentence, for those who can't see it."""
    data = flow_data(calls, setup)
    verb = "would go into" if planned else "went into"
    start = f"Flow: {counted(len(data.chunks), 'chunk')} {verb}"
    made = counted(len(data.calls), "call")
    if data.shape == "tree":
        depths = sorted({call.depth for call in data.calls})
        counts = [sum(call.depth == depth for call in data.calls) for depth in depths]
        levels = ", ".join(f"{count:,} at level {level}" for level, count in enumerate(counts))
        return f"{start} a tree of {made}: {levels}."
    how = {"chain": ", one after the other", "fan": " at once" if len(data.calls) > 1 else ""}
    lost = sum(part.end - part.start for part in data.lost)
    unsent = f"; {lost:,.0f} tokens of them are never sent" if lost >= 0.5 else ""
    return f"{start} {made}{how[data.shape]}{unsent}."
