"""Response synthesis for RAG: retrieved chunks become calls under a token budget, and an answer."""

from synth.index import BM25Index
from synth.prompt_helper import PromptHelper
from synth.prompts import ChatPromptTemplate, PromptTemplate
from synth.response_synthesizers import (
    Accumulate,
    BaseSynthesizer,
    CompactAndAccumulate,
    CompactAndRefine,
    ContextOnly,
    Generation,
    NoText,
    Refine,
    ResponseMode,
    SimpleSummarize,
    TreeSummarize,
    get_response_synthesizer,
    register,
)
from synth.schema import (
    AsyncStreamingResponse,
    MetadataMode,
    Node,
    NodeWithScore,
    Response,
    StreamingResponse,
)
from synth.text_splitter import TokenTextSplitter

__version__ = "0.1.0"

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
