"""An application of the real llama-index-core, recorded by the real instrumentation."""

import asyncio
import io
import json
import re
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llama_index.core import Settings
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.utils import set_global_tokenizer
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from openinference.instrumentation.llama_index._handler import END_OF_QUEUE
from opentelemetry.sdk.trace import SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from pydantic import PrivateAttr

from tests.parity.package import tokenizer

Rule = Callable[[str, int], str]
CALLING = [
    "refine",
    "compact",
    "tree_summarize",
    "simple_summarize",
    "accumulate",
    "compact_accumulate",
    "generation",
]
WAYS: dict[str, dict[str, Any]] = {
    "sync": {},
    "async": {"entry": "aquery"},
    "streamed": {"streaming": True},
    "streamed with asyncio": {"entry": "aquery", "streaming": True},
    "use_async": {"use_async": True},
}


def chunk(number: int, words: int) -> str:
    return f"chunk {number} " + " ".join(f"w{number}x{each}" for each in range(words))


CHUNKS = [chunk(number, 60 + 20 * number) for number in range(4)]


def says(prompt: str, number: int) -> str:
    """An answer by which its call is known."""
    return f"answer {number} is so"


def verdict(prompt: str, number: int) -> str:
    return json.dumps({"query_satisfied": number % 2 == 0, "answer": f"answer {number}"})


class Application(FunctionCallingLLM):
    """A model that answers by a rule of the prompt and the number of its call.

    Asked for a call of a function, it gives an answer that is an object as the arguments.
    """

    _rule: Rule = PrivateAttr()
    _metadata: LLMMetadata = PrivateAttr()
    _prompts: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, rule: Rule = says, system: str | None = None, **metadata: Any) -> None:
        super().__init__(system_prompt=system)
        sizes = {"context_window": 1_400, "num_output": 64, "model_name": "small", **metadata}
        self._rule, self._metadata = rule, LLMMetadata(**sizes)

    @property
    def metadata(self) -> LLMMetadata:
        return self._metadata

    @property
    def prompts(self) -> list[str]:
        """What it was sent, in order."""
        return self._prompts

    def _answer(self, prompt: str) -> str:
        self._prompts.append(prompt)
        return self._rule(prompt, len(self._prompts))

    def _reply(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = ()) -> ChatResponse:
        text = self._answer("\n".join(f"{one.role.value}: {one.content}" for one in messages))
        usage = {"usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102}}
        if not tools or not text.startswith("{"):
            return ChatResponse(message=ChatMessage(role="assistant", content=text), raw=usage)
        [tool] = tools
        call = {"id": "1", "function": {"name": tool.metadata.name, "arguments": text}}
        message = ChatMessage(role="assistant", additional_kwargs={"tool_calls": [call]})
        return ChatResponse(message=message, raw=usage)

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._reply(messages, kwargs.get("tools", ()))

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self._answer(prompt))

    def _streamed(self, reply: ChatResponse) -> ChatResponseGen:
        if not reply.message.content:
            yield reply
            return
        for text, piece in _growing(reply.message.content):
            message = ChatMessage(role="assistant", content=text)
            yield ChatResponse(message=message, delta=piece)

    def _completed(self, answer: str) -> CompletionResponseGen:
        return (CompletionResponse(text=text, delta=piece) for text, piece in _growing(answer))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        return self._streamed(self._reply(messages, kwargs.get("tools", ())))

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> CompletionResponseGen:
        return self._completed(self._answer(prompt))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._reply(messages, kwargs.get("tools", ()))

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self._answer(prompt))

    @llm_chat_callback()
    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> ChatResponseAsyncGen:
        return _awaited(self._streamed(self._reply(messages, kwargs.get("tools", ()))))

    @llm_completion_callback()
    async def astream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> CompletionResponseAsyncGen:
        return _awaited(self._completed(self._answer(prompt)))

    def _prepare_chat_with_tools(
        self,
        tools: Sequence[Any],
        user_msg: str | ChatMessage | None = None,
        chat_history: list[ChatMessage] | None = None,
        verbose: bool = False,
        allow_parallel_tool_calls: bool = False,
        tool_required: bool = False,
        **_: Any,
    ) -> dict[str, Any]:
        return {"messages": list(chat_history or []), "tools": tools}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **_: Any
    ) -> list[ToolSelection]:
        calls = response.message.additional_kwargs.get("tool_calls", [])
        if not calls and error_on_no_tool_call:
            raise ValueError("no tool call")
        functions = [call["function"] for call in calls]
        return [
            ToolSelection(
                tool_id="1", tool_name=each["name"], tool_kwargs=json.loads(each["arguments"])
            )
            for each in functions
        ]


def _growing(text: str) -> Iterator[tuple[str, str]]:
    """The text up to each of its words, and that word."""
    for word in re.finditer(r"\S+\s*|^\s*", text):
        yield text[: word.end()], word[0]


async def _awaited(pieces: Generator[Any]) -> AsyncGenerator[Any]:
    for piece in pieces:
        yield piece


class Given(BaseRetriever):
    """A retriever that finds what it was made with."""

    def __init__(self, nodes: Sequence[NodeWithScore]) -> None:
        super().__init__()
        self._nodes = list(nodes)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._nodes


def nodes(chunks: Sequence[str], metadata: bool = True) -> list[NodeWithScore]:
    """Nodes of these texts, each with an id, a score and one line of metadata."""
    return [
        NodeWithScore(
            node=TextNode(
                text=chunk,
                id_=f"node-{number}",
                metadata={"file": f"page-{number}.txt"} if metadata else {},
            ),
            score=1 - number / 100,
        )
        for number, chunk in enumerate(chunks)
    ]


@contextmanager
def recording(
    limits: SpanLimits | None = None, beside: SpanProcessor | None = None
) -> Iterator[io.StringIO]:
    """What is recorded while this is open, one span a line; another processor has it as well."""
    lines = io.StringIO()
    provider = TracerProvider(span_limits=limits or SpanLimits(max_span_attributes=10_000))
    if beside is not None:
        provider.add_span_processor(beside)
    exporter = ConsoleSpanExporter(
        out=lines, formatter=lambda span: span.to_json(indent=None) + "\n"
    )
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    instrumentor = LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        yield lines
    finally:
        end(instrumentor)
        provider.shutdown()


def end(instrumentor: LlamaIndexInstrumentor) -> None:
    """Record no more, and end the thread that each instrumentation leaves behind."""
    instrumentor.uninstrument()
    instrumentor._span_handler._export_queue.queue.put(END_OF_QUEUE)


def ask(
    llm: Application,
    mode: str,
    query: str,
    found: Sequence[NodeWithScore],
    *,
    entry: str = "query",
    **options: Any,
) -> str:
    """The answer of a query engine of that mode, by `query` or `aquery`; streams are read."""
    set_global_tokenizer(tokenizer("cl100k_base"))
    Settings.llm = llm
    helper = options.pop("prompt_helper", None) or PromptHelper.from_llm_metadata(llm.metadata)
    synthesizer = get_response_synthesizer(
        llm=llm, prompt_helper=helper, response_mode=ResponseMode(mode), **options
    )
    engine = RetrieverQueryEngine(Given(found), synthesizer)
    return asyncio.run(_read(getattr(engine, entry)(query)))


async def _read(result: Any) -> str:
    result = await result if asyncio.iscoroutine(result) else result
    if isinstance(result, AsyncStreamingResponse):
        return "".join([piece async for piece in result.async_response_gen()])
    if isinstance(result, StreamingResponse):
        return "".join(result.response_gen)
    return str(result.response)
