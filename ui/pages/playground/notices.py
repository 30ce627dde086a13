"""What has changed since the last run, and the way to its answer or to the new plan."""

from collections.abc import Callable

import streamlit as st

from synth.errors import INTERRUPTED
from synth.text.wording import Bold
from ui.plans.page_inputs import PageInputs
from ui.runs.job import Job
from ui.session import keys
from ui.settings import state
from ui.settings.request import Request, changes


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


def plan_words(job: Job, request: Request) -> list[str]:
    """What has changed between the run and the inputs whose plan is shown."""
    if request == job.request:
        return [Bold(f"The last {_outcome(job)} is that of these inputs. ")]
    return answer_words(job, request)


def answer_words(job: Job, request: Request) -> list[str]:
    """What has changed since the run that is shown; nothing if nothing has."""
    if request == job.request:
        return []
    ended = f"The last {_outcome(job)} came to no answer"
    if job.trace is not None and job.trace.error_kind == INTERRUPTED:
        ended = "The last run was interrupted: its server ended before it did"
    head = "Last answer is out of date" if _outcome(job) == "answer" else ended
    before = state.before_another_tab()
    by_tab = before is not None and Request.of(before) == job.request
    since = "changed in another tab" if by_tab else "changed since"
    return [Bold(head), f" · {since}: {'; '.join(changes(job.request, request))}. "]


def _outcome(job: Job) -> str:
    """What there is to see of a run that has ended."""
    if job.trace is not None and job.trace.response is not None:
        return "answer"
    return "run" if job.answered else "failed run"


def draw_way_to_run(job: Job) -> None:
    """Draw the button that shows the run instead of the plan."""
    _button(f"Show the last {_outcome(job)}", ":material/history:", _look_at, job)


def draw_way_to_plan(job: Job, _: PageInputs, request: Request) -> None:
    """Draw the button that shows the plan instead of a run of other inputs."""
    if request != job.request:
        _button("Show the new plan", ":material/arrow_forward:", _leave, job)


def _button(label: str, icon: str, action: Callable[[Job], None], job: Job) -> None:
    st.button(label, type="tertiary", icon=icon, on_click=action, args=(job,))


def _look_at(job: Job) -> None:
    st.session_state.pop(keys.PLAN_FIRST, None)
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    st.rerun()


def _leave(job: Job) -> None:
    st.session_state[keys.PLAN_FIRST] = job.serial
    st.rerun()
