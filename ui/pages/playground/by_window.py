"""The view By window: calls, tokens or cost of every mode in windows of other sizes."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import streamlit as st

from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from ui.look.elements import button_row, chart
from ui.plans.curves import MEASURES, CurveView, curves, describe_curves, draw_curves, list_windows
from ui.plans.page_inputs import PageInputs
from ui.plans.window_cliffs import window_cliffs
from ui.session import parts
from ui.settings import model, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, SHOWN, Settings

BY_WINDOW = "by_window"
"""The code of the view in the switches and in the address."""

_HEIGHT = 400  # pixels
_SLIDER = "window below the axis"  # its key


def draw(inputs: PageInputs) -> None:
    """Draw the curves of all modes and the present window on them, as a part."""
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
    with st.container(horizontal=True, key=BY_WINDOW):
        measure = button_row(
            "What to draw",
            [code for code in MEASURES if code != "cost" or price is not None],
            "measure",
            format_func=MEASURES.__getitem__,
            label_visibility="collapsed",
        )
    requests = {mode: inputs.request_in(mode) for mode in modes}
    windows = list_windows(requests[focus])
    marks = _mark_windows(requests, focus)
    steps = [cliff.x for cliff in marks["changes"] if windows[0] < cliff.x < windows[-1]]
    with st.spinner("Planning every mode in every window"):
        table = curves(windows, requests, {focus: steps})
    if price is not None:
        tokens = zip(table.prompt_tokens, table.output_tokens, strict=True)
        table["cost"] = [price.of(*both) for both in tokens]
    view = CurveView(table, measure, focus, settings.context_window, **marks)
    chart(draw_curves(view, _HEIGHT), "curves", describe_curves(view))
    _draw_slider(settings.context_window, windows)


def _mark_windows(requests: Mapping[str, Request], focus: str) -> dict[str, Any]:
    """The windows at which the calls of the mode in focus change, and below which one cuts off."""
    marks: dict[str, Any] = {"changes": window_cliffs(requests[focus], exact=True)}
    for mode, request in requests.items():
        for cliff in window_cliffs(request):
            if cliff.before == cliff.after == 1:
                marks |= {"cut_mode": mode, "whole": cliff.x}
    return marks


def _draw_slider(window: int, windows: Sequence[int]) -> None:
    """Draw the slider below the axis, which changes the window."""
    with st.container(key="below_the_axis"):
        st.slider(
            SHOWN["context_window"].label,
            windows[0],
            max(windows[-1], window),
            label_visibility="collapsed",
            **state.bind(_SLIDER, window, _slide),
        )


def _slide() -> None:
    state.update(context_window=st.session_state[_SLIDER])
    parts.redraw_changed()
