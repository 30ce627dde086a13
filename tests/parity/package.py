"""A case, run by llama-index-core."""

import logging
import os
import re
from collections.abc import AsyncGenerator, Generator
from functools import cache, partial
from pathlib import Path
from typing import Any

import llama_index.core as package

# Its encodings lie in the package, where tiktoken finds them without a network.
os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(package.__file__).parent / "_static/tiktoken_cache")

import tiktoken
from llama_index.core import Settings
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.llms import CustomLLM
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate, PromptTemplate
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.response_synthesizers.base import BaseSynthesizer
from llama_index.core.response_synthesizers.refine import Refine, StructuredRefineResponse
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.types import BasePydanticProgram
from llama_index.core.utils import set_global_tokenizer
from pydantic import BaseModel, PrivateAttr

from tests.parity.cases import Case, Model, Outcome, Refusal, TooManyCalls, Verdict, final

# It warns of large pieces with one argument too many, which pytest takes for an error.
logging.getLogger("llama_index.core.node_parser.text.token").disabled = True


@cache
def tokenizer(encoding: str) -> Any:
    """The function that the package counts with: special tokens are one token."""
    return partial(tiktoken.get_encoding(encoding).encode, allowed_special="all")


class CaseLLM(CustomLLM):
    _model: Model = PrivateAttr()

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    @property
    def metadata(self) -> LLMMetadata:
        case = self._model.case
        return LLMMetadata(
            context_window=case.context_window,
            num_output=case.num_output,
            is_function_calling_model=case.makes_objects,
        )

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self._model.text(prompt))

    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> Generator[CompletionResponse]:
        pieces = re.findall(r"\S+\s*|\s+", self._model.text(prompt)) or [""]
        return (CompletionResponse(text="", delta=piece) for piece in pieces)

    def structured_predict(
        self, output_cls: type[BaseModel], prompt: BasePromptTemplate, *_: Any, **values: Any
    ) -> BaseModel:
        # A model with its own JSON mode gets the bare prompt, with no schema pasted into it.
        text = self._model.text(prompt.format(llm=self, **values))
        return output_cls(answer=text, confidence=0.5)

    async def astructured_predict(self, *args: Any, **values: Any) -> BaseModel:
        return self.structured_predict(*args, **values)


class CaseProgram(BasePydanticProgram[StructuredRefineResponse]):
    """The structured call of filtering, on the bare prompt."""

    def __init__(self, prompt: BasePromptTemplate, llm: CaseLLM) -> None:
        self._prompt, self._llm = prompt, llm

    @property
    def output_cls(self) -> type[StructuredRefineResponse]:
        return StructuredRefineResponse

    def __call__(self, *_: Any, **values: Any) -> StructuredRefineResponse:
        reply = self._llm._model.filtered(self._prompt.format(llm=self._llm, **values))
        if reply is None:
            raise ValueError("no valid object")
        return StructuredRefineResponse(query_satisfied=reply[0], answer=reply[1])

    async def acall(self, *_: Any, **values: Any) -> StructuredRefineResponse:
        return self(**values)

    def stream_call(self, *_: Any, **values: Any) -> Generator[StructuredRefineResponse]:
        yield self(**values)

    async def astream_call(
        self, *_: Any, **values: Any
    ) -> AsyncGenerator[StructuredRefineResponse]:
        async def pieces() -> AsyncGenerator[StructuredRefineResponse]:
            yield self(**values)

        return pieces()


def template(case: Case, text: str) -> BasePromptTemplate:
    mappings = dict(case.mappings) or None
    if case.system or case.is_chat:
        return ChatPromptTemplate.from_messages(case.messages(text), template_var_mappings=mappings)
    return PromptTemplate(text, template_var_mappings=mappings)


def helper(case: Case) -> PromptHelper:
    return PromptHelper(**case.limits, tokenizer=tokenizer(case.encoding))


def synthesizer_of(case: Case, llm: CaseLLM, **templates: Any) -> BaseSynthesizer:
    """The package's synthesizer of a case, with these templates in the place of the case's own."""
    set_global_tokenizer(tokenizer(case.encoding))
    Settings.llm = llm  # two modes ask for a global model and never use it
    own = {name: template(case, text) for name, text in case.templates.items()}
    synthesizer = get_response_synthesizer(
        llm=llm,
        prompt_helper=helper(case),
        response_mode=ResponseMode(case.mode),
        use_async=case.use_async,
        streaming=case.streaming,
        structured_answer_filtering=case.filtering,
        program_factory=(lambda prompt: CaseProgram(prompt, llm)) if case.filtering else None,
        output_cls=Verdict if case.makes_objects else None,
        **{**own, **templates},
    )
    if case.padding is not None and isinstance(synthesizer, Refine):
        synthesizer._response_padding_size = case.padding
    return synthesizer


def _nodes(case: Case) -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(text=chunk, metadata=case.node_metadata(number)))
        for number, chunk in enumerate(case.chunks, 1)
    ]


def _read(result: Any) -> Any:
    """The text or object of whatever an entry gave back."""
    if isinstance(result, StreamingResponse):
        result = result.response_gen
    elif isinstance(result, Response | PydanticResponse):
        result = result.response
    return "".join(result) if isinstance(result, Generator) else result


async def _aread(result: Any) -> Any:
    if isinstance(result, AsyncStreamingResponse):
        result = result.async_response_gen()
    if isinstance(result, AsyncGenerator):
        return "".join([piece async for piece in result])
    return _read(result)


def _refusal(problem: BaseException) -> Refusal:
    if isinstance(problem, RecursionError):
        return "endless"
    if isinstance(problem, TooManyCalls):
        return "cap"
    if "is not positive" in str(problem) or "was not non-negative" in str(problem):
        return "budget"
    return "model" if "the model failed" in str(problem) else "other"


def run(case: Case) -> Outcome:
    model = Model(case)
    llm = CaseLLM(model)
    try:
        found = final(case, synthesizer_of(case, llm), _nodes(case), _aread)
    except (Exception, TooManyCalls) as problem:
        return Outcome(model.prompts, refusal=_refusal(problem))
    return Outcome(model.prompts, found)
