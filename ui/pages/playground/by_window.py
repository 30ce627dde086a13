"""The view By window: calls, tokens or cost of every mode over one setting."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import streamlit as st

from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from ui.look.elements import box, button_row, chart, dropdown
from ui.plans.curves import (
    AXES,
    MEASURES,
    CurveView,
    curves,
    describe_curves,
    draw_curves,
    window_cliffs,
)
from ui.plans.plan_range import PageInputs
from ui.session import parts
from ui.settings import model, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, SHOWN, Settings

BY_WINDOW = "by_window"
"""The code of the view in the switches and in the address."""

_ALL = 10_000_000  # chunks
_HEIGHT = 400  # pixels


def draw(inputs: PageInputs) -> None:
    """Draw what is varied, the curves of all modes and the present value on them, as a part."""
    parts.part(BY_WINDOW, inputs, attrgetter("settings"), _draw)


def _draw(inputs: PageInputs, settings: Settings) -> None:
    modes = [
        name
        for name, mode in MODES.items()
        if mode.steps is not BaseSynthesizer.steps
        and (mode_facts(name).sends_chunks or name == settings.mode)
    ]
    focus = settings.mode if settings.mode in modes else DEFAULT.mode
    price = model.price(settings)
    with st.container(horizontal=True, vertical_alignment="center", key=BY_WINDOW):
        axis = dropdown("What to vary", AXES, "axis", format_func=attrgetter("label"), width=190)
        measure = button_row(
            "What to draw",
            [code for code in MEASURES if code != "cost" or price is not None],
            "measure",
            format_func=MEASURES.__getitem__,
            label_visibility="collapsed",
        )
    request = inputs.request_in(focus)
    if axis.setting == "text_chunks":
        request = Request.of(settings.with_({"similarity_top_k": _ALL}))
    requests = {mode: request.in_mode(mode, settings) for mode in modes}
    values = axis.values(request)
    if len(values) < 2:
        box("There is nothing to vary.", "Add more chunks.")
        return
    marks = _mark_windows(requests, focus) if axis.setting == "context_window" else {}
    steps = [cliff.x for cliff in marks.get("changes", ()) if values[0] < cliff.x < values[-1]]
    with st.spinner("Planning every mode at every value"):
        table = curves(axis, values, requests, {focus: steps})
    if price is not None:
        tokens = zip(table.prompt_tokens, table.output_tokens, strict=True)
        table["cost"] = [price.of(*both) for both in tokens]
    value = axis.value(inputs.request_in(focus))
    title = f"{axis.label}, {axis.unit}" if axis.unit else axis.label
    view = CurveView(table, measure, focus, value, title, **marks)
    chart(draw_curves(view, _HEIGHT), "curves", describe_curves(view))
    if axis.setting != "text_chunks":
        _draw_slider(axis.setting, value, values)


def _mark_windows(requests: Mapping[str, Request], focus: str) -> dict[str, Any]:
    """The windows at which the calls of the mode in focus change, and below which one cuts off."""
    marks: dict[str, Any] = {"changes": window_cliffs(requests[focus], exact=True)}
    for mode, request in requests.items():
        for cliff in window_cliffs(request):
            if cliff.before == cliff.after == 1:
                marks |= {"cut_mode": mode, "whole": cliff.x}
    return marks


def _draw_slider(setting: str, value: int, values: Sequence[int]) -> None:
    """Draw the slider below the axis, which changes the setting."""
    key = f"at {setting}"
    with st.container(key="below_the_axis"):
        st.slider(
            SHOWN[setting].label,
            values[0],
            max(values[-1], value),
            label_visibility="collapsed",
            **state.bind(key, value, _slide, setting, key),
        )


def _slide(setting: str, key: str) -> None:
    state.update(**{setting: st.session_state[key]})
    parts.redraw_changed()
