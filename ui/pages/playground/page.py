"""The page of the Playground: what one gives at the left, and what comes of it beside that."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.text.wording import numbered
from ui.controls import model_menu, modes
from ui.controls.inputs import draw_inputs
from ui.export import run_files
from ui.look.elements import button_row, small
from ui.pages.playground import latest_run, plan_view, results, running
from ui.plans.plan_range import PageInputs
from ui.runs.job import Job
from ui.runs.start import runs
from ui.session import keys, parts
from ui.settings import state
from ui.settings.request import Request

_INPUTS = 420  # pixels that the inputs take


def draw(model_place: DeltaGenerator) -> None:
    """Draw the page as it is before a run, or after the start of one.

    All states have the same rows at the same height, so that nothing jumps where one follows
    another: the modes, a headline with the button, the views, and what the chosen one shows.
    """
    st.session_state[keys.SEEN_RUN] = runs().job
    job = latest_run.job()
    with parts.page(PageInputs.read, _layout) as inputs:
        # Streamlit copies all open containers for each part, so few are open around the parts.
        bench = st.container(horizontal=True, gap=None, key="bench")
        given = bench.container(width=_INPUTS, key="inputs")
        stage = bench.container(key="stage")
        with stage:
            if job is not None and job.info.by_person and job.running:
                running.draw_waiting(job)
            else:
                cards = st.container()
                _draw_stage(inputs, job)
                _choose_branch()  # below, so that the picture stays where it was
                with cards:  # after the plan, which people wait for
                    modes.draw(inputs)
        with model_place:
            model_menu.draw(inputs)
        with given:
            draw_inputs(inputs, latest_run.find_shown)


def draw_files() -> None:
    """Draw, for Share, the files of the run that is shown, or the contract of the plan."""
    inputs = PageInputs.read()
    job, plan = latest_run.find_shown(inputs), inputs.plans.high
    if job is not None:
        if job.trace is not None and not job.running:
            run_files.draw_run(job, job.trace)
    elif plan is not None and plan.calls and run_files.in_llama_index(inputs.request):
        run_files.draw_plan(inputs.request, plan.call_count)


def _draw_stage(inputs: PageInputs, job: Job | None) -> None:
    """Draw the plan of the inputs, or the run: people edit to see it, so it comes first."""
    if job is None or latest_run.shows_plan(job, inputs.request):
        plan_view.draw(inputs, job)
    elif job.running:
        running.draw(job)
    else:
        results.draw(inputs, job)


def _layout(inputs: PageInputs) -> tuple[bool, bool, Request | None]:
    """Whether the plan is shown, whether another tab changed the inputs, and what Share is of."""
    shared = inputs.request if st.session_state.get(keys.SHARE_OPEN) else None
    return latest_run.find_shown(inputs) is None, state.is_changed_elsewhere(), shared


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
