"""The one registry of modes, simplest first; custom ones are added to it."""

from inspect import signature

from synth.errors import SynthError, describe
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.base import BaseSynthesizer
from synth.modes.facts import ModeFacts, facts_of
from synth.modes.refine import CompactAndRefine, Refine
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


def mode_class(mode: str) -> type[BaseSynthesizer]:
    """Return the class of a mode; BaseSynthesizer for one that is not registered here."""
    return MODES.get(mode, BaseSynthesizer)


def mode_facts(mode: str) -> ModeFacts:
    """Return the facts of a mode; the careful ones for an unknown name."""
    return facts_of(mode_class(mode))


def register(synthesizer: type[BaseSynthesizer]) -> type[BaseSynthesizer]:
    """Add a custom synthesizer under its `mode`; SynthError for a taken name or a wrong class."""
    if not (isinstance(synthesizer, type) and issubclass(synthesizer, BaseSynthesizer)):
        raise SynthError(
            f"{describe(synthesizer)} is not a subclass of BaseSynthesizer: register one."
        )
    mode, name = synthesizer.mode, synthesizer.__qualname__
    if not isinstance(mode, str) or mode in ("", BaseSynthesizer.mode):
        raise SynthError(f"{name} has the mode {mode!r}: give it a name of its own, as in 'vote'.")
    try:
        signature(synthesizer).bind(None, False)
    except TypeError as problem:
        raise SynthError(
            f"{name} can't be made of a model and whether it streams ({problem}): let its"
            " __init__ take llm and streaming, and hand them on."
        ) from None
    registered = MODES.get(mode, synthesizer)
    if _definition(registered) != _definition(synthesizer):
        where = f"{registered.__name__} of {registered.__module__}"
        raise SynthError(f"The mode {mode} exists already ({where}): choose another name.")
    MODES[mode] = synthesizer  # a reloaded module brings its class anew
    return synthesizer


def _definition(synthesizer: type[BaseSynthesizer]) -> tuple[str, str]:
    return synthesizer.__module__, synthesizer.__qualname__
