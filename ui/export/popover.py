"""The popover Export: the files of a run or of several, and the contract on prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from synth.export.contract import Contract
from synth.trace import Trace
from ui.export import contract_form
from ui.export.downloads import Download, in_llama_index, run_downloads
from ui.look.elements import section, small
from ui.plan.plan_range import plan_range
from ui.request.request import Request
from ui.run.job import Job
from ui.session import keys, workspace


def draw(job: Job) -> None:
    """Draw the button that opens the popover, and what leaves a run while it is open."""
    if job.trace is not None:
        _popover(partial(_run, job, job.trace))


def is_open() -> bool:
    """Whether the popover is open."""
    return bool(st.session_state.get(keys.EXPORT_OPEN))


def draw_plan(request: Request | None) -> None:
    """Draw the button that opens the popover, and in it what leaves a plan of the request.

    The popover is empty without a request.
    """
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
    contract_form.draw(contract, plan.call_count if plan else 0, contract_form.PLAN)


def _files(head: str, downloads: Sequence[Download]) -> None:
    section(head)
    for download in downloads:
        with st.container(
            horizontal=True, vertical_alignment="center", key=f"file_{download.file_name}"
        ):
            st.download_button(
                download.label,
                download.make,
                download.file_name,
                key=f"download {download.file_name}",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                width="content",
            )
            small(download.meaning)


def _contract(job: Job, trace: Trace) -> None:
    section("A contract on its prompts")
    contract = workspace.current().remembered(
        "contract", (job.serial, job.events_read), lambda: Contract(job.request, trace.log())
    )
    contract_form.draw(contract, trace.call_count, contract_form.RUN)
