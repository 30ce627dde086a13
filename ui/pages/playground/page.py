"""The page of the Playground: inputs and plan before a run, the run in its place, its result."""

from functools import partial
from operator import attrgetter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.text.wording import numbered
from ui.controls import handover
from ui.controls.questions import draw_inputs
from ui.controls.sidebar import draw_sidebar
from ui.export import popover
from ui.look.elements import button_row, lead, small
from ui.pages.playground import answering, notices, plan_view, results, run_button, running
from ui.plans.page_inputs import PageInputs
from ui.runs.branches import runs
from ui.runs.job import Job
from ui.session import keys, parts
from ui.settings import hosts, state


def draw() -> None:
    """Draw the page as it is before a run, or after the start of one."""
    handover.draw()
    job = st.session_state[keys.SEEN_RUN] = runs().job
    with parts.page(PageInputs.read, partial(_layout, job)) as inputs:
        # Always there: so the columns below keep their place, and a browser its scroll position,
        # when an edit brings the plan in place of a result.
        above = st.container()
        if job is None or notices.shows_plan(job, inputs.request):
            _before(above, inputs, job)
        elif job.info.by_person and job.running:
            draw_sidebar(inputs)
            answering.draw(job)
        elif job.running:
            _during(above, inputs, job)
        else:
            _after(above, inputs, job)


def _layout(job: Job | None, inputs: PageInputs) -> tuple[bool, bool]:
    """Whether the plan is shown, and whether another tab changed the inputs.

    The fields here show the old ones then.
    """
    shows_plan = job is None or notices.shows_plan(job, inputs.request)
    return shows_plan, state.changed_elsewhere()


def _before(above: DeltaGenerator, inputs: PageInputs, job: Job | None) -> None:
    """Draw the inputs on the left and their plan on the right; `job` is a run of other inputs.

    People edit to see the plan, so it is drawn before the widgets.
    """
    with above:
        if job is None:
            notices.draw(inputs)
        else:
            parts.part(
                "strip", inputs, attrgetter("request"), partial(notices.draw_above_plan, job)
            )
    left, right = _columns()
    _plan(right, inputs, job)
    draw_sidebar(inputs)
    with left:
        draw_inputs(inputs)


def _plan(column: DeltaGenerator, inputs: PageInputs, job: Job | None) -> None:
    # Streamlit copies all open containers for each part, so few are open around the parts.
    plan_view.head(column, inputs, job)
    with column:
        plan_view.views(inputs)


def _during(above: DeltaGenerator, inputs: PageInputs, job: Job) -> None:
    """Draw the inputs on the left, and the run where its plan was."""
    with above:
        lead()  # empty: it keeps the columns where they were
        _choose_branch()
    left, right = _columns()
    running.draw(right, job)
    draw_sidebar(inputs)
    with left:
        draw_inputs(inputs)


def _after(above: DeltaGenerator, inputs: PageInputs, job: Job) -> None:
    """Draw a run that has ended over the whole width, or with the inputs beside it."""
    draw_sidebar(inputs)
    with above, lead():
        st.button("Inputs", icon=":material/left_panel_open:", on_click=_fold_or_open)
        results.switch(job)
        st.space("stretch")
        export, yourself = st.container(width="content"), st.container(width="content")
        bar = st.container(width=run_button.AGAIN)
    with above:
        _choose_branch()
    wide = not st.session_state.get(keys.INPUTS_OPEN)
    left, right = (None, st.container()) if wide else _columns()
    if left is not None:
        with left:
            draw_inputs(inputs)
    with export:
        popover.draw(job)
    with yourself:
        answering.button(inputs)
    run_button.draw(bar, inputs, job)
    with right:
        hosts.ask([inputs.settings], "run")
        parts.part("since", inputs, attrgetter("request"), partial(notices.draw_above_answer, job))
        parts.part("result", inputs, results.chosen, partial(results.draw, job, wide))


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


def _choose_branch() -> None:
    """The choice between a run and its branches, once there is a branch."""
    tab_runs = runs()
    if len(tab_runs.jobs) < 2:
        return
    st.session_state[keys.BRANCH] = tab_runs.position
    button_row(
        "Run and branches",
        range(len(tab_runs.jobs)),
        keys.BRANCH,
        format_func=lambda position: f"Branch {position}" if position else "Original",
        on_change=_show_branch,
    )
    if edited := tab_runs.jobs[tab_runs.position].info.edited:
        calls = numbered("call", sorted(edited))
        small(f"This run goes on from an answer that was edited by hand: {calls}.")


def _show_branch() -> None:
    runs().position = st.session_state[keys.BRANCH]
