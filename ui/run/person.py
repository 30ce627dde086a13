"""The model of a run that a person answers: it waits on the page for each answer."""

from __future__ import annotations

import time

from synth.errors import SynthError
from synth.llms import HumanLLM
from ui.run.runs import Runs
from ui.session import keys, workspace

ABANDONED_AFTER = 3600  # seconds without a look at the page


def begin(window: int, num_output: int, encoding: str) -> HumanLLM:
    """The model for a new run; an earlier one waits no longer."""
    values = workspace.current().values
    _close(values.get(keys.PERSON))
    values[keys.PERSON] = HumanLLM(window, num_output, encoding)
    return values[keys.PERSON]


def current() -> HumanLLM | None:
    """The model of the run that goes on, if a person answers it."""
    model: HumanLLM | None = workspace.current().values.get(keys.PERSON)
    return model


def answer(number: int, text: str) -> bool:
    """Answer the prompt of that number; False if it was answered from another tab or is over."""
    model = current()
    if model is None:
        return False
    try:
        model.answer(number, text)
    except SynthError:
        return False
    return True


def close_abandoned() -> None:
    """End the waiting of runs that were stopped, or whose person has left.

    This is done whenever anybody's page is drawn. Until then a waiting run is in nobody's way.
    """
    space = workspace.current()
    job = space.holding(Runs).job
    if job is None or not job.running:
        _close(space.values.pop(keys.PERSON, None))
    oldest = time.monotonic() - ABANDONED_AFTER
    for other in list(workspace.registry().spaces.values()):
        if other.seen < oldest:
            _close(other.values.pop(keys.PERSON, None))


def _close(model: HumanLLM | None) -> None:
    if model is not None:
        model.close()
