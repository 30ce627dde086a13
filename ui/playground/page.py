"""The page of the Playground: inputs and plan before a run, its result after it."""

from __future__ import annotations

from functools import partial
from time import sleep
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.response_synthesizers.registry import MODES
from ui.controls import handover
from ui.controls.inputs import draw_inputs
from ui.controls.sidebar import draw_sidebar
from ui.export import popover
from ui.look.elements import NARROW, WIDE, lead
from ui.look.theme import Look
from ui.plan.plan_range import plan_range
from ui.playground import (
    answering,
    introduction,
    out_of_date,
    plan_view,
    progress,
    results,
    run_button,
)
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.run.job import Job
from ui.run.runs import runs
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.model import CapLimits, cap_limits
from ui.views import branching

_PAINTING = 0.4  # seconds
_RUN, _RUN_AGAIN = 148, 190  # pixels that the button needs for its words and its shortcut


class Planned(NamedTuple):
    """Everything on which the plan on the page depends."""

    request: Request
    cap: CapLimits


def _request() -> Request:
    return request_from(state.get)


def _planned() -> Planned:
    return Planned(_request(), cap_limits(state.get))


def draw(look: Look) -> None:
    """Draw the page as it is before a run, or after the start of one."""
    handover.draw()
    state.hold("mode", MODES)
    job = runs().job
    with parts.page():
        if job is None or out_of_date.shows_plan(job, _request()):
            _before(job, look)
        elif job.by_person and job.running:
            draw_sidebar()
            state.remember()
            answering.draw(job, look)
        else:
            _after(job, look)


def _before(job: Job | None, look: Look) -> None:
    """Draw the inputs on the left and their plan on the right; `job` is a run of other inputs.

    People edit to see the plan, so it is drawn before the widgets. If a widget then has another
    value than the plan, the page is drawn again.
    """
    if job is None:
        introduction.draw()
    else:
        parts.part("strip", _request, partial(out_of_date.draw_above_plan, job))
    left, right = _columns()
    plan = partial(parts.part, "plan", _planned, partial(_plan, look, job))
    early = _planned() if state.link_is_read() else None
    if early is not None:
        with right:
            plan()
    draw_sidebar()
    with left:
        draw_inputs(look)
    state.remember()
    if early is None:
        with right:
            plan()
    elif _planned() != early:
        st.rerun()


def _plan(look: Look, job: Job | None, planned: Planned) -> None:
    """Draw the sentence of the plan, the Run button and the views of the plan."""
    request, plans = planned.request, plan_range(planned.request)
    with st.container(horizontal=True, key="head"):
        # Styles put the button at the right; the keyboard meets it before the terms in the words.
        button, words = st.container(width=_RUN if job is None else _RUN_AGAIN), st.container()
    with words:
        plan_view.headline(request, planned.cap, plans)
    _let_browser_paint()
    with button:
        run_button.draw(request, job)
        answering.button(request)
    plan_view.draw(request, plans, look)


def _let_browser_paint() -> None:
    """Wait, once in a session, until the browser has painted the sentence before the figures.

    The browser's code for tables and figures has seven megabytes. A browser that reads it for the
    first time paints nothing for two seconds.
    """
    browser = st.context.url is not None
    if browser and keys.PAINTED not in st.session_state:
        st.session_state[keys.PAINTED] = True
        with parts.meanwhile():
            sleep(_PAINTING)


def _after(job: Job, look: Look) -> None:
    """Draw the run over the whole width, or the plan with the inputs beside it."""
    draw_sidebar()
    with lead():
        st.button("Inputs", icon=":material/left_panel_open:", on_click=_fold_or_open)
        # Read once: the job may finish during this rerun, and the whole page must agree.
        running = job.running
        view = results.ANSWER if running else results.switch(job)
        st.space("stretch")
        export, yourself = st.container(width="content"), st.container(width="content")
        bar = st.container(width=_RUN_AGAIN)
    branching.switch()
    wide = not st.session_state.get(keys.INPUTS_OPEN) and view != keys.PLAN
    left, right = (None, st.container()) if wide else _columns()
    if left is not None:
        with left:
            draw_inputs(look)
    state.remember()
    if not running:
        with export:
            popover.draw(job)
        with yourself:
            parts.part("yourself", _request, answering.button)
    with bar:
        parts.part("run", _request, partial(run_button.draw, job=job, running=running))
    with right:
        if running:
            st.fragment(_watch, run_every=0.5)(job)
        elif view == keys.PLAN:
            parts.part("plan", _planned, partial(_plan_again, look))
        else:
            parts.part("since", _request, partial(out_of_date.draw_above_answer, job))
            st.fragment(results.draw)(job, view, look, WIDE if wide else NARROW)


def _plan_again(look: Look, planned: Planned) -> None:
    request, plans = planned.request, plan_range(planned.request)
    plan_view.headline(request, planned.cap, plans)
    plan_view.draw(request, plans, look)


def _columns() -> tuple[DeltaGenerator, DeltaGenerator]:
    """The columns of the inputs and of the plan.

    The plan comes first in the page, so that the Tab key comes to Run before all the inputs; the
    stylesheet puts it at the right.
    """
    with st.container(key="two"):
        right, left = st.columns([7, 5], gap="medium")
    return left, right


def _fold_or_open() -> None:
    st.session_state[keys.INPUTS_OPEN] = not st.session_state.get(keys.INPUTS_OPEN)


def _watch(job: Job) -> None:
    if not job.running:
        st.rerun()
    workspace.enter()
    progress.draw(job)
