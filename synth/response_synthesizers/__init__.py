"""The modes, one file an algorithm, and what makes a synthesizer of a mode's name.

What a mode of your own needs can be imported from here, too.

The names of the modes are those of the package of the same name in llama-index-core.
"""

from synth.packing import Filled, Packer
from synth.response_synthesizers.accumulate import Accumulate, CompactAndAccumulate
from synth.response_synthesizers.base import RESPONSE_TEXT_TYPE, BaseSynthesizer
from synth.response_synthesizers.compact import CompactAndRefine
from synth.response_synthesizers.factory import (
    Behaviour,
    FactoryOptions,
    ResponseMode,
    get_response_synthesizer,
)
from synth.response_synthesizers.facts import ModeFacts
from synth.response_synthesizers.options import Options
from synth.response_synthesizers.refine import Refine
from synth.response_synthesizers.registry import register
from synth.response_synthesizers.simple_summarize import SimpleSummarize
from synth.response_synthesizers.tree_summarize import TreeSummarize
from synth.response_synthesizers.without_chunks import ContextOnly, Generation, NoText
from synth.steps import Answer, Call, Done, Steps, advance

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
