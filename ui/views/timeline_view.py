"""The view Timeline: the calls of a run over time."""

from __future__ import annotations

from synth.pictures.timeline import timeline
from synth.pictures.times import timeline_facts
from synth.runs.trace import Trace
from ui.look.elements import sentence, small
from ui.views import call_detail
from ui.views.shared import RunView, draw_sized, drawable


def draw(view: RunView) -> None:
    """Draw when each call began and ended, and which calls decided how long the run took."""
    trace = view.run
    assert isinstance(trace, Trace)
    facts = view.remembered("timeline facts", lambda: timeline_facts(trace, view.recorded))
    beginning = "the recording began" if view.recorded else "Run"
    sentence(facts.sentence)
    if not drawable(view):
        return

    draw_sized(
        view,
        "timeline",
        lambda width: timeline(trace, facts, width, beginning),
        clicked=lambda click: call_detail.select(int(click[1])),
    )
    small(f"{facts.key} Click a call to open it.")
    call_detail.opened(view)
