"""Response synthesis for RAG: retrieved chunks become calls under a token budget, and an answer.

What can be imported from here is the whole public API; docs/library.md shows it by tasks.
"""

from typing import TYPE_CHECKING, Any

from synth import llms
from synth.bounds import Bounds, Range
from synth.budget import Budget
from synth.cache import AnswerCache
from synth.calls import CallRecord, Log, Logged, PlannedCall, Setup, Spent
from synth.coverage import ChunkCoverage, Stretch
from synth.errors import (
    AuthFailed,
    BadResponse,
    BudgetError,
    CapReached,
    ImportedRunError,
    MissingKey,
    ModelError,
    ModelTimeout,
    ModelUnreachable,
    NotShrinking,
    QuestionSetError,
    RateLimited,
    SynthError,
    TemplateError,
    UnfinishedRun,
)
from synth.events import (
    Answered,
    Cap,
    Event,
    Failed,
    Finished,
    Retrying,
    Started,
    Token,
)
from synth.imports import Difference, Fit, ImportedRun, Verification, fits
from synth.imports import read as read_runs
from synth.index import BM25Index, QueryEngine, Retriever
from synth.inputs import NodeLike, QueryBundle
from synth.llms import LLM, ExtractiveLLM, FunctionLLM, HumanLLM, LLMMetadata
from synth.llms.human import PendingPrompt
from synth.models import ModelFacts, Price, model_facts
from synth.packing import Filled, Packer
from synth.prompt_helper import PromptHelper
from synth.prompts import ChatPromptTemplate, Message, Prompt, PromptTemplate, Span
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
from synth.response_synthesizers.factory import Behaviour, FactoryOptions
from synth.response_synthesizers.options import Options
from synth.responses import AsyncStreamingResponse, Response, StreamingResponse
from synth.schema import Document, MetadataMode, Node, NodeWithScore, TextNode
from synth.settings import ServiceContext, Settings
from synth.span_kinds import SpanKind
from synth.spans import Origin, Segment, Text
from synth.steps import Answer, Call, Completion, Done, Retry, Steps, advance
from synth.text_splitter import ExactTextSplitter, TokenTextSplitter
from synth.tokens import Encode, Tokenizer, encoding_of, get_tokenizer
from synth.trace import Plan, Trace
from synth.what_if import Cliff, Planner, Totals, cliffs

if TYPE_CHECKING:
    from synth.llms import OpenAILLM, list_models

__version__ = "0.1.0"

__all__ = [
    "LLM",
    "RESPONSE_TEXT_TYPE",
    "Accumulate",
    "Answer",
    "AnswerCache",
    "Answered",
    "AsyncStreamingResponse",
    "AuthFailed",
    "BM25Index",
    "BadResponse",
    "BaseSynthesizer",
    "Behaviour",
    "Bounds",
    "Budget",
    "BudgetError",
    "Call",
    "CallRecord",
    "Cap",
    "CapReached",
    "ChatPromptTemplate",
    "ChunkCoverage",
    "Cliff",
    "CompactAndAccumulate",
    "CompactAndRefine",
    "Completion",
    "ContextOnly",
    "Difference",
    "Document",
    "Done",
    "Encode",
    "Event",
    "ExactTextSplitter",
    "ExtractiveLLM",
    "FactoryOptions",
    "Failed",
    "Filled",
    "Finished",
    "Fit",
    "FunctionLLM",
    "Generation",
    "HumanLLM",
    "ImportedRun",
    "ImportedRunError",
    "LLMMetadata",
    "Log",
    "Logged",
    "Message",
    "MetadataMode",
    "MissingKey",
    "ModelError",
    "ModelFacts",
    "ModelTimeout",
    "ModelUnreachable",
    "NoText",
    "Node",
    "NodeLike",
    "NodeWithScore",
    "NotShrinking",
    "OpenAILLM",
    "Options",
    "Origin",
    "Packer",
    "PendingPrompt",
    "Plan",
    "PlannedCall",
    "Planner",
    "Price",
    "Prompt",
    "PromptHelper",
    "PromptTemplate",
    "QueryBundle",
    "QueryEngine",
    "QuestionSetError",
    "Range",
    "RateLimited",
    "Refine",
    "Response",
    "ResponseMode",
    "Retriever",
    "Retry",
    "Retrying",
    "Segment",
    "ServiceContext",
    "Settings",
    "Setup",
    "SimpleSummarize",
    "Span",
    "SpanKind",
    "Spent",
    "Started",
    "Steps",
    "StreamingResponse",
    "Stretch",
    "SynthError",
    "TemplateError",
    "Text",
    "TextNode",
    "Token",
    "TokenTextSplitter",
    "Tokenizer",
    "Totals",
    "Trace",
    "TreeSummarize",
    "UnfinishedRun",
    "Verification",
    "advance",
    "cliffs",
    "encoding_of",
    "fits",
    "get_response_synthesizer",
    "get_tokenizer",
    "list_models",
    "model_facts",
    "read_runs",
    "register",
]

_ELSEWHERE = {
    "VectorStoreIndex": "nothing is embedded here; BM25Index finds nodes by their words",
    "SummaryIndex": "give all nodes to synthesize, or take BM25Index",
    "SimpleDirectoryReader": "no files are read here; make a Node of each text",
}


if not TYPE_CHECKING:  # with it, a type checker would take every name for one of synth

    def __getattr__(name: str) -> Any:
        if name in llms.__all__:  # of those, what loads openai is not imported above
            return getattr(llms, name)
        if name in _ELSEWHERE:  # an AttributeError would lose its words in `from synth import`
            raise ImportError(f"synth has no {name}: {_ELSEWHERE[name]}.")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
