"""The model of a run whose prompts a person answers on the page."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from synth.errors import SynthError
from synth.llms import HumanLLM
from synth.llms.human import PendingPrompt
from synth.runs.calls import CallRecord
from synth.text.tokenizer import Tokenizer
from ui.runs.branches import Runs
from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding

ABANDONED_AFTER = 3600  # seconds without a visit to the page
_SHORT_WAIT, _LOOK = 0.5, 0.01  # seconds to wait at most, and between two looks


class Person(Holding):
    """Who answers the run of a workspace, as its model; None until there is one."""

    model: HumanLLM | None = None

    def stop(self) -> None:
        """Let nothing wait for an answer any more."""
        if self.model is not None:
            self.model.close()
        self.model = None


def begin(window: int, num_output: int, tokenizer: Tokenizer) -> HumanLLM:
    """Return the model for a new run; the model of the run before stops waiting."""
    person = workspace.current().holding(Person)
    person.stop()
    person.model = HumanLLM(window, num_output, tokenizer)
    return person.model


def current() -> HumanLLM | None:
    """Return the model of the present run, if a person answers it."""
    return workspace.current().holding(Person).model


class WaitingCall(NamedTuple):
    """A call that waits for a person's answer, and the prompt that the model was asked."""

    call: CallRecord
    pending: PendingPrompt


def list_waiting(job: Job) -> list[WaitingCall]:
    """Return the calls of a run that wait for a person's answer, in their order."""
    model = current()
    asked = model.waiting if model is not None else ()
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


def answer(number: int, text: str) -> bool:
    """Answer the prompt with this number; False if it no longer waits for an answer."""
    model = current()
    if model is None:
        return False
    try:
        model.answer(number, text)
    except SynthError:
        return False
    return True


def close_abandoned() -> None:
    """Close the models of runs that were stopped, or whose person has left the page."""
    space = workspace.current()
    job = space.holding(Runs).job
    if job is None or not job.running:
        space.holding(Person).stop()
    oldest = time.monotonic() - ABANDONED_AFTER
    for any_space in workspace.registry().all():
        if any_space.seen < oldest:
            any_space.holding(Person).stop()
