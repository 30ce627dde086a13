"""The page: what to vary, the curves with their sentences, and the plan at the value chosen."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.response_synthesizers.base import BaseSynthesizer
from synth.response_synthesizers.registry import MODES
from synth.wording import listed
from ui.figures.curves import curves_alt, curves_figure
from ui.look.elements import box, chart, sentence, small
from ui.look.theme import Look
from ui.plan.plan_range import plan_range
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.settings import model, state
from ui.sweep.axes import Axis, Span
from ui.sweep.curves import Point, curves
from ui.views import shared
from ui.views.curve_panels import View, frame, panels
from ui.views.shared import RunView
from ui.what_if import adviser, controls, words
from ui.what_if.tail import short_tail

_ALL = 10_000_000  # chunks; more than there can be
_BARS = 490  # pixels that a narrow page leaves for the budget bars: their words fit there too


def draw(look: Look) -> None:
    """The controls, the curves, the plan at the value chosen, and the table."""
    modes = [name for name, mode in MODES.items() if mode.steps is not BaseSynthesizer.steps]
    with st.container(horizontal=True, vertical_alignment="center", key="what_if"):
        axis, focus = controls.choose_axis(), controls.choose_focus(modes)
        whole = {"top_k": _ALL} if axis.setting == "chunks" else {}
        requests = {mode: _asked(mode, **whole) for mode in modes}
        span = axis.span(_asked(focus), len(requests[focus].chunks))
        x = controls.choose_place(axis, span) if span.low < span.high else None
        if x is not None:
            st.space("stretch")
            controls.use(axis, x)
    if x is None:
        _nothing_to_vary(axis, span)
        return
    place = st.empty()
    found = curves(axis, span, requests, controls.progress(place))
    place.empty()
    drawn = {
        mode: curve for mode, curve in found.items() if mode == focus or MODES[mode].sends_chunks
    }
    view = View(axis, span, drawn, focus, x)
    request = axis.asked(requests[focus], x)
    _curves(view, request, look)
    _plan(view, request, look)
    here_asked = {mode: axis.asked(one, x) for mode, one in requests.items()}
    adviser.draw(here_asked, axis.answers(x), axis.place(x))
    with st.expander("Data"):
        shared.download("Curves", frame(axis, found.values(), model.price(state.get)))


def _asked(mode: str, **others: Any) -> Request:
    """The request of the settings, but in this mode."""
    changed = {"mode": mode, **others}
    return request_from(lambda name: changed[name] if name in changed else state.get(name))


def _nothing_to_vary(axis: Axis, span: Span) -> None:
    if axis.setting == "chunks":
        count = "is 1 chunk" if span.high else "are no chunks"
        box("Nothing to vary here.", f"There {count}: the Playground takes more.")
    else:
        box("Nothing to vary here.", f"The {axis.label} can only be {axis.text(span.high)}.")


def _curves(view: View, request: Request, look: Look) -> None:
    """The sentence, the figures and what they leave out."""
    planned = plan_range(request, view.axis.answers(view.x))
    here = Point.of(view.x, planned)
    tail = None if planned.high is None else short_tail(planned.high)
    bounds = planned.bounds if view.axis.answers(view.x) is None else None
    sentence(words.headline(view.axis, here, view.span, view.curve, view.others, tail, bounds))
    chosen = controls.choose_measures(model.price(state.get))
    unit = ", tokens" if view.axis.noun == "token" else ""
    what = f"{controls.label(view.axis)}{unit}"
    for panel in panels(view, chosen, what):
        figure = curves_figure(panel, look, 190)
        chart(figure, f"curves_{panel.title}", curves_alt(panel))
    small(_note(view, request))
    if said := words.more(view.axis, view.x, view.curve, view.others):
        small(said)


def _note(view: View, request: Request) -> str:
    """What the lines and bands are, and which modes have none."""
    said = []
    if view.axis.answers(view.x) is None:
        said.append(words.bands(request.num_output if view.axis.setting != "num_output" else None))
    absent = [name for name, mode in MODES.items() if not mode.sends_chunks and name != view.focus]
    said.append(f"{listed(absent)} send no chunks: not drawn.")
    if view.axis.setting == "chunk_limit" and state.get("chunk_limit") is None:
        said.append(
            f"No limit is set, which is the same as one of {view.axis.text(view.span.here)}."
        )
    return " ".join(said)


def _plan(view: View, request: Request, look: Look) -> None:
    """The budget bars of the mode in focus at the value chosen."""
    answers = view.axis.answers(view.x)
    found = plan_range(request, answers)
    if found.refused is not None:
        box("This can't run.", found.refused)
    if found.high is None:
        return
    shared.unfinished(found.high)
    if found.high.calls:
        plan = RunView(found.high, (request, answers), look, _BARS)
        shared.budgets(plan, f"{view.focus} {view.axis.place(view.x)}")
