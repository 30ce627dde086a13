"""The run on which a new workspace opens: the sample in the mode that loses its cause.

It is kept beside this file, so that nobody waits for a model when the page is opened first.
"""

import json
from functools import cache
from pathlib import Path

from synth.quality.samples import SAMPLES
from synth.runs.trace import Trace
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.settings.schema import OPENING
from ui.store.run_json import trace_of

FILE = Path(__file__).with_name("opening.json")
_KIND = "opening"  # of the results that a workspace remembers


def job() -> Job | None:
    """Show the kept run, with its cause followed; None once a setting of the workspace is set."""
    space = workspace.current()
    if keys.SETTINGS in space.values:
        return None
    request = Request.of(OPENING)
    if keys.EXPECTED_OF not in space.values:
        space.values |= {keys.EXPECTED_OF: request.query_str, keys.EXPECTED: SAMPLES[0].cause}
    trace = kept_trace()
    return space.remembered(_KIND, request, lambda: Job(request, trace.setup).ended(trace))


def opens_on(shown: Job) -> bool:
    """Whether this is the kept run."""
    return shown.trace is kept_trace()


@cache
def kept_trace() -> Trace:
    """Read the kept run."""
    return trace_of(Request.of(OPENING), json.loads(FILE.read_text("utf-8")))
