"""The list of the values at which the number of calls of the mode in focus changes."""

from __future__ import annotations

import streamlit as st

from synth.text.wording import counted
from ui.look.elements import section, small
from ui.look.html import pairs
from ui.views.curve_panels import CurveView

_SHOWN = 12  # changes, as many below the chosen value as above it where there are enough


def draw(view: CurveView) -> None:
    """Each change as its value with the calls before and after it; nothing without changes."""
    steps = view.curve.steps
    if not steps:
        return
    here = sum(step.x <= view.x for step in steps)
    first = max(0, min(here - _SHOWN // 2, len(steps) - _SHOWN))
    nearest = steps[first : first + _SHOWN]
    items = ((view.axis.text(step.x), f"{step.before:,} → {step.after:,}") for step in nearest)
    section(f"Calls of {view.focus}, and the {view.axis.label} from which they change")
    st.html(pairs(items, "changes"))
    if left := len(steps) - len(nearest):
        small(f"The table under Data has {counted(left, 'more change')}.")
    if view.curve.slope:
        small("Where the calls change at almost every value, some changes are left out.")
