"""The controls of the What if page: the axis, the mode in focus, the value, the measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.runs.prices import Price
from ui.look.elements import small
from ui.plans.axes import AXES, Axis, AxisSpan
from ui.session import address, keys
from ui.settings import schema, state
from ui.settings.schema import DEFAULT
from ui.views.curve_panels import MEASURES, CurveMeasure, measures

_BOUND: dict[str, Any] = {"bind": "query-params", "label_visibility": "collapsed"}
_WAIT = 0.5  # seconds before and between two reports
_AXIS, _MEASURES = "axis", "measures"
_DRAWN_FIRST = ("calls", "prompt_tokens")


def choose_axis() -> Axis:
    """The setting to vary."""
    labels = {name: label(axis) for name, axis in AXES.items()}
    address.hold(_AXIS, AXES, next(iter(AXES)))
    name = st.selectbox(
        "What to vary",
        list(AXES),
        format_func=labels.__getitem__,
        key=_AXIS,
        persist_state="session",
        width=190,
        label_visibility="collapsed",
    )
    return AXES[name]


def label(axis: Axis) -> str:
    """The name of the axis; the number of retrieved chunks is called similarity_top_k."""
    return "similarity_top_k" if axis.name == "chunks" and _retrieved() else axis.label


def choose_focus(modes: Sequence[str]) -> str:
    """The mode in focus: the mode of the settings, until another one is chosen."""
    mode = state.current().mode
    default = mode if mode in modes else DEFAULT.mode
    return st.selectbox(
        "Mode in focus", modes, index=modes.index(default), key=keys.FOCUS, width=190, **_BOUND
    )


def choose_value(axis: Axis, span: AxisSpan) -> int:
    """The value to show: the value of the settings, until another one is chosen."""
    key = f"at_{axis.name}"
    chosen_against = f"{key} of"  # the value of the settings when the slider was last drawn
    if st.session_state.get(chosen_against, span.current) != span.current:
        st.session_state.pop(key, None)
    st.session_state[chosen_against] = span.current
    if (chosen := st.session_state.get(key)) is not None:
        st.session_state[key] = min(max(chosen, axis.value(span.low)), axis.value(span.high))
    low, high, current = map(axis.value, span)
    value = st.slider(
        axis.label,
        low,
        high,
        current,
        step=axis.value(1),
        format=f"%d {axis.noun}s" if axis.noun else "%.2f",
        key=key,
        width="stretch",
        **_BOUND,
    )
    return round(value * axis.scale)


def use_button(axis: Axis, x: int) -> None:
    """The button that puts the value into the settings, if there is a setting for it."""
    path = "similarity_top_k" if axis.setting == "text_chunks" and _retrieved() else axis.setting
    if axis.button is None or not schema.is_setting(path):
        return
    st.button(
        axis.button,
        icon=":material/check:",
        disabled=state.current().value(path) == axis.value(x),
        on_click=state.put,
        kwargs={path: axis.value(x)},
    )


def choose_measures(price: Price | None) -> list[CurveMeasure]:
    """The quantities to draw, in their order; without cost if no price is known."""
    address.hold_several(_MEASURES, MEASURES, _DRAWN_FIRST)
    chosen = st.pills(
        "What to draw",
        list(MEASURES),
        selection_mode="multi",
        default=_DRAWN_FIRST,
        format_func=MEASURES.__getitem__,
        key=_MEASURES,
        persist_state="session",
        label_visibility="collapsed",
    )
    if "cost" in chosen and price is None:
        small("There is no curve of the cost: no price is known of this model.")
    return [measure for code, measure in measures(price).items() if code in chosen]


def _retrieved() -> bool:
    return state.current().selection == "top"


def report_in(element: DeltaGenerator) -> Callable[[float], None]:
    """A function that shows the share of the planning that is done, if it takes long."""
    last = monotonic()

    def report(share: float) -> None:
        nonlocal last
        if monotonic() - last > _WAIT:
            last = monotonic()
            element.progress(share, "Planning every mode at every value")

    return report
