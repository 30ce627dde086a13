"""The view of the calls over time."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.trace import Trace
from ui.figures.timeline import timeline_alt, timeline_facts, timeline_figure
from ui.playground import call_detail
from ui.theme import Figure
from ui.views import Shown, drawable
from ui.words import chart, section, sentence, small


def draw(shown: Shown) -> None:
    """When each call began and ended, and which of them decided how long it took."""
    trace = shown.run
    assert isinstance(trace, Trace)
    sentence(timeline_facts(trace).sentence)
    if not drawable(shown):
        return

    def make() -> tuple[Figure, str]:
        return timeline_figure(trace, shown.look, shown.width), timeline_alt(trace)

    figure, alt = shown.kept("timeline", make)
    chart(figure, "timeline", alt, on_select=_clicked, selection_mode="points")
    small("Click a call to open it below.")
    section("The call that is open")
    call_detail.detail(shown, shown.width)


def _clicked() -> None:
    points: list[dict[str, Any]] = st.session_state["timeline"]["selection"]["points"]
    for point in points:
        if customdata := point.get("customdata"):
            call_detail.select(int(customdata[1]))
