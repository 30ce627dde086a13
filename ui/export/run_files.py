"""What leaves the app of a run or a plan: its files, calls as CSV, and the contract on prompts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.export.programs import Contract, llama_index_script
from synth.modes.registry import ResponseMode
from synth.runs.calls import Logged
from synth.runs.trace import Trace
from synth.text.wording import counted
from synth.words.run_words import without_servers_words
from ui.export.report_pages import run_html
from ui.look.elements import Frame, save_button, section, small
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.store.rows import Run, write_file

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
    files: list[Download] = []

    def add(label: str, meaning: str, ending: str, make: Callable[[], str | bytes]) -> None:
        files.append(Download(label, meaning, f"{name}_{ending}", make))

    page = "One HTML page, without a key or an address."
    add("Report", page, "report.html", lambda: run_html(run, datetime.now(UTC)))
    if trace.calls:
        add("Calls as CSV", "A row for each call.", "calls.csv", lambda: as_csv(calls_table(trace)))
    whole = "All of it; Share opens it again."
    add("Run as JSON", whole, "run.json", lambda: write_file(run))
    if in_llama_index(job.request):
        again = "Runs it again, compares the prompts."
        script = partial(llama_index_script, job.request, trace)
        add("LlamaIndex script", again, "with_llama_index.py", script)
    return files


def calls_table(trace: Trace) -> Frame:
    """Make a row for each call, without what a server said of a failure."""
    return without_servers_words(trace).to_frame()


_COMPUTED = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, as OWASP lists it (CSV Injection)."""


def as_csv(frame: Frame) -> bytes:
    """Write the table as CSV in UTF-8, with a quote before what a spreadsheet would compute."""

    def quote(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(_COMPUTED) else value

    return frame.map(quote).to_csv(index=False).encode("utf-8", "backslashreplace")


def in_llama_index(request: Request) -> bool:
    """Tell whether LlamaIndex has the mode."""
    return request.mode in set(ResponseMode)


def file_stem(mode: str) -> str:
    """Write the name of a mode as part of a file's name."""
    return _NO_NAME.sub("_", mode)


def draw_run(job: Job, trace: Trace) -> None:
    """Draw the files of a run that has ended, and the contract on what it sent."""
    draw_files("This run", run_downloads(job, trace))
    if trace.calls and in_llama_index(job.request):
        answers, calls = "the answers of this run", "this run made"
        stem = f"{job.request.mode}_{job.info.name or job.info.id[:8]}"
        _draw_contract(job.request, trace.log(), trace.call_count, answers, calls, stem)


def draw_plan(request: Request, calls: int) -> None:
    """Draw the contract on the prompts of a plan with so many calls, in a mode of LlamaIndex."""
    section("This plan")
    _draw_contract(request, {}, calls, "empty answers", "this plan has", f"{request.mode}_plan")


def draw_files(head: str, downloads: Sequence[Download]) -> None:
    """Draw a button for each file, with what is in it."""
    section(head)
    for download in downloads:
        with st.container(
            horizontal=True, vertical_alignment="center", key=f"file_{download.file_name}"
        ):
            save_button(download.label, download.make, download.file_name)
            small(download.meaning)


def _draw_contract(
    request: Request, log: Mapping[int, Logged], made: int, answers: str, calls: str, stem: str
) -> None:
    """Draw a fold with the contract on these answers; `made` calls are in `calls`' words."""
    icon = ":material/contract:"
    fold = st.expander("Contract", icon=icon, key=keys.CONTRACT_OPEN, on_change="rerun")
    if not fold.open:
        return
    given = request, tuple(log.items())
    contract = workspace.current().remember("contract", given, lambda: Contract(request, log))
    with fold:
        small("A test for pytest: it fails where an upgrade or an edit changes what is sent.")
        try:
            prompts = contract.prompts
        except SynthError as problem:
            small(f"LlamaIndex refuses these inputs, so nothing can be held: {problem}")
            return
        if len(prompts) != made:
            calls_there = counted(len(prompts), "call")
            small(f"It holds what LlamaIndex does here: {calls_there}, where {calls} {made:,}.")
        clauses = [f"With {answers}, the same {counted(len(prompts), 'prompt')}"]
        if contract.size is not None:
            most, tokens = contract.size
            clauses.append(f"at most {counted(most, 'call')} and {counted(tokens, 'prompt token')}")
        if contract.whole:
            clauses.append("no text of a chunk is lost")
        small(" · ".join(clauses))
        name = f"test_{file_stem(stem)}_contract.py"
        save_button("Contract for pytest", contract.text, name, "secondary")
