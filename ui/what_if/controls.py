"""What the person chooses: the axis, the mode in focus, the place on the axis, the measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.models import Price
from ui.look.elements import small
from ui.session import keys
from ui.settings import state
from ui.sweep.axes import AXES, Axis, Span
from ui.views.curve_panels import COST, Measure, measures

_BOUND: dict[str, Any] = {"bind": "query-params", "label_visibility": "collapsed"}
_WAIT = 0.5  # seconds
_MEASURES = ("calls", "prompt tokens", "longest chain", COST)


def choose_axis() -> Axis:
    """The setting to vary."""
    labels = {name: label(axis) for name, axis in AXES.items()}
    name = st.selectbox(
        "What to vary",
        list(AXES),
        format_func=labels.__getitem__,
        key="axis",
        persist_state="session",
        width=190,
        **_BOUND,
    )
    return AXES[name]


def label(axis: Axis) -> str:
    """What the axis is called: chunks that are retrieved have a setting for their number."""
    return "similarity_top_k" if axis.name == "chunks" and _retrieved() else axis.label


def choose_focus(modes: Sequence[str]) -> str:
    """The mode in focus: that of the settings, until another one is chosen."""
    mode = state.get("mode")
    first = mode if mode in modes else state.setting("mode").default
    return st.selectbox(
        "Mode in focus", modes, index=modes.index(first), key=keys.FOCUS, width=190, **_BOUND
    )


def choose_place(axis: Axis, span: Span) -> int:
    """The value to look at: that of the settings, until another one is chosen."""
    key = f"at_{axis.name}"
    seen = f"{key} of"  # the settings that it was chosen against
    if st.session_state.get(seen, span.here) != span.here:
        st.session_state.pop(key, None)
    st.session_state[seen] = span.here
    if (kept := st.session_state.get(key)) is not None:
        st.session_state[key] = min(max(kept, axis.value(span.low)), axis.value(span.high))
    low, high, here = map(axis.value, span)
    chosen = st.slider(
        axis.label,
        low,
        high,
        here,
        step=axis.value(1),
        format=f"%d {axis.noun}s" if axis.noun else "%.2f",
        key=key,
        width=400,
        **_BOUND,
    )
    return round(chosen * axis.per)


def use(axis: Axis, x: int) -> None:
    """The button that puts the value into the settings, where there is one for it."""
    setting = axis.setting
    if setting == "chunks" and _retrieved():
        setting = "top_k"
    if axis.use is None or setting not in state.SETTINGS or setting == "chunks":
        return
    st.button(
        axis.use,
        icon=":material/check:",
        disabled=state.get(setting) == axis.value(x),
        on_click=state.put,
        kwargs={setting: axis.value(x)},
    )


def choose_measures(price: Price | None) -> list[Measure]:
    """The quantities to draw, in their order; cost can't be where no price is known."""
    chosen = st.pills(
        "What to draw",
        _MEASURES,
        selection_mode="multi",
        default=_MEASURES[:2],
        key="measures",
        persist_state="session",
        **_BOUND,
    )
    if COST in chosen and price is None:
        small("There is no curve of the cost: no price is known of this model.")
    return [measure for name, measure in measures(price).items() if name in chosen]


def _retrieved() -> bool:
    return bool(state.get("selection") == "top")


def progress(place: DeltaGenerator) -> Callable[[float], None]:
    """Shows how far the planning is, once it has taken longer than one waits for."""
    last = monotonic()

    def tell(share: float) -> None:
        nonlocal last
        if monotonic() - last > _WAIT:
            last = monotonic()
            place.progress(share, "Planning every mode at every value")

    return tell
