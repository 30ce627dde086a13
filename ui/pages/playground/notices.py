"""Rows above the page: the ways in for who is new, and what has changed since the last run."""

from collections.abc import Callable
from time import monotonic_ns

import streamlit as st

from synth.html.markup import Html, tag
from synth.quality.samples import SAMPLES
from ui.controls import chunks
from ui.look.elements import lead
from ui.plans.page_inputs import PageInputs
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.changes import changes
from ui.settings.request import Request
from ui.store.run_json import INTERRUPTED


def shows_plan(job: Job, request: Request) -> bool:
    """Whether the plan of these inputs is shown, and not the answer of this run.

    The first edit after a run brings the plan, and it stays until a click or another run, even
    if the inputs become those of the run again: people try one mode after the other.
    """
    if job.running:
        return False
    if request not in (job.request, st.session_state.get(keys.LOOKED_AT)):
        st.session_state[keys.PLAN_FIRST] = job.serial
    return bool(st.session_state.get(keys.PLAN_FIRST) == job.serial)


def draw_above_plan(job: Job, _: PageInputs, request: Request) -> None:
    """Draw what has changed since the run, and the button that shows its answer."""
    words = _differences(job, request) + " The plan below is the new one."
    if request == job.request:
        words = tag("b", f"The last {_outcome(job)} is that of these inputs.")
    with lead():
        _strip(words, f"Show the last {_outcome(job)}", ":material/history:", _look_at, job)


def draw_above_answer(job: Job, _: PageInputs, request: Request) -> None:
    """Draw what has changed since the run, and the button that shows the plan; nothing if none."""
    if request != job.request:
        words = _differences(job, request)
        _strip(words, "Show the new plan", ":material/arrow_forward:", _leave, job)


def _differences(job: Job, request: Request) -> Html:
    """What has changed since the run."""
    changed = "; ".join(changes(job.request, request))
    ended = f"The last {_outcome(job)} came to no answer"
    if job.trace is not None and job.trace.error_kind == INTERRUPTED:
        ended = "The last run was interrupted: its server ended before it did"
    head = "Last answer is out of date" if _outcome(job) == "answer" else ended
    return tag("b", head) + f" · changed since: {changed}."


def _outcome(job: Job) -> str:
    """What there is to see of a run that has ended."""
    if job.trace is not None and job.trace.response is not None:
        return "answer"
    return "run" if job.answered else "failed run"


def _strip(words: Html, label: str, icon: str, action: Callable[[Job], None], job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="strip"):
        st.html(tag("div.num", words, role="status"), width="stretch")
        st.button(label, type="tertiary", icon=icon, on_click=action, args=(job,))


def _look_at(job: Job) -> None:
    st.session_state.pop(keys.PLAN_FIRST, None)
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    st.rerun()


def _leave(job: Job) -> None:
    st.session_state[keys.PLAN_FIRST] = job.serial
    st.rerun()


FIRST_LESSON = "why"
"""The key of lesson 1: Learn by itself would open the lesson that was open last."""

_WORDS = tag(
    "div.headline",
    tag("b", "Retrieval found the chunks. Now they must become one answer."),
    " ",
    tag(
        "span.muted",
        "Compare the response modes of LlamaIndex by calls, tokens and text cut off, before you"
        " pay.",
    ),
)


def draw(inputs: PageInputs) -> None:
    """Draw the row, unless it was used or dismissed in this workspace."""
    parts.part("introduction", inputs, _is_new, _draw)


def _is_new(_: PageInputs) -> bool:
    return keys.INTRODUCED not in workspace.current().values


def _draw(_: PageInputs, new: bool) -> None:
    if not new:
        return
    with st.container(key="introduction"), lead():
        st.html(_WORDS, width="stretch")
        st.button("Run the sample", icon=":material/play_arrow:", on_click=_run_sample)
        st.button("Use my own text", icon=":material/content_paste:", on_click=_open_own_text)
        if st.button("4-minute lesson", icon=":material/school:"):
            _done()
            first = workspace.address(lesson=FIRST_LESSON)
            st.switch_page("pages/learn.py", query_params=first)
        st.button("Hide this row", icon=":material/close:", type="tertiary", on_click=_hide)


def _done() -> None:
    workspace.current().values[keys.INTRODUCED] = True


def _hide() -> None:
    _done()
    parts.redraw_changed()


def _run_sample() -> None:
    _done()

    def run() -> None:
        chunks.put_sample(SAMPLES[0])
        start.start(Request.of(state.current()))

    start.press(run)


def _open_own_text() -> None:
    _done()
    st.session_state[keys.OWN_TEXT] = True
    st.session_state[keys.PASTES] = monotonic_ns()
    parts.redraw_changed()
