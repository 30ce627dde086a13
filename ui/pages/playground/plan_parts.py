"""The plan on the page in three parts: its sentence, the bar above its views, the chosen view."""

from functools import partial
from time import sleep
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.controls import destinations
from ui.export import popover
from ui.export.downloads import in_llama_index
from ui.pages.playground import answering, plan_view, run_button
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import state
from ui.settings.model import CapLimits, cap_limits
from ui.settings.request import Request

_PAINTING = 0.4  # seconds


class Planned(NamedTuple):
    """Everything on which the sentence of the plan depends."""

    request: Request
    cap: CapLimits


class _Bar(NamedTuple):
    """What stands above the view of a plan: nothing for a plan without calls.

    `exports` says whether there are files of it, `exported` is the request while they are shown.
    """

    views: bool
    exports: bool
    exported: Request | None


class _Viewed(NamedTuple):
    """A request and the chosen view of its plan."""

    request: Request
    view: str


def planned() -> Planned:
    """The request and the cap of these settings."""
    return Planned(Request.of(state.current()), cap_limits(state.current()))


def head(column: DeltaGenerator, job: Job | None) -> None:
    """Draw the sentence of the plan, and the button that runs it; `job` is the run before."""
    top = column.container()  # stays in sight: the stylesheet knows it as the first in its column
    with top:
        destinations.draw([state.current()], "plan")
    row = top.container(horizontal=True, key="head")
    # Styles put the button at the right; the keyboard meets it before the terms in the words.
    button = row.container(width=run_button.FIRST if job is None else run_button.AGAIN)
    words = row.container()
    with words:
        sentence()
    _let_browser_paint()
    run_button.draw(button, job)
    with button:
        run_button.reuse()
        answering.button()


def sentence() -> None:
    """Draw the sentence of the plan."""
    parts.part("plan", planned, _draw_sentence)


def _draw_sentence(planned: Planned) -> None:
    plan_view.headline(planned.request, planned.cap, plan_range(planned.request))


def views(*, exports: bool) -> None:
    """Draw the switch between the views of the plan, beside it the files, and the chosen view."""
    parts.part("plan bar", partial(_bar, exports), _draw_bar)
    parts.part("plan view", _viewed, _draw_view)


def _let_browser_paint() -> None:
    """Wait, once in a session, until the browser has painted the sentence before the table.

    The browser's code for tables has two megabytes. A browser that reads it for the first time
    paints nothing for a second.
    """
    if st.context.url is not None and keys.PAINTED not in st.session_state:
        st.session_state[keys.PAINTED] = True
        sleep(_PAINTING)


def _bar(exports: bool) -> _Bar:
    request = Request.of(state.current())
    plan = plan_range(request).high
    views = plan is not None and bool(plan.calls)
    exports = exports and views and in_llama_index(request)
    return _Bar(views, exports, request if exports and popover.is_open() else None)


def _draw_bar(bar: _Bar) -> None:
    if not bar.views:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="plan_bar"):
        plan_view.switch()
        if bar.exports:
            st.space("stretch")
            popover.draw_plan(bar.exported)


def _viewed() -> _Viewed:
    return _Viewed(Request.of(state.current()), st.session_state.get(keys.PLAN_VIEW, keys.PLAN))


def _draw_view(viewed: _Viewed) -> None:
    plan_view.draw(viewed.request, plan_range(viewed.request), viewed.view)
