"""Response synthesis for RAG: retrieved chunks become calls under a token budget, and an answer.

Here are the names that a user of LlamaIndex knows, and what every task needs; what one task
needs is public in the module of that task. docs/library.md shows both.
"""

from typing import TYPE_CHECKING, Any

from synth import llms
from synth.elsewhere import module_names
from synth.errors import SynthError
from synth.llms import LLM, ExtractiveLLM, FunctionLLM, HumanLLM, LLMMetadata
from synth.llms.default import ServiceContext, Settings
from synth.modes.index import BM25Index, QueryEngine, Retriever
from synth.modes.responses import AsyncStreamingResponse, Response, StreamingResponse
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
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
from synth.runs.bounds import Bounds
from synth.runs.calls import AnswerCache
from synth.runs.events import Cap
from synth.runs.trace import Plan, Trace
from synth.schema import Document, MetadataMode, Node, NodeWithScore, QueryBundle, TextNode
from synth.text.splitter import TokenTextSplitter

if TYPE_CHECKING:
    from synth.llms import OpenAILLM

__version__ = "0.1.0"

__all__ = [
    "LLM",
    "Accumulate",
    "AnswerCache",
    "AsyncStreamingResponse",
    "BM25Index",
    "BaseSynthesizer",
    "Bounds",
    "Cap",
    "ChatPromptTemplate",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "ContextOnly",
    "Document",
    "ExtractiveLLM",
    "FunctionLLM",
    "Generation",
    "HumanLLM",
    "LLMMetadata",
    "MetadataMode",
    "NoText",
    "Node",
    "NodeWithScore",
    "OpenAILLM",
    "Plan",
    "PromptHelper",
    "PromptTemplate",
    "QueryBundle",
    "QueryEngine",
    "Refine",
    "Response",
    "ResponseMode",
    "Retriever",
    "ServiceContext",
    "Settings",
    "SimpleSummarize",
    "StreamingResponse",
    "SynthError",
    "TextNode",
    "TokenTextSplitter",
    "Trace",
    "TreeSummarize",
    "get_response_synthesizer",
    "register",
]

_missing = module_names(__name__)

if not TYPE_CHECKING:  # with it, a type checker would take every name for one of synth

    def __getattr__(name: str) -> Any:
        if name == "OpenAILLM":  # it loads openai, which is not imported above
            return llms.OpenAILLM
        return _missing(name)
