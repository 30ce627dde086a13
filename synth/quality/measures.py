"""The measures of an answer that cost nothing; never one number of them all."""

from dataclasses import dataclass

from synth.quality.flags import Flag, flags
from synth.quality.support import Support, Unfounded, support, unfounded
from synth.runs.trace import Trace


@dataclass(frozen=True)
class Measures:
    """What can be said of a response without a model."""

    flags: tuple[Flag, ...]
    support: Support
    unfounded: Unfounded


def measure(trace: Trace) -> Measures:
    """The measures of a run's response; of a run without one, its flags and empty measures."""
    return Measures(flags(trace), support(trace), unfounded(trace))
