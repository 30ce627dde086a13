"""The modes, simplest first: one file an algorithm. `MODES` is the one registry."""

from __future__ import annotations

from synth.base import BaseSynthesizer
from synth.errors import SynthError
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.compact import CompactAndRefine
from synth.modes.refine import Refine
from synth.modes.simple_summarize import SimpleSummarize
from synth.modes.tree_summarize import TreeSummarize
from synth.modes.without_chunks import ContextOnly, Generation, NoText

MODES: dict[str, type[BaseSynthesizer]] = {
    synthesizer.mode: synthesizer
    for synthesizer in (
        Refine,
        CompactAndRefine,
        TreeSummarize,
        SimpleSummarize,
        Accumulate,
        CompactAndAccumulate,
        Generation,
        NoText,
        ContextOnly,
    )
}


def register(synthesizer: type[BaseSynthesizer]) -> type[BaseSynthesizer]:
    """Add a custom synthesizer under its `mode`; SynthError if another has that name.

    Returns the class, so that it can stand above it as a decorator.
    """
    taken = MODES.setdefault(synthesizer.mode, synthesizer)
    if taken is not synthesizer and taken.__qualname__ != synthesizer.__qualname__:
        raise SynthError(
            f"There is a mode {synthesizer.mode} already ({taken.__name__}): choose another name."
        )
    MODES[synthesizer.mode] = synthesizer  # a reloaded module brings its class anew
    return synthesizer
