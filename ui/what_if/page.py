"""The What if page: the setting to vary, the curves with their sentences, and one plan."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.pictures.shapes import WIDE
from synth.text.wording import listed
from ui.controls import handover
from ui.controls.questions import choose_goal
from ui.look.elements import at_two_widths, box, lead, sentence, small
from ui.look.theme import Figure
from ui.plans.axes import Axis, AxisSpan
from ui.plans.curve_chart import Panel, curves_alt, curves_figure
from ui.plans.curves import Point, curves
from ui.plans.plan_range import plan_range
from ui.settings import model, state
from ui.settings.request import Request
from ui.views import run_views
from ui.views.curve_panels import CurveView, frame, panels
from ui.views.run_views import RunView
from ui.what_if import adviser, changes, controls, sentences

_ALL = 10_000_000  # chunks; more than there can be
_CURVE_HEIGHT = 190  # pixels


def draw() -> None:
    """The controls, the curves, the plan at the chosen value, the adviser, and the table."""
    modes = [name for name, mode in MODES.items() if mode.steps is not BaseSynthesizer.steps]
    lead_row = lead()
    with st.container(horizontal=True, vertical_alignment="center", key="what_if"):
        axis, focus = controls.choose_axis(), controls.choose_focus(modes)
        goal = choose_goal()
        all_chunks = {"similarity_top_k": _ALL} if axis.setting == "text_chunks" else {}
        requests = {mode: _request(mode, **all_chunks) for mode in modes}
        span = axis.span(_request(focus), len(requests[focus].text_chunks))
        x = controls.choose_value(axis, span) if span.low < span.high else None
        if x is not None:
            controls.use_button(axis, x)
    here = span.current if x is None else x
    requests_here = {mode: axis.request_at(one, here) for mode, one in requests.items()}
    phrase = axis.phrase(here)
    adviser.draw(
        lead_row,
        goal,
        requests_here,
        axis.answer_tokens(here),
        f"{phrase[0].upper()}{phrase[1:]}",
    )
    if x is None:
        _nothing_to_vary(axis, span)
        return
    progress = st.empty()
    curve_of_mode = curves(axis, span, requests, controls.report_in(progress))
    progress.empty()
    drawn = {
        mode: curve
        for mode, curve in curve_of_mode.items()
        if mode == focus or mode_facts(mode).sends_chunks
    }
    recorded = x == span.current and axis.answer_tokens(x) is None and _is_recorded(focus)
    view = CurveView(axis, span, drawn, focus, x, recorded)
    _curves(view, requests_here[focus])
    _plan(view, requests_here[focus])
    with st.expander("Data"):
        run_views.download(
            "Curves", frame(axis, curve_of_mode.values(), model.price(state.current()))
        )


def _request(mode: str, **changes: Any) -> Request:
    """The request of the settings with another mode and these changes."""
    return Request.of(state.current().with_({"mode": mode, **changes}))


def _is_recorded(mode: str) -> bool:
    """Whether the settings are those of a recorded run of this mode."""
    return mode == state.current().mode and handover.holds_trace()


def _nothing_to_vary(axis: Axis, span: AxisSpan) -> None:
    if axis.setting != "text_chunks":
        reason = f"The {axis.label} can only be {axis.text(span.high)}."
    elif span.high:
        reason = "There is 1 chunk. Add more in the Playground."
    else:
        reason = "There are no chunks. Add some in the Playground."
    box("There is nothing to vary.", reason)


def _curves(view: CurveView, request: Request) -> None:
    """The headline, the figures, and notes below them."""
    plans = plan_range(request, view.axis.answer_tokens(view.x))
    last_call_tokens = None if plans.high is None else sentences.nearly_empty_last_call(plans.high)
    bounds = plans.bounds if view.axis.answer_tokens(view.x) is None else None
    point = Point.of(view.x, plans)
    sentence(
        sentences.headline(view.axis, point, view.curve, view.others, last_call_tokens, bounds)
    )
    chosen = controls.choose_measures(model.price(state.current()))
    unit = ", tokens" if view.axis.noun == "token" else ""
    for panel in panels(view, chosen, f"{controls.label(view.axis)}{unit}"):
        at_two_widths(partial(_figure, panel), f"curves_{panel.title}", curves_alt(panel))
    small(_note(view, request))
    changes.draw(view)
    if more := sentences.more(view.axis, view.x, view.curve, view.others):
        small(more)


def _figure(panel: Panel, narrow: bool) -> Figure:
    return curves_figure(panel, _CURVE_HEIGHT, narrow=narrow)


def _note(view: CurveView, request: Request) -> str:
    """Sentences about the lines and bands, the modes without a line, and a missing limit."""
    notes = []
    if view.axis.answer_tokens(view.x) is None:
        num_output = request.num_output if view.axis.setting != "num_output" else None
        notes.append(sentences.bands(num_output))
    absent = [name for name in MODES if not mode_facts(name).sends_chunks and name != view.focus]
    notes.append(f"{listed(absent)} send no chunks, so they are not drawn.")
    if view.axis.setting == "chunk_size_limit" and state.current().chunk_size_limit is None:
        limit = view.axis.text(view.span.current)
        notes.append(f"No limit is set, which is the same as a limit of {limit}.")
    return " ".join(notes)


def _plan(view: CurveView, request: Request) -> None:
    """The budget bars of the mode in focus at the chosen value."""
    answer_tokens = view.axis.answer_tokens(view.x)
    plans = plan_range(request, answer_tokens)
    if plans.refused is not None:
        box("This can't run.", plans.refused)
    if plans.high is None:
        return
    run_views.unfinished(plans.high)
    if plans.high.calls:
        run_view = RunView(plans.high, (request, answer_tokens), WIDE)
        run_views.budgets(run_view, f"{view.focus} {view.axis.phrase(view.x)}")
