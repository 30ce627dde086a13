"""The model of a run whose prompts a person answers on the page."""

from __future__ import annotations

import time

from synth.errors import SynthError
from synth.llms import HumanLLM
from ui.run.runs import Runs
from ui.session import keys, workspace

ABANDONED_AFTER = 3600  # seconds without a visit to the page


def begin(window: int, num_output: int, encoding: str) -> HumanLLM:
    """The model for a new run; the model of the run before stops waiting."""
    values = workspace.current().values
    _close(values.get(keys.PERSON))
    values[keys.PERSON] = HumanLLM(window, num_output, encoding)
    return values[keys.PERSON]


def current() -> HumanLLM | None:
    """The model of the present run, if a person answers it."""
    model: HumanLLM | None = workspace.current().values.get(keys.PERSON)
    return model


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
    """Close the models of runs that were stopped, or whose person has left the page.

    This happens whenever anybody's page is drawn. Until then a waiting run holds nobody up.
    """
    space = workspace.current()
    job = space.holding(Runs).job
    if job is None or not job.running:
        _close(space.values.pop(keys.PERSON, None))
    oldest = time.monotonic() - ABANDONED_AFTER
    for any_space in workspace.registry().all():
        if any_space.seen < oldest:
            _close(any_space.values.pop(keys.PERSON, None))


def _close(model: HumanLLM | None) -> None:
    if model is not None:
        model.close()
