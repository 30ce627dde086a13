"""The measures of an answer that cost nothing; never one number of them all."""

from dataclasses import dataclass

from synth.quality.citations import Citation, citations
from synth.quality.flags import Flag, flags
from synth.quality.references import Likeness, likeness
from synth.quality.support import Support, Unfounded, support, unfounded
from synth.runs.trace import Trace


@dataclass(frozen=True)
class Measures:
    """What can be said of a response without a model; `likeness` only beside a reference."""

    flags: tuple[Flag, ...]
    support: Support
    unfounded: Unfounded
    citations: tuple[Citation, ...]
    likeness: Likeness | None


def measure(trace: Trace, reference: str | None = None) -> Measures:
    """The measures of a run's response; of a run without one, its flags and empty measures."""
    compared = reference is not None and trace.response is not None
    return Measures(
        flags(trace),
        support(trace),
        unfounded(trace),
        citations(trace),
        likeness(trace.response or "", reference or "") if compared else None,
    )
