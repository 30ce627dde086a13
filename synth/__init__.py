"""Response synthesis for RAG: retrieved chunks become calls under a token budget, and an answer."""

from synth.base import BaseSynthesizer
from synth.factory import ResponseMode, get_response_synthesizer
from synth.index import BM25Index
from synth.modes import register
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.compact import CompactAndRefine
from synth.modes.refine import Refine
from synth.modes.simple_summarize import SimpleSummarize
from synth.modes.tree_summarize import TreeSummarize
from synth.modes.without_chunks import ContextOnly, Generation, NoText
from synth.prompt_helper import PromptHelper
from synth.prompts import ChatPromptTemplate, PromptTemplate
from synth.schema import (
    AsyncStreamingResponse,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
)
from synth.text_splitter import TokenTextSplitter

__all__ = [
    "Accumulate",
    "AsyncStreamingResponse",
    "BM25Index",
    "BaseSynthesizer",
    "ChatPromptTemplate",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "ContextOnly",
    "Generation",
    "MetadataMode",
    "NoText",
    "Node",
    "NodeWithScore",
    "PromptHelper",
    "PromptTemplate",
    "Refine",
    "Response",
    "ResponseMode",
    "SimpleSummarize",
    "StreamingResponse",
    "TokenTextSplitter",
    "TreeSummarize",
    "get_response_synthesizer",
    "register",
]
