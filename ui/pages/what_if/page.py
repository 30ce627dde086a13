"""The What if page: the setting to vary, the curves with their sentences, and one plan."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import counting_tag, tags_html
from synth.html.markup import pairs
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.pictures.shapes import WIDE
from synth.runs.prices import Price
from synth.text.wording import counted, listed
from ui.controls import handover
from ui.controls.modes import choose_goal
from ui.look.elements import at_two_widths, box, dropdown, error_box, lead, section, sentence, small
from ui.pages.what_if import adviser, sentences
from ui.plans.axes import AXES, Axis, AxisSpan
from ui.plans.chart_data import MEASURES, CurveMeasure, CurveView, frame, measures, panels
from ui.plans.curve_chart import curves_alt, curves_figure
from ui.plans.curves import Curve, Point, curves
from ui.plans.findings import one_call_windows, planned_closely
from ui.plans.plan_range import plan_range
from ui.session import keys
from ui.settings import model, paths, state
from ui.settings.request import Request
from ui.settings.schema import DEFAULT
from ui.views import run_views
from ui.views.run_views import RunView

_ALL = 10_000_000  # chunks
_CURVE_HEIGHT = 190  # pixels


def draw() -> None:
    """The controls, the curves, the plan at the chosen value, the adviser, and the table."""
    modes = [name for name, mode in MODES.items() if mode.steps is not BaseSynthesizer.steps]
    lead_row, answer = lead(), st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="what_if"):
        axis, focus = _choose_axis(), _choose_focus(modes)
        goal = choose_goal()
        all_chunks = {"similarity_top_k": _ALL} if axis.setting == "text_chunks" else {}
        requests = {mode: _request(mode, **all_chunks) for mode in modes}
        one_call = one_call_windows(requests) if axis.name == "window" else {}
        reach = max(one_call.values(), default=0)
        span = axis.span(_request(focus), len(requests[focus].text_chunks)).reaching(reach)
        x = _choose_value(axis, span) if span.low < span.high else None
        if x is not None:
            _use_button(axis, x)
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
    with answer:
        planned = _planned(axis, span, requests, focus, x, one_call.get(focus))
    drawn = {
        mode: curve
        for mode, curve in planned.items()
        if mode == focus or mode_facts(mode).sends_chunks
    }
    as_set = x == span.current and axis.answer_tokens(x) is None and focus == state.current().mode
    recorded = as_set and handover.holds_trace()
    view = CurveView(axis, span, drawn, focus, x, recorded)
    with answer:
        _draw_answer(view, requests_here[focus], one_call)
    _draw_curves(view, requests_here[focus])
    _plan(view, requests_here[focus])
    with st.expander("Data"):
        table = frame(axis, planned.values(), model.price(state.current()))
        run_views.download("Curves", table)


def _planned(
    axis: Axis,
    span: AxisSpan,
    requests: Mapping[str, Request],
    focus: str,
    x: int,
    one_call: int | None,
) -> dict[str, Curve]:
    """The curves of all modes, planned closely where sentences speak of them."""
    progress = st.empty()
    planned = curves(axis, span, requests, _report_in(progress))
    progress.empty()
    also = (one_call - 1, one_call) if one_call else ()
    return planned_closely(axis, requests, planned, focus, x, also)


def _request(mode: str, **changes: Any) -> Request:
    """The request of the settings with another mode and these changes."""
    return Request.of(state.current().with_({"mode": mode, **changes}))


def _nothing_to_vary(axis: Axis, span: AxisSpan) -> None:
    if axis.setting != "text_chunks":
        reason = f"The {axis.label} can only be {axis.text(span.high)}."
    elif span.high:
        reason = "There is 1 chunk. Add more in the Playground."
    else:
        reason = "There are no chunks. Add some in the Playground."
    box("There is nothing to vary.", reason)


def _draw_answer(view: CurveView, request: Request, one_call: Mapping[str, int]) -> None:
    """The headline, and the window from which on each mode makes one call."""
    tokens = view.axis.answer_tokens(view.x)
    plans = plan_range(request, tokens)
    last_call_tokens = None if plans.high is None else sentences.nearly_empty_last_call(plans.high)
    point, bounds = Point.of(view.x, plans), plans.bounds if tokens is None else None
    sentence(
        sentences.headline(view.axis, point, view.curve, view.others, last_call_tokens, bounds)
    )
    if plans.high is not None:
        st.html(tags_html([counting_tag(plans.high.setup.tokenizer)]))
    if one_call:
        small(sentences.one_call(one_call))


def _draw_curves(view: CurveView, request: Request) -> None:
    """The figures, and notes below them."""
    chosen = _choose_measures(model.price(state.current()))
    for panel in panels(view, chosen, f"{label(view.axis)}{_unit(view.axis)}"):
        figure = partial(curves_figure, panel, _CURVE_HEIGHT)
        at_two_widths(figure, f"curves_{panel.title}", curves_alt(panel))
    small(_note(view, request))
    _draw_changes(view)
    if more := sentences.more(view.axis, view.x, view.curve, view.others):
        small(more)


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
        error_box("This can't run.", plans.refused)
    if plans.high is None:
        return
    run_views.unfinished(plans.high)
    if plans.high.calls:
        run_view = RunView(plans.high, (request, answer_tokens), WIDE)
        run_views.budgets(run_view, f"{view.focus} {view.axis.phrase(view.x)}")


def _draw_changes(view: CurveView) -> None:
    """The places where the mode in focus begins to make fewer calls, or more, with their calls."""
    shown, left_out = sentences.changes(view.axis, view.x, view.curve)
    if not shown:
        return
    section(f"Calls of {view.focus}, by the {view.axis.label}")
    st.html(pairs(shown, "changes"))
    if left_out:
        small(f"The table under Data has {counted(left_out, 'more change')}.")
    if view.curve.slope:
        small("Where the calls change at almost every value, some changes are left out.")


_BOUND: dict[str, Any] = {"bind": "query-params", "label_visibility": "collapsed"}
_WAIT = 0.5  # seconds before and between two reports
_AXIS, _MEASURES = "axis", "measures"
_DRAWN_FIRST = ("calls", "prompt_tokens")


def _choose_axis() -> Axis:
    """The setting to vary."""
    labels = {name: label(axis) for name, axis in AXES.items()}
    state.hold(_AXIS, AXES, next(iter(AXES)))
    words = labels.__getitem__
    return AXES[dropdown("What to vary", list(AXES), _AXIS, format_func=words, width=190)]


def label(axis: Axis) -> str:
    """The name of the axis; the number of retrieved chunks is called similarity_top_k."""
    return "similarity_top_k" if axis.name == "chunks" and _retrieved() else axis.label


def _choose_focus(modes: Sequence[str]) -> str:
    """The mode in focus: the mode of the settings, until another one is chosen."""
    mode = state.current().mode
    default = mode if mode in modes else DEFAULT.mode
    return st.selectbox(
        "Mode in focus", modes, index=modes.index(default), key=keys.FOCUS, width=190, **_BOUND
    )


def _unit(axis: Axis) -> str:
    return ", tokens" if axis.noun == "token" else ""


def _choose_value(axis: Axis, span: AxisSpan) -> int:
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
        f"{axis.label}{_unit(axis)}",
        low,
        high,
        current,
        step=axis.value(1),
        format="%d" if axis.noun else "%.2f",
        key=key,
        width="stretch",
        **_BOUND,
    )
    return round(value * axis.scale)


def _use_button(axis: Axis, x: int) -> None:
    """The button that puts the value into the settings, if there is a setting for it."""
    path = "similarity_top_k" if axis.setting == "text_chunks" and _retrieved() else axis.setting
    if axis.use is None or not paths.is_setting(path):
        return
    st.button(
        f"Use this {axis.use}",
        icon=":material/check:",
        disabled=state.current().value(path) == axis.value(x),
        on_click=state.put,
        kwargs={path: axis.value(x)},
    )


def _choose_measures(price: Price | None) -> list[CurveMeasure]:
    """The quantities to draw, in their order; without cost if no price is known."""
    state.hold_several(_MEASURES, MEASURES, _DRAWN_FIRST)
    chosen = st.pills(
        "What to draw",
        list(MEASURES),
        selection_mode="multi",
        default=_DRAWN_FIRST,
        wrap=True,
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


def _report_in(element: DeltaGenerator) -> Callable[[float], None]:
    """A function that shows the share of the planning that is done, if it takes long."""
    last = monotonic()

    def report(share: float) -> None:
        nonlocal last
        if monotonic() - last > _WAIT:
            last = monotonic()
            element.progress(share, "Planning every mode at every value")

    return report
