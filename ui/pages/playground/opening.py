"""The run on which a new workspace opens: the sample in the mode that loses its cause.

It is kept beside this file, so that nobody waits for a model when the page is opened first.
"""

import json
from functools import cache
from pathlib import Path

import streamlit as st

from synth.quality.samples import SAMPLES
from synth.runs.trace import Trace
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import expected
from ui.settings.request import Request
from ui.settings.schema import OPENING
from ui.store.run_json import trace_of

FILE = Path(__file__).with_name("opening.json")
_KIND = "opening"  # of the results that a workspace remembers


def job() -> Job | None:
    """Show the kept run; None once a setting is set: the workspace then keeps the fact."""
    space = workspace.current()
    if keys.SETTINGS in space.values:
        opened = st.session_state.pop(keys.OPENED, None)
        if opened == space.id and keys.EXPECTED_OF not in space.values:
            expected.follow_fact(SAMPLES[0].question, SAMPLES[0].cause)
        return None
    st.session_state[keys.OPENED] = space.id
    trace, request = kept_trace(), Request.of(OPENING)
    return space.remember(_KIND, request, lambda: Job(request, trace.setup).ended(trace))


def opens_on(shown: Job) -> bool:
    """Whether this is the kept run."""
    return shown.trace is kept_trace()


@cache
def kept_trace() -> Trace:
    """Read the kept run."""
    return trace_of(Request.of(OPENING), json.loads(FILE.read_text("utf-8")))
