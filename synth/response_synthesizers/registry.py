"""The one registry of modes, simplest first; custom ones are added to it."""

from __future__ import annotations

from synth.errors import SynthError
from synth.response_synthesizers.accumulate import Accumulate, CompactAndAccumulate
from synth.response_synthesizers.base import BaseSynthesizer
from synth.response_synthesizers.compact import CompactAndRefine
from synth.response_synthesizers.refine import Refine
from synth.response_synthesizers.simple_summarize import SimpleSummarize
from synth.response_synthesizers.tree_summarize import TreeSummarize
from synth.response_synthesizers.without_chunks import ContextOnly, Generation, NoText

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
