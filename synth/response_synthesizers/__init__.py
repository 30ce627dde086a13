"""The modes, one file an algorithm, and what makes a synthesizer of a mode's name.

The names are those of the package of the same name in llama-index-core.
"""

from synth.response_synthesizers.accumulate import Accumulate, CompactAndAccumulate
from synth.response_synthesizers.base import BaseSynthesizer
from synth.response_synthesizers.compact import CompactAndRefine
from synth.response_synthesizers.factory import ResponseMode, get_response_synthesizer
from synth.response_synthesizers.refine import Refine
from synth.response_synthesizers.registry import register
from synth.response_synthesizers.simple_summarize import SimpleSummarize
from synth.response_synthesizers.tree_summarize import TreeSummarize
from synth.response_synthesizers.without_chunks import ContextOnly, Generation, NoText

__all__ = [
    "Accumulate",
    "BaseSynthesizer",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "ContextOnly",
    "Generation",
    "NoText",
    "Refine",
    "ResponseMode",
    "SimpleSummarize",
    "TreeSummarize",
    "get_response_synthesizer",
    "register",
]
