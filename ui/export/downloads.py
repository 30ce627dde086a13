"""The files that can be made of one run or several; each is made when somebody asks for it."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from synth.export.script import llama_index_script
from synth.modes.factory import ResponseMode
from synth.runs.trace import Trace
from synth.words.call_words import without_servers_words
from ui.export.report_pages import run_html
from ui.look.elements import Frame, as_csv
from ui.runs.job import Job
from ui.settings.request import Request
from ui.store.run_json import Run, write_file
from ui.store.runs import with_saved_name
from ui.store.store import current_store

_NO_NAME = re.compile(r"\W+")


class Download(NamedTuple):
    """A file that can be saved; `make` is called in a thread that knows no workspace."""

    label: str
    meaning: str
    file_name: str
    make: Callable[[], str | bytes]


def run_downloads(job: Job, trace: Trace) -> list[Download]:
    """List the files of a run that has ended: those to read, and those for programs."""
    run = Run(replace(job.info, dollars=job.dollars), job.request, trace)
    name = file_stem(job.request.mode)
    page = "One HTML page, without a key or an address."
    files = [
        Download("Report", page, f"{name}_report.html", lambda: run_html(run, datetime.now(UTC)))
    ]
    if trace.calls:
        table = f"{name}_calls.csv"
        make = partial(_write_calls, trace)
        files.append(Download("Calls as CSV", "A row for each call.", table, make))
    files.append(
        Download(
            "Run as JSON",
            "All of it; Share opens it again.",
            f"{name}_run.json",
            lambda: write_file(with_saved_name(current_store(), run)),
        )
    )
    if in_llama_index(job.request):
        files.append(
            Download(
                "LlamaIndex script",
                "Runs it again, compares the prompts.",
                f"{name}_with_llama_index.py",
                partial(llama_index_script, job.request, trace),
            )
        )
    return files


def _write_calls(trace: Trace) -> bytes:
    return as_csv(calls_table(trace))


def calls_table(trace: Trace) -> Frame:
    """Make a row for each call, without what a server said of a failure."""
    return without_servers_words(trace).to_frame()


def in_llama_index(request: Request) -> bool:
    """Tell whether LlamaIndex has the mode."""
    return request.mode in set(ResponseMode)


def file_stem(mode: str) -> str:
    """Write the name of a mode as part of a file's name."""
    return _NO_NAME.sub("_", mode)
