"""The page of the Playground: inputs and plan before a run, its result after it."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.pictures.shapes import BESIDE, WIDE
from synth.runs.calls import CallRecord
from synth.text.wording import Bold, counted, duration
from ui.controls import destinations, handover
from ui.controls.questions import draw_inputs
from ui.controls.sidebar import draw_sidebar
from ui.export import popover
from ui.look.elements import error_box, lead, section, sentence, small
from ui.look.escape import answer_html
from ui.pages.playground import answering, notices, plan_parts, results, run_button
from ui.plans.cost import paid
from ui.runs.branches import runs
from ui.runs.job import Job
from ui.runs.pool import RUNS
from ui.runs.progress import left_words
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.request import Request
from ui.views import branching


def _request() -> Request:
    return Request.of(state.current())


def draw() -> None:
    """Draw the page as it is before a run, or after the start of one."""
    handover.draw()
    job = runs().job
    with parts.page(partial(_layout, job)):
        # Always there: so the columns below keep their place, and a browser its scroll position,
        # when an edit brings the plan in place of a result.
        above = st.container()
        if job is None or notices.shows_plan(job, _request()):
            _before(above, job)
        elif job.by_person and job.running:
            draw_sidebar()
            answering.draw(job)
        else:
            _after(above, job)


def _layout(job: Job | None) -> tuple[bool, bool]:
    """Whether the plan is shown since the inputs changed, or as the chosen view of the run."""
    if job is None:
        return True, False
    return notices.shows_plan(job, _request()), results.chosen(job) == keys.PLAN


def _before(above: DeltaGenerator, job: Job | None) -> None:
    """Draw the inputs on the left and their plan on the right; `job` is a run of other inputs.

    People edit to see the plan, so it is drawn before the widgets.
    """
    with above:
        if job is None:
            notices.draw()
        else:
            parts.part("strip", _request, partial(notices.draw_above_plan, job))
    left, right = _columns()
    _plan(right, job)
    draw_sidebar()
    with left:
        draw_inputs()


def _plan(column: DeltaGenerator, job: Job | None) -> None:
    # Streamlit copies all open containers for each part, so few are open around the parts.
    plan_parts.head(column, job)
    with column:
        plan_parts.views(exports=True)


def _after(above: DeltaGenerator, job: Job) -> None:
    """Draw the run over the whole width, or the plan with the inputs beside it."""
    draw_sidebar()
    with above, lead():
        st.button("Inputs", icon=":material/left_panel_open:", on_click=_fold_or_open)
        # Read once: the job may finish during this rerun, and the whole page must agree.
        running = job.running
        view = results.ANSWER if running else results.switch(job)
        st.space("stretch")
        export, yourself = st.container(width="content"), st.container(width="content")
        bar = st.container(width=run_button.AGAIN)
    with above:
        branching.switch()
    wide = not st.session_state.get(keys.INPUTS_OPEN) and view != keys.PLAN
    left, right = (None, st.container()) if wide else _columns()
    if left is not None:
        with left:
            draw_inputs()
    if not running:
        with export:
            popover.draw(job)
        with yourself:
            run_button.reuse()
            answering.button()
    run_button.draw(bar, job, running)
    with right:
        if not running:
            destinations.draw([state.current()], "run")
        if running:
            st.fragment(_watch, run_every=RUNS.pace)(job)
        elif view == keys.PLAN:
            plan_parts.sentence()
            plan_parts.views(exports=False)  # the run above has files of its own
        else:
            parts.part("since", _request, partial(notices.draw_above_answer, job))
            widths = WIDE if wide else BESIDE
            parts.part("result", partial(results.chosen, job), partial(results.draw, job, widths))


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
    _draw_progress(job)


_LATEST = 5  # answers that are shown while a run goes on


def _draw_progress(job: Job) -> None:
    """Draw how many of the planned calls are answered, and the answers as they arrive.

    Of a run that waits for a thread, draw how many others are before it.
    """
    if (before := job.before) is not None:
        others = Bold(counted(before, "other run"))
        sentence([Bold(job.request.mode), " waits, with ", others, " before it."])
        return
    answered, planned = job.answered, job.planned
    done = Bold(counted(len(answered), "call"))
    if planned:
        done = Bold(f"{len(answered):,} of {counted(planned, 'call')}")
    sentence([Bold(job.request.mode), " is running: ", done, " answered."])
    st.progress(min(len(answered) / planned, 1.0) if planned else 0.0)
    small(_spent(job))
    for call in job.failed:
        error_box(f"Call {call.number} failed.", call.error or "")
    for call in job.repeated:
        small(f"Call {call.number}, try {call.tries}: {call.notes[-1]}")
    for number, text in job.arriving.items():
        section(f"Call {number}, arriving")
        st.html(answer_html(text))
    for call in reversed(answered[-_LATEST:]):
        _brief(call, call.number in job.edited)


def _spent(job: Job) -> str:
    """The tokens, the cost and the time of a run so far."""
    _, prompts, outputs = job.spent
    cost = paid(job.dollars)
    return (
        f"{prompts:,} prompt tokens, {outputs:,} output tokens so far{cost}"
        f" · {job.seconds:,.0f} s{left_words([job])}"
    )


def _brief(call: CallRecord, edited: bool) -> None:
    origin = f" · reused; took {duration(call.seconds)} originally" if call.replayed else ""
    origin = " · edited by hand" if edited else origin
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')}{origin}")
    st.html(answer_html(call.answer or ""))
