"""Response synthesis for RAG: retrieved chunks become calls under a token budget, and an answer."""

from typing import TYPE_CHECKING, NoReturn

from synth.index import BM25Index
from synth.llms import LLM
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
from synth.response_synthesizers.base import RESPONSE_TEXT_TYPE
from synth.responses import AsyncStreamingResponse, Response, StreamingResponse
from synth.schema import Document, MetadataMode, Node, NodeWithScore, TextNode
from synth.settings import ServiceContext, Settings
from synth.text_splitter import TokenTextSplitter

__version__ = "0.1.0"

__all__ = [
    "LLM",
    "RESPONSE_TEXT_TYPE",
    "Accumulate",
    "AsyncStreamingResponse",
    "BM25Index",
    "BaseSynthesizer",
    "ChatPromptTemplate",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "ContextOnly",
    "Document",
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
    "ServiceContext",
    "Settings",
    "SimpleSummarize",
    "StreamingResponse",
    "TextNode",
    "TokenTextSplitter",
    "TreeSummarize",
    "get_response_synthesizer",
    "register",
]

_ELSEWHERE = {
    "VectorStoreIndex": "nothing is embedded here; BM25Index finds nodes by their words",
    "SummaryIndex": "give all nodes to synthesize, or take BM25Index",
    "SimpleDirectoryReader": "no files are read here; make a Node of each text",
}


if not TYPE_CHECKING:  # with it, a type checker would take every name for one of synth

    def __getattr__(name: str) -> NoReturn:
        if name in _ELSEWHERE:  # an AttributeError would lose its words in `from synth import`
            raise ImportError(f"synth has no {name}: {_ELSEWHERE[name]}.")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
