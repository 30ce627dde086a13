"""Runs that go on: one bar a column, and the latest answer of each as it arrives."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.wording import counted
from ui.compare import columns, runs
from ui.compare.columns import Column
from ui.compare.lineup import Lineup
from ui.compare.run_slots import slot_runs
from ui.look.elements import box, sentence, small
from ui.look.escape import Bold, answer_html, escape
from ui.run.job import Job
from ui.session import workspace


def draw(shown: Lineup) -> None:
    """All columns; when the last run ends the page is drawn anew."""
    if not runs.running(shown):
        st.rerun()
    workspace.current()
    found = runs.jobs(shown)
    going = sum(job.running for job in found)
    sentence(
        [Bold(f"{counted(len(found) - going, 'run')} of {len(found):,} ended."), *_spent(found)]
    )
    wide = len(shown.columns) <= columns.MOST
    with st.container(key="two_running"):
        sides = (
            st.columns(len(shown.columns), gap="medium")
            if wide
            else [st.container()] * len(shown.columns)
        )
    for column, side in zip(shown.columns, sides, strict=True):
        with side:
            _column(shown, column, wide)


def _spent(found: Sequence[Job]) -> list[str]:
    prompts = sum(job.spent.prompt_tokens for job in found)
    outputs = sum(job.spent.output_tokens for job in found)
    return [f" {prompts:,} prompt tokens, {outputs:,} output tokens so far."]


def _column(shown: Lineup, column: Column, wide: bool) -> None:
    compared = slot_runs()
    there = [slot for slot in shown.slots() if slot.column == column.name]
    jobs = list(dict.fromkeys(compared[slot].job for slot in there if slot in compared))
    st.html(f"<b>{escape(columns.label(column, shown.request(there[0]).mode))}</b>")
    st.progress(*_progress(jobs))
    if not wide:
        return
    for job in jobs:
        for call in job.failed:
            box(f"Call {call.number} failed.", call.error or "")
    latest = next((job for job in jobs if job.running and not job.waiting), None)
    if latest is None:
        return
    arriving = list(latest.arriving.items())
    answered = latest.answered
    if arriving:
        small(f"Call {arriving[-1][0]}, arriving")
        st.html(answer_html(arriving[-1][1]))
    elif answered:
        small(f"Answer of call {answered[-1].number}")
        st.html(answer_html(answered[-1].answer or ""))


def _progress(jobs: Sequence[Job]) -> tuple[float, str]:
    """How far the runs of a column are, from 0 to 1, and in words."""
    if not jobs:
        return 0.0, "nothing to run"
    done = sum(len(job.answered) for job in jobs)
    planned = sum(job.planned or len(job.answered) for job in jobs)
    share = min(1.0, done / planned) if planned else 0.0
    if not any(job.running for job in jobs):
        failed = any(job.problem or job.failed for job in jobs)
        return (share, "failed") if failed else (1.0, f"{counted(done, 'call')}, ended")
    if all(job.waiting for job in jobs if job.running) and not done:
        return 0.0, "waiting"
    return share, f"{done:,} of {counted(planned, 'call')}"
