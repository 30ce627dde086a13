"""The popover Export of a run: its files, and the contract on its prompts."""

from __future__ import annotations

import streamlit as st

from synth.export.contract import Contract
from synth.trace import Trace
from ui.export import contract_form
from ui.export.downloads import in_llama_index, run_downloads
from ui.look.elements import section, small
from ui.run.job import Job
from ui.session import keys, workspace


def draw(job: Job) -> None:
    """Draw the button that opens the popover, and its contents while it is open."""
    if job.trace is not None:
        st.fragment(_draw)(job, job.trace)


def _draw(job: Job, trace: Trace) -> None:
    opened = st.popover(
        "Export", icon=":material/ios_share:", key=keys.EXPORT_OPEN, on_change="rerun"
    )
    if opened.open:
        with opened, st.container(key="export_contents"):
            _files(job, trace)
            if trace.calls and in_llama_index(job.request):
                _contract(job, trace)


def _files(job: Job, trace: Trace) -> None:
    section("This run as a file")
    for download in run_downloads(job, trace):
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
    contract = Contract(job.request, trace.log())
    terms = workspace.current().remembered(
        "contract", (job.serial, job.events_read), lambda: contract_form.terms_of(contract)
    )
    contract_form.draw(job.request, terms, trace.call_count)
