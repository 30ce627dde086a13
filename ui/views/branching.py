"""The actions on an answer: use it as the result, or edit it and start a branch."""

import streamlit as st

from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import numbered
from ui.look.elements import button_row, small
from ui.runs import start
from ui.runs.branches import runs
from ui.runs.job import Job
from ui.session import keys
from ui.settings import hosts, state


def edits(job: Job, call: CallRecord) -> bool:
    """Whether the answer of this call is being edited."""
    return bool(st.session_state.get(keys.EDITED_ANSWER) == (job.serial, call.number))


def switch() -> None:
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
        on_change=_show,
    )
    if edited := tab_runs.jobs[tab_runs.position].edited:
        calls = numbered("call", sorted(edited))
        small(f"This run goes on from an answer that was edited by hand: {calls}.")


def _show() -> None:
    runs().position = st.session_state[keys.BRANCH]


def actions(job: Job, call: CallRecord) -> None:
    """The buttons that use or edit the answer of a call."""
    with st.container(horizontal=True, key="step_actions"):
        st.button(
            "Use this answer",
            icon=":material/check:",
            disabled=call.answer is None or job.chosen == call.number,
            help="The view Answer then shows this one.",
            on_click=_choose,
            args=(job, call.number),
            key="use_answer",
        )
        st.button(
            "Edit and go on from here",
            icon=":material/edit:",
            on_click=_edit,
            args=((job.serial, call.number),),
            key="edit_answer",
        )
    if job.chosen == call.number:
        small("This is the answer shown in the view Answer.")


def _choose(job: Job, number: int) -> None:
    job.chosen = number


def _edit(call: tuple[int, int] | None) -> None:
    st.session_state[keys.EDITED_ANSWER] = call


def editor(job: Job, trace: Trace, call: CallRecord) -> None:
    """The editor of a call's answer, with the button that starts a branch from it."""
    key = f"edited {job.serial} {call.number}"
    st.text_area("New answer", call.answer or "", height=220, key=key)
    with st.container(horizontal=True, key="edit_actions"):
        st.button(
            "Go on from here",
            type="primary",
            icon=":material/call_split:",
            on_click=_go_on,
            args=(job, trace, call.number, key),
            key="go_on",
            disabled=not job.by_person and bool(hosts.why_not(state.current())),
        )
        st.button("Cancel", on_click=_edit, args=(None,), key="cancel_edit")
    small(
        "This makes a branch beside this run. Calls whose prompts stay the same cost nothing;"
        " calls that read the changed answer are sent again."
    )


def _go_on(job: Job, trace: Trace, number: int, key: str) -> None:
    text = st.session_state[key]
    start.branch(job, trace, number, text)
    _edit(None)
    st.rerun()  # the whole page, which shows the branch now
