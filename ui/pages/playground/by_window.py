"""The view By window: calls, tokens and cost of every mode along one setting, and one plan."""

from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from synth.modes.advice.choice import SHORT
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.runs.prices import Price
from synth.text.wording import counted, listed, ranged
from ui.look.elements import as_csv, box, chart, dropdown, error_box, save_button, small
from ui.plans.curve_chart import (
    MEASURES,
    CurveMeasure,
    CurveView,
    curve_table,
    curves_alt,
    curves_figure,
    measures,
)
from ui.plans.curves import AXES, Axis, AxisSpan, curves
from ui.plans.page_inputs import PageInputs
from ui.plans.plan_range import plan_range
from ui.session import keys, parts
from ui.settings import model, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, Settings
from ui.views import run_views

BY_WINDOW = "by_window"
"""The code of the view in the switches and in the address."""

_ALL = 10_000_000  # chunks
_CURVE_HEIGHT = 190  # pixels
_DRAWN_FIRST = ("calls", "prompt_tokens")


def lead_here() -> None:
    """Show this view in place of a page that it was; the address stays but for what that held."""
    st.session_state[keys.VIEW] = st.session_state[keys.PLAN_VIEW] = BY_WINDOW
    held = "axis", "measures"
    params = {name: value for name, value in st.query_params.items() if name not in held}
    st.switch_page("app.py", query_params=params)


def draw(inputs: PageInputs) -> None:
    """Draw what is varied, the curves of all modes, and the plan at the chosen value, as a part."""
    parts.part(BY_WINDOW, inputs, attrgetter("settings"), _draw)


def _draw(inputs: PageInputs, settings: Settings) -> None:
    modes = [name for name, mode in MODES.items() if mode.steps is not BaseSynthesizer.steps]
    focus = settings.mode if settings.mode in modes else DEFAULT.mode
    with st.container(horizontal=True, vertical_alignment="center", key=BY_WINDOW):
        axis = _choose_axis(settings)
        present = whole = inputs.request_in(focus)
        if axis.setting == "text_chunks":
            whole = Request.of(settings.with_({"similarity_top_k": _ALL}))
        requests = {mode: whole.in_mode(mode, settings) for mode in modes}
        span = axis.span(present, len(requests[focus].text_chunks))
        x = _choose_value(axis, span, settings) if span.low < span.high else None
    if x is None:
        _nothing_to_vary(axis, span)
        return
    with st.spinner("Planning every mode at every value"):
        planned = curves(axis, span, requests)
    drawn = {
        mode: curve
        for mode, curve in planned.items()
        if mode == focus or mode_facts(mode).sends_chunks
    }
    price = model.price(settings)
    request = axis.request_at(requests[focus], x)
    _draw_curves(CurveView(axis, span, drawn, focus, x), request, settings, price)
    _draw_plan(request, f"{focus} {axis.phrase(x)}")
    table = partial(curve_table, axis, planned.values(), price)
    save_button("Curves as CSV", lambda: as_csv(table()), "curves.csv", "secondary")


def _nothing_to_vary(axis: Axis, span: AxisSpan) -> None:
    if axis.setting != "text_chunks":
        reason = f"The {axis.label} can only be {span.high:,}."
    else:
        reason = "There is 1 chunk. Add more." if span.high else "There are no chunks. Add some."
    box("There is nothing to vary.", reason)


def _draw_curves(
    view: CurveView, request: Request, settings: Settings, price: Price | None
) -> None:
    """Draw the figures, and which modes and answers are not in them."""
    unit = ", tokens" if view.axis.noun == "token" else ""
    title = f"{_label(view.axis, settings)}{unit}"
    for measure in _choose_measures(price):
        figure = curves_figure(view, measure, title, _CURVE_HEIGHT)
        chart(figure, f"curves_{measure.name}", curves_alt(view, measure))
    longest = counted(request.num_output, "token")
    if view.axis.setting == "num_output":
        longest = "the answer length"
    bands = f"; bands reach down to answers of {counted(SHORT, 'token')}"
    absent = [name for name in MODES if not mode_facts(name).sends_chunks and name != view.focus]
    small(
        f"Lines assume answers of {longest}{bands if request.num_output > SHORT else ''}."
        f" {listed(absent)} send no chunks, so they are not drawn."
    )


def _draw_plan(request: Request, title: str) -> None:
    """Draw the budgets of the mode in focus at the chosen value, or why it is refused there."""
    plans = plan_range(request)
    if plans.refused is not None:
        error_box("This can't run.", plans.refused)
    if plans.low is None or plans.high is None:
        return
    run_views.unfinished(plans.high)
    fewest, most = sorted((plans.low.call_count, plans.high.call_count))
    if not most:
        small(f"{title}: no call")
        return
    run_views.titled_picture(plans.high, f"{title}: {ranged(fewest, most, 'call')}")


def _choose_axis(settings: Settings) -> Axis:
    """Draw the choice of the setting to vary."""
    words = {name: _label(axis, settings) for name, axis in AXES.items()}.__getitem__
    return AXES[dropdown("What to vary", list(AXES), "axis", format_func=words, width=190)]


def _label(axis: Axis, settings: Settings) -> str:
    """The name of the axis; the number of retrieved chunks is called similarity_top_k."""
    retrieved = axis.setting == "text_chunks" and settings.selection == "top"
    return "similarity_top_k" if retrieved else axis.label


def _choose_value(axis: Axis, span: AxisSpan, settings: Settings) -> int:
    """Draw the slider, which is at the value of the settings until another one is chosen.

    The button beside it puts the value into the settings, if there is a setting for it.
    """
    key = f"at_{axis.name}"
    chosen_against = f"{key} of"  # the value of the settings when the slider was last drawn
    if st.session_state.get(chosen_against, span.current) != span.current:
        st.session_state.pop(key, None)
    st.session_state[chosen_against] = span.current
    chosen = st.session_state.get(key, span.current)
    st.session_state[key] = min(max(chosen, span.low), span.high)
    label = _label(axis, settings)
    x: int = st.slider(
        label,
        span.low,
        span.high,
        key=key,
        persist_state="session",
        width="stretch",
        label_visibility="collapsed",
    )
    path = label if label == "similarity_top_k" else axis.setting
    if path != "text_chunks":
        st.button(
            "Use this value",
            icon=":material/check:",
            disabled=settings.value(path) == x,
            on_click=state.update_and_rerun,
            kwargs={path: x},
        )
    return x


def _choose_measures(price: Price | None) -> list[CurveMeasure]:
    """Draw the choice of the quantities to draw; without cost if no price is known."""
    chosen: Any = st.pills(
        "What to draw",
        list(MEASURES),
        selection_mode="multi",
        default=_DRAWN_FIRST,
        wrap=True,
        format_func=MEASURES.__getitem__,
        key="measures",
        persist_state="session",
        label_visibility="collapsed",
    )
    if "cost" in chosen and price is None:
        small("There is no curve of the cost: no price is known of this model.")
    return [measure for code, measure in measures(price).items() if code in chosen]
