"""The answers of an imported trace, with which a run of the same prompts costs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from synth.runs.calls import Log, Logged
from ui.session import keys, workspace

KIND = "recorded"
"""The model that answers as the trace says, and offline where the trace has no such prompt."""


@dataclass(frozen=True)
class Recorded:
    """The answers of a recorded run by the number of their call, and the model's name, if known."""

    model: str = ""
    log: Mapping[int, Logged] = field(default_factory=dict)


def answered_by(model: str) -> str:
    """Who answers: the model of the trace, if known, and the offline one where it is silent."""
    return f"{model or 'a trace'}, else offline"


def recorded() -> Recorded:
    """The answers of the trace that was opened last; none if no trace was opened."""
    return workspace.value(keys.RECORDED, Recorded())


def log() -> Log:
    """The answers, for a run that is to reuse them."""
    return recorded().log
