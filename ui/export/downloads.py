"""The files that can be made of a run; each is made when somebody asks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from synth.export.script import RecordedRun, llama_index_script, synth_script
from synth.response_synthesizers.factory import ResponseMode
from synth.trace import Trace
from ui.history import run_file
from ui.history.run_file import RunFile
from ui.plan.plan_range import plan_range
from ui.plan.upstream import upstream
from ui.request.request import Request
from ui.run.job import Job

_NO_NAME = re.compile(r"\W+")


class Download(NamedTuple):
    """A file that can be saved: its label, what it is, its name, and how its text is made.

    `make` is called in a thread that knows neither the page nor its workspace.
    """

    label: str
    meaning: str
    file_name: str
    make: Callable[[], str]


def run_downloads(job: Job, trace: Trace) -> list[Download]:
    """The files of a run that has ended."""
    name = file_stem(job.request.mode)
    file = RunFile(job.request, trace, job.edited)
    recorded = RecordedRun(job.request, trace, _reasons(job.request))
    found = [
        Download(
            "Run as JSON",
            "Everything, to open it here again.",
            f"{name}_run.json",
            partial(run_file.written, file),
        ),
        Download(
            "Script with synth",
            "Makes the run again with this app's package.",
            f"{name}_with_synth.py",
            partial(synth_script, recorded),
        ),
    ]
    if in_llama_index(job.request):
        with_llama_index = Download(
            "Script with LlamaIndex",
            "Makes the run again, and says whether LlamaIndex sends the same prompts.",
            f"{name}_with_llama_index.py",
            partial(llama_index_script, recorded),
        )
        found.insert(1, with_llama_index)
    return found


def in_llama_index(request: Request) -> bool:
    """Whether LlamaIndex has the mode."""
    return request.mode in set(ResponseMode)


def file_stem(mode: str) -> str:
    """The name of a mode as part of a file's name."""
    return _NO_NAME.sub("_", mode)


def _reasons(request: Request) -> tuple[str, ...]:
    """Why LlamaIndex would send other prompts, if it would."""
    plan = plan_range(request).high
    difference = None if plan is None else upstream(request, plan)
    if difference is None:
        return ()
    issues = (f"{label}: {url}" for label, url in difference.issues)
    return (difference.head, difference.why, *issues)
