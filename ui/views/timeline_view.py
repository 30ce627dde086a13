"""The view Timeline: the calls of a run over time."""

from __future__ import annotations

from synth.times import timeline_facts
from synth.trace import Trace
from ui.figures.timeline import timeline_alt, timeline_figure
from ui.look.elements import sentence, small
from ui.look.picture import Picture, picture
from ui.views import call_detail
from ui.views.shared import RunView, drawable, sized


def draw(view: RunView) -> None:
    """Draw when each call began and ended, and which calls decided how long the run took."""
    trace = view.run
    assert isinstance(trace, Trace)
    facts = view.remembered("timeline facts", lambda: timeline_facts(trace, view.recorded))
    beginning = "the recording began" if view.recorded else "Run"
    sentence(facts.sentence)
    if not drawable(view):
        return

    def make(at_width: RunView) -> Picture:
        def drawn() -> Picture:
            figure = timeline_figure(trace, at_width.width, beginning)
            return picture(figure, f"timeline-{at_width.width}")

        return at_width.remembered("timeline", drawn)

    alt = view.remembered("timeline alt", lambda: timeline_alt(trace, facts))
    sized(view, make, "timeline", alt, lambda mark: call_detail.select(int(mark[1])))
    small(f"{facts.key} Click a call to open it.")
    call_detail.opened(view)
