"""The run that is shown: the last, or the kept one; and what has changed since.

The kept one, of a new workspace, is the sample in the mode that loses its cause. It lies beside
this file, so that nobody waits for a model when the page is opened first.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

from synth.errors import INTERRUPTED
from synth.quality.samples import SAMPLES
from synth.runs.trace import Trace
from synth.text.wording import Bold
from ui.plans.plan_range import PageInputs
from ui.runs.job import Job
from ui.runs.start import runs
from ui.session import keys, workspace
from ui.settings import expected, state
from ui.settings.request import Request, changes
from ui.settings.schema import OPENING
from ui.store.rows import trace_of

FILE = Path(__file__).with_name("opening.json")
_KIND = "opening"  # of the results that a workspace remembers


def job() -> Job | None:
    """Return the last run, else the kept one; once a setting is set, the workspace has its fact."""
    space = workspace.current()
    if keys.SETTINGS in space.values:
        opened = st.session_state.pop(keys.OPENED, None)
        if opened == space.id and keys.EXPECTED_OF not in space.values:
            expected.follow_fact(SAMPLES[0].question, SAMPLES[0].cause)
        return runs().job
    st.session_state[keys.OPENED] = space.id
    trace, request = kept_trace(), Request.of(OPENING)
    kept = space.remember(_KIND, request, lambda: Job(request, trace.setup).ended(trace))
    return runs().job or kept


def find_shown(inputs: PageInputs) -> Job | None:
    """Find the run that the page shows; None where it shows the plan of these inputs."""
    shown = job()
    return None if shown is None or shows_plan(shown, inputs.request) else shown


@cache
def kept_trace() -> Trace:
    """Read the kept run."""
    return trace_of(Request.of(OPENING), json.loads(FILE.read_text("utf-8")))


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
    before = st.session_state.get(keys.BEFORE_ANOTHER_TAB)
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
    _way_button(f"Show the last {_outcome(job)}", ":material/history:", _look_at, job)


def draw_way_to_plan(job: Job, _: PageInputs, request: Request) -> None:
    """Draw the button that shows the plan instead of a run of other inputs."""
    if request != job.request:
        _way_button("Show the new plan", ":material/arrow_forward:", _leave_run, job)


def _way_button(label: str, icon: str, action: Callable[[Job], None], job: Job) -> None:
    st.button(label, type="tertiary", icon=icon, on_click=action, args=(job,))


def _look_at(job: Job) -> None:
    st.session_state.pop(keys.PLAN_FIRST, None)
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    st.rerun()


def _leave_run(job: Job) -> None:
    st.session_state[keys.PLAN_FIRST] = job.serial
    st.rerun()
