"""The run whose prompts a person answers on the page."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from synth.errors import SynthError
from synth.llms.human import PendingPrompt
from synth.runs.calls import CallRecord
from ui.runs.job import Job

_SHORT_WAIT, _LOOK = 0.5, 0.01  # seconds to wait at most, and between two looks


class WaitingCall(NamedTuple):
    """A call that waits for a person's answer, and the prompt that the model was asked."""

    call: CallRecord
    pending: PendingPrompt


def list_waiting(job: Job) -> list[WaitingCall]:
    """Return the calls of a run that wait for a person's answer, in their order."""
    asked = () if job.person is None else job.person.waiting
    unanswered = [call for call in job.begun if call.answer is None and call.error is None]
    found = []
    for pending in asked:
        call = next((call for call in unanswered if call.prompt == pending.prompt), None)
        if call is not None:  # else the job has yet to read that the call was started
            unanswered.remove(call)
            found.append(WaitingCall(call, pending))
    return sorted(found, key=lambda one: one.call.number)


def await_change(job: Job, before: Sequence[WaitingCall]) -> None:
    """Wait for a moment until other calls wait than `before`, or the run has ended."""
    end = time.monotonic() + _SHORT_WAIT
    while job.running and list_waiting(job) in ([], before) and time.monotonic() < end:
        time.sleep(_LOOK)


def answer(job: Job, number: int, text: str) -> bool:
    """Answer the prompt with this number; False if it no longer waits for an answer."""
    if job.person is None:
        return False
    try:
        job.person.answer(number, text)
    except SynthError:
        return False
    return True
