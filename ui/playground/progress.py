"""The view of a run that goes on: progress, cost, answers so far."""

from __future__ import annotations

import streamlit as st

from synth.runs.calls import CallRecord
from synth.text.wording import Bold, counted, dollars, duration
from ui.look.elements import box, section, sentence, small
from ui.look.escape import answer_html
from ui.runs.job import Job

_LATEST = 5  # answers that are shown while a run goes on


def draw(job: Job) -> None:
    """Draw how many of the planned calls are answered, and the answers as they arrive.

    Of a run that waits for a thread, draw how many others are before it.
    """
    if (before := job.before) is not None:
        others = Bold(counted(before, "other run"))
        sentence([Bold(job.request.mode), " waits, with ", others, " before it."])
        return
    answered, planned = job.answered, job.planned
    done = Bold(counted(len(answered), "call"))
    if planned:
        done = Bold(f"{len(answered):,} of {counted(planned, 'call')}")
    sentence([Bold(job.request.mode), " is running: ", done, " answered."])
    st.progress(min(len(answered) / planned, 1.0) if planned else 0.0)
    small(_spent(job))
    for call in job.failed:
        box(f"Call {call.number} failed.", call.error or "")
    for call in job.repeated:
        small(f"Call {call.number}, try {call.tries}: {call.notes[-1]}")
    for number, text in job.arriving.items():
        section(f"Call {number}, arriving")
        st.html(answer_html(text))
    for call in reversed(answered[-_LATEST:]):
        _brief(call, call.number in job.edited)


def _spent(job: Job) -> str:
    """The tokens, the cost if a price is known, and the time of a run so far."""
    _, prompts, outputs = job.spent
    price = job.request.model.price
    cost = f" · {dollars(price.of(prompts, outputs))}" if price else ""
    left = job.seconds_left
    remaining = f", about {left:,.0f} s left" if left is not None and job.planned else ""
    return (
        f"{prompts:,} prompt tokens, {outputs:,} output tokens so far{cost}"
        f" · {job.seconds:,.0f} s{remaining}"
    )


def _brief(call: CallRecord, edited: bool) -> None:
    origin = f" · reused; took {duration(call.seconds)} originally" if call.replayed else ""
    origin = " · edited by hand" if edited else origin
    section(f"Answer of call {call.number} · {counted(call.output_tokens, 'token')}{origin}")
    st.html(answer_html(call.answer or ""))
