"""The last answer and the inputs that have changed since: which is shown, and the way across.

An edit after a run shows the plan of the new inputs. The answer stays one click away, and from
there the plan.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from synth.wording import listed
from ui.look.elements import lead
from ui.look.escape import escape
from ui.request.changes import changes
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.run.job import Job
from ui.session import keys
from ui.settings import state


def shows_plan(job: Job, request: Request) -> bool:
    """Whether the plan of these inputs is shown, and not the answer of this run.

    The first edit after a run brings the plan, and it stays until a click or another run, even
    if the inputs become those of the run again: people try one mode after the other.
    """
    if job.running:
        return False
    if request != job.request and st.session_state.get(keys.LOOKED_AT) != (job.serial, request):
        st.session_state[keys.PLAN_FIRST] = job.serial
    return bool(st.session_state.get(keys.PLAN_FIRST) == job.serial)


def draw_above_plan(job: Job, request: Request) -> None:
    """Draw what has changed since the run, and the button that shows its answer."""
    words = f"{_differences(job, request)} The plan below is the new one."
    if request == job.request:
        words = "<b>The last answer is that of these inputs.</b>"
    _strip(words, "Show the last answer", ":material/history:", _look_at, job)


def draw_above_answer(job: Job, request: Request) -> None:
    """Draw what has changed since the run, and the button that shows the plan; nothing if none.

    An edit beside the answer draws the page anew, with the plan.
    """
    if shows_plan(job, request):
        st.rerun()
    if request != job.request:
        words = _differences(job, request)
        _strip(words, "Show the new plan", ":material/arrow_forward:", _leave, job)


def _differences(job: Job, request: Request) -> str:
    """What has changed since the run, as HTML."""
    changed = escape(listed(changes(job.request, request)))
    return f"<b>Last answer is out of date</b> · changed since: {changed}."


def _strip(words: str, label: str, icon: str, action: Callable[[Job], None], job: Job) -> None:
    with st.container(key="strip"), lead():
        st.html(f'<div class="num" role="status">{words}</div>', width="stretch")
        st.button(label, type="tertiary", icon=icon, on_click=action, args=(job,))


def _look_at(job: Job) -> None:
    st.session_state.pop(keys.PLAN_FIRST, None)
    st.session_state[keys.LOOKED_AT] = (job.serial, request_from(state.get))
    st.rerun()


def _leave(job: Job) -> None:
    st.session_state[keys.PLAN_FIRST] = job.serial
    st.rerun()
