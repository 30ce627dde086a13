"""The calls of a lesson's run against the thing that its control changes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.figures.curves import curves_alt, curves_figure
from ui.learn.place import Place
from ui.lessons.lesson import Facts
from ui.look.elements import chart, section, table
from ui.look.theme import Look
from ui.sweep.axes import AXES, Span
from ui.sweep.curves import curves
from ui.views.curve_panels import View, frame, measures, panels

_HEIGHT = 150  # pixels of the curve


def draw(place: Place, found: Facts, look: Look) -> None:
    """A step curve with its cliffs, and its table."""
    axis, request = AXES[place.lesson.control.field], found.request
    values, mode = place.values, request.mode
    span = Span(_on(axis.per, values[0]), _on(axis.per, values[-1]), _on(axis.per, place.value))
    drawn = curves(axis, span, {mode: request}, lambda share: None)
    view = View(axis, span, drawn, mode, span.here)
    what = f"{axis.label}, tokens" if axis.noun == "token" else axis.label
    section(f"Calls against {axis.label}")
    [panel] = panels(view, [measures(None)["calls"]], what)
    chart(curves_figure(panel, look, _HEIGHT), "lesson_curve", curves_alt(panel))
    with st.expander("The numbers of this curve"):
        table(frame(axis, drawn.values(), None))


def _on(per: int, value: Any) -> int:
    """A value of the control as a whole number on the axis."""
    return round(per * value)
