"""The runs while they go on: a bar for each column, and its latest answer as it arrives."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.wording import Bold, counted
from ui.compare import runs
from ui.compare.cells import column_label
from ui.compare.columns import MOST_COLUMNS, Column
from ui.compare.comparison import Comparison
from ui.compare.run_slots import slot_runs
from ui.look.elements import box, sentence, small
from ui.look.escape import answer_html, escape
from ui.run.job import Job


def draw(comparison: Comparison) -> None:
    """All columns; when the last run has ended, the whole page is drawn again."""
    if not runs.running(comparison):
        st.rerun()
    jobs = runs.jobs(comparison)
    ended = sum(not job.running for job in jobs)
    prompt_tokens = sum(job.spent.prompt_tokens for job in jobs)
    output_tokens = sum(job.spent.output_tokens for job in jobs)
    sentence(
        [
            Bold(f"{ended:,} of {counted(len(jobs), 'run')} ended."),
            f" {prompt_tokens:,} prompt tokens, {output_tokens:,} output tokens so far.",
        ]
    )
    with_answers = len(comparison.columns) <= MOST_COLUMNS
    with st.container(key="two_running"):
        containers = (
            st.columns(len(comparison.columns), gap="medium")
            if with_answers
            else [st.container()] * len(comparison.columns)
        )
    for column, container in zip(comparison.columns, containers, strict=True):
        with container:
            _column(comparison, column, with_answers)


def _column(comparison: Comparison, column: Column, with_answers: bool) -> None:
    slots = [slot for slot in comparison.cells if slot.column == column.name]
    found = slot_runs()
    jobs = list(dict.fromkeys(found[slot].job for slot in slots if slot in found))
    label = column_label(column.name, comparison.cells[slots[0]].present.mode)
    st.html(f"<b>{escape(label)}</b>")
    st.progress(*_progress(jobs))
    if not with_answers:
        return
    for job in jobs:
        for call in job.failed:
            box(f"Call {call.number} failed.", call.error or "")
    current = next((job for job in jobs if job.running and not job.waiting), None)
    if current is None:
        return
    arriving = list(current.arriving.items())
    answered = current.answered
    if arriving:
        number, text = arriving[-1]
        small(f"Call {number}, arriving")
        st.html(answer_html(text))
    elif answered:
        small(f"Answer of call {answered[-1].number}")
        st.html(answer_html(answered[-1].answer or ""))


def _progress(jobs: Sequence[Job]) -> tuple[float, str]:
    """The share of a column's calls that are answered, from 0 to 1, and the same in words."""
    if not jobs:
        return 0.0, "nothing to run"
    answered = sum(len(job.answered) for job in jobs)
    plans = [job.planned for job in jobs if job.planned is not None]
    planned = sum(plans)
    share = min(1.0, answered / planned) if planned else 0.0
    if not any(job.running for job in jobs):
        failed = any(job.problem or job.failed for job in jobs)
        return (share, "failed") if failed else (1.0, f"{counted(answered, 'call')}, ended")
    if all(job.waiting for job in jobs if job.running) and not answered:
        return 0.0, "waiting"
    if len(plans) < len(jobs):  # a mode without a plan, or a plan that never ends
        return 0.0, f"{counted(answered, 'call')} so far"
    return share, f"{answered:,} of {counted(planned, 'call')}"
