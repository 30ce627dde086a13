"""LlamaIndex's names for the modes, for what makes a synthesizer, and for what a mode needs."""

from typing import TYPE_CHECKING

from synth.elsewhere import module_names
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.base import RESPONSE_TEXT_TYPE, BaseSynthesizer, ModeFacts
from synth.modes.inputs import Options
from synth.modes.refine import CompactAndRefine, Refine
from synth.modes.registry import (
    Behaviour,
    FactoryOptions,
    ResponseMode,
    get_response_synthesizer,
    register,
)
from synth.modes.single_call import ContextOnly, Generation, NoText, SimpleSummarize
from synth.modes.tree_summarize import TreeSummarize
from synth.prompts.packing import Filled, Packer
from synth.runs.steps import Answer, Call, Done, Steps, advance

__all__ = [
    "RESPONSE_TEXT_TYPE",
    "Accumulate",
    "Answer",
    "BaseSynthesizer",
    "Behaviour",
    "Call",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "ContextOnly",
    "Done",
    "FactoryOptions",
    "Filled",
    "Generation",
    "ModeFacts",
    "NoText",
    "Options",
    "Packer",
    "Refine",
    "ResponseMode",
    "SimpleSummarize",
    "Steps",
    "TreeSummarize",
    "advance",
    "get_response_synthesizer",
    "register",
]

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)
