"""The list of the values at which the number of calls of the mode in focus changes."""

from __future__ import annotations

import streamlit as st

from synth.wording import counted
from ui.look.elements import section, small
from ui.views.curve_panels import CurveView

_SHOWN = 12  # changes: the nearest to the chosen value


def draw(view: CurveView) -> None:
    """Each change as its value with the calls before and after it; nothing without changes."""
    steps = view.curve.steps
    if not steps:
        return
    nearest = sorted(steps, key=lambda step: abs(step.x - view.x))[:_SHOWN]
    items = "".join(
        f"<div><dt>{view.axis.text(step.x)}</dt><dd>{step.before:,} → {step.after:,}</dd></div>"
        for step in sorted(nearest, key=lambda step: step.x)
    )
    section(f"Calls of {view.focus}, and the {view.axis.label} from which they change")
    st.html(f'<dl class="changes num">{items}</dl>')
    if left := len(steps) - len(nearest):
        small(f"The table under Data has {counted(left, 'more change')}.")
