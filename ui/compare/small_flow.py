"""The flow of one column, so small that only its shape is left."""

from __future__ import annotations

from synth.trace import Plan, Trace
from ui.figures.flow import flow_alt, flow_figure
from ui.look.theme import Figure, Look
from ui.trace.states import states_of

_HEIGHT = 132  # pixels


def small_flow(run: Plan | Trace, look: Look, width: int) -> Figure:
    """The flow of a plan or a run without words; `width` in pixels."""
    return flow_figure(
        run.calls,
        run.setup,
        look,
        width=width,
        height=_HEIGHT,
        states=states_of(run),
        planned=isinstance(run, Plan),
        small=True,
    )


def small_flow_alt(run: Plan | Trace) -> str:
    """The flow in one sentence, for those who can't see it."""
    return flow_alt(run.calls, run.setup, planned=isinstance(run, Plan))
