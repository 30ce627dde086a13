"""What Share has of a run, a plan or a comparison: its files, and the contract on prompts."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from synth.errors import SynthError
from synth.export.contract import Clauses, Contract
from synth.runs.calls import Logged
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.export.downloads import Download, file_stem, in_llama_index, run_downloads
from ui.look.elements import save_button, section, small
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings.request import Request


def draw_run(job: Job, trace: Trace) -> None:
    """Draw the files of a run that has ended, and the contract on what it sent."""
    draw_files("This run", run_downloads(job, trace))
    if trace.calls and in_llama_index(job.request):
        answers, calls = "the answers of this run", "this run made"
        _draw_contract(job.request, trace.log(), trace.call_count, answers, calls)


def draw_plan(request: Request, calls: int) -> None:
    """Draw the contract on the prompts of a plan with so many calls, in a mode of LlamaIndex."""
    section("This plan")
    _draw_contract(request, {}, calls, "empty answers", "this plan has")


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
    request: Request, log: Mapping[int, Logged], made: int, answers: str, calls: str
) -> None:
    """Draw a fold with the contract on these answers; `made` calls are in `calls`' words."""
    icon = ":material/contract:"
    fold = st.expander("Contract", icon=icon, key=keys.CONTRACT_OPEN, on_change="rerun")
    if fold.open:
        given = request, tuple(log.items())
        contract = workspace.current().remember("contract", given, lambda: Contract(request, log))
        with fold:
            _draw_clauses(contract, made, answers, calls)


def _draw_clauses(contract: Contract, made: int, answers: str, calls: str) -> None:
    """Draw the clauses, and the button that saves the file."""
    small("A test for pytest: it fails where an upgrade or an edit changes what is sent.")
    try:
        prompts, size = contract.prompts, contract.size
    except SynthError as problem:
        small(f"LlamaIndex refuses these inputs, so nothing can be held: {problem}")
        return
    if len(prompts) != made:
        calls_there = counted(len(prompts), "call")
        small(f"It holds what LlamaIndex does here: {calls_there}, where {calls} {made:,}.")
    clauses = _choose_clauses(contract, answers, size)
    name = f"test_{file_stem(contract.recipe.mode)}_contract.py"
    empty = clauses == Clauses(prompts=False)
    make = partial(contract.text, clauses)
    save_button("Contract for pytest", make, name, "secondary", disabled=empty)


def _choose_clauses(contract: Contract, answers: str, size: tuple[int, int] | None) -> Clauses:
    words = f"With {answers}, the same {counted(len(contract.prompts), 'prompt')}"
    same = st.checkbox(words, value=True, key="clause_prompts")
    most = "A limit on calls and tokens"
    if size is not None:
        amounts = f"{counted(size[0], 'call')} and {counted(size[1], 'prompt token')}"
        most = f"At most {amounts}, whatever the model answers"
    bounded = _draw_clause("size", most, size is not None)
    whole = _draw_clause("whole", "No text of a chunk is lost", contract.whole)
    templates = _draw_clause(
        "templates", "Templates have their variables, no others", contract.templates
    )
    return Clauses(bounded, whole, templates, same)


def _draw_clause(clause: str, words: str, holds: bool) -> bool:
    label = words if holds else f"{words}: not true here"
    key = f"clause_{clause}"
    return bool(st.checkbox(label, value=holds, key=key, disabled=not holds)) and holds
