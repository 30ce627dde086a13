"""The measures of an answer that cost nothing; never one number of them all."""

from dataclasses import dataclass

from synth.quality.flags import Flag, flags
from synth.quality.support import Mention, support_share, unfounded
from synth.runs.trace import Trace


@dataclass(frozen=True)
class Measures:
    """What can be said of a response without a model."""

    flags: tuple[Flag, ...]
    support: float | None
    unfounded: tuple[Mention, ...]


def measure(trace: Trace) -> Measures:
    """Measure a run's response; of a run without one there are flags alone."""
    return Measures(flags(trace), support_share(trace), unfounded(trace))
