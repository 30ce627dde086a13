"""The popover Export: the files of a run or of several, and the contract on prompts."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from synth.errors import SynthError
from synth.export.contract import Clauses, Contract
from synth.runs.trace import Trace
from synth.text.wording import counted
from ui.export.downloads import Download, file_stem, in_llama_index, run_downloads
from ui.look.elements import save_button, section, small
from ui.plans.plan_range import plan_range
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings.request import Request


def draw(job: Job) -> None:
    """Draw the button that opens the popover, and what leaves a run while it is open."""
    if job.trace is not None:
        _popover(partial(_run, job, job.trace))


def is_open() -> bool:
    """Whether the popover is open."""
    return bool(st.session_state.get(keys.EXPORT_OPEN))


def draw_plan(request: Request | None) -> None:
    """Draw the button that opens the popover, and what leaves a plan of the request, if any."""
    with st.container(width="content"):
        _draw(None if request is None else partial(_plan, request))


def draw_files(head: str, downloads: Callable[[], Sequence[Download]]) -> None:
    """Draw the button that opens the popover, and these files while it is open."""
    _popover(lambda: _files(head, downloads()))


def _popover(contents: Callable[[], None]) -> None:
    with st.container(width="content"):  # a fragment alone would take all the room beside it
        st.fragment(_draw_if_open)(contents)


def _draw_if_open(contents: Callable[[], None]) -> None:
    _draw(contents if is_open() else None)


def _draw(contents: Callable[[], None] | None) -> None:
    popover = st.popover(
        "Export", icon=":material/ios_share:", key=keys.EXPORT_OPEN, on_change="rerun"
    )
    if contents is not None:
        with popover, st.container(key="export_contents"):
            contents()


def _run(job: Job, trace: Trace) -> None:
    _files("This run as a file", run_downloads(job, trace))
    if trace.calls and in_llama_index(job.request):
        _contract(job, trace)


def _plan(request: Request) -> None:
    section("A contract on the prompts of this plan")
    small("Nothing was answered yet: after a run, a contract holds its answers too.")
    contract = workspace.current().remembered("contract", request, lambda: Contract(request, {}))
    plan = plan_range(request).high
    _draw_contract(contract, plan.call_count if plan else 0, "empty answers", "this plan has")


def _files(head: str, downloads: Sequence[Download]) -> None:
    section(head)
    for download in downloads:
        with st.container(
            horizontal=True, vertical_alignment="center", key=f"file_{download.file_name}"
        ):
            save_button(download.label, download.make, download.file_name)
            small(download.meaning)


def _contract(job: Job, trace: Trace) -> None:
    section("A contract on its prompts")
    contract = workspace.current().remembered(
        "contract", (job.serial, job.events_read), lambda: Contract(job.request, trace.log())
    )
    _draw_contract(contract, trace.call_count, "the answers of this run", "this run made")


def _draw_contract(contract: Contract, made: int, answers: str, calls: str) -> None:
    """Draw the clauses, and the button that saves the file; `made` calls are in `calls`' words."""
    small(
        "Tests for your own project: they need llama-index-core and no key, and fail where an"
        " upgrade or an edit changes what is sent."
    )
    try:
        prompts, size = contract.prompts, contract.size
    except SynthError as problem:
        small(f"LlamaIndex refuses these inputs, so nothing can be held: {problem}")
        return
    if len(prompts) != made:
        held = counted(len(prompts), "call")
        small(f"They hold what LlamaIndex does here: {held}, where {calls} {made:,}.")
    clauses = _ticked(contract, answers, size)
    name = f"test_{file_stem(contract.recipe.mode)}_contract.py"
    empty = clauses == Clauses(prompts=False)
    make = partial(contract.text, clauses)
    save_button("Contract for pytest", make, name, "secondary", disabled=empty)


def _ticked(contract: Contract, answers: str, size: tuple[int, int] | None) -> Clauses:
    words = f"With {answers}, the same {counted(len(contract.prompts), 'prompt')}"
    same = st.checkbox(words, value=True, key="clause_prompts")
    most = "A limit on calls and tokens"
    if size is not None:
        amounts = f"{counted(size[0], 'call')} and {counted(size[1], 'prompt token')}"
        most = f"At most {amounts}, whatever the model answers"
    bounded = _box("size", most, size is not None)
    whole = _box("whole", "No text of a chunk is lost", contract.whole)
    templates = _box("templates", "Templates have their variables, no others", contract.templates)
    last: list[int] = []
    if contract.last:
        last = st.multiselect(
            "Chunks that stand whole in the last prompt", contract.last, key="clause_last"
        )
    return Clauses(bounded, whole, tuple(sorted(last)), templates, same)


def _box(clause: str, words: str, holds: bool) -> bool:
    label = words if holds else f"{words}: not true here"
    key = f"clause_{clause}"
    return bool(st.checkbox(label, value=holds, key=key, disabled=not holds)) and holds
