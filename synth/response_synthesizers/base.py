"""BaseSynthesizer: the documents' contract over `steps`.

A mode, or a custom synthesizer, implements `steps` and gets everything else: answers in
sync and async, streaming, a plan before and a trace after. Or it implements `get_response`
and `aget_response` alone, as in LlamaIndex's documents, and can be called and no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack

from pydantic import BaseModel, Field, ValidationError, create_model

from synth import run as drivers
from synth.cache import AnswerCache
from synth.calls import Log, Setup
from synth.default_prompts import DEFAULTS
from synth.errors import SynthError, TemplateError
from synth.events import Cap, Event
from synth.packing import Filled, Packer
from synth.prompt_helper import PADDING, PromptHelper
from synth.prompts import KIND_OF, ChatPromptTemplate
from synth.responses import apieces, contents, make_response, once, pieces
from synth.schema import AsyncStreamingResponse, NodeWithScore, Response, StreamingResponse
from synth.sizes import whole
from synth.spans import Text
from synth.steps import Call, Steps
from synth.trace import Plan, Trace

if TYPE_CHECKING:
    from synth.llms.base import LLM

Result = str | BaseModel | Iterator[str] | AsyncIterator[str]

RESERVED = {*KIND_OF, "query", "nodes", "texts", "text_chunks", "answer_tokens", "log", "stop"}
PLANNED_CALLS = 5_000  # a plan longer than this is a finding, not a plan


class Options(TypedDict, total=False):
    """What a synthesizer can be given beside its model and its prompt helper.

    Templates that a mode does not use are ignored. `response_padding_size` is in tokens;
    `max_concurrency` is how many calls of a batch go out at once (8). No run crosses `cap`;
    answers that `cache` has of the same model and prompt are not asked again.
    """

    text_qa_template: ChatPromptTemplate | None
    refine_template: ChatPromptTemplate | None
    summary_template: ChatPromptTemplate | None
    simple_template: ChatPromptTemplate | None
    structured_answer_filtering: bool
    output_cls: type[BaseModel] | None
    streaming: bool
    use_async: bool
    max_concurrency: int
    response_padding_size: int | None
    empty_response: str
    cap: Cap
    cache: AnswerCache | None


class BaseSynthesizer:
    """Turns a question and chunks into an answer, by the calls that `steps` yields."""

    mode: ClassVar[str] = "custom"
    summary: ClassVar[str] = "A custom synthesizer."
    templates: ClassVar[tuple[str, ...]] = ()
    filters: ClassVar[bool] = False  # whether structured_answer_filtering means something
    makes_objects: ClassVar[bool] = True  # whether output_cls makes the response one object
    needs_nodes: ClassVar[bool] = True
    behaviour: ClassVar[str] = "documented"
    packs_with: ClassVar[type[Packer]] = Packer
    tolerates: tuple[type[Exception], ...] = ()

    def __init__(
        self,
        llm: LLM | None = None,
        prompt_helper: PromptHelper | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._llm = llm
        self.options = options
        self.streaming = options.get("streaming", False)
        self.output_cls = options.get("output_cls")
        self.filtering = options.get("structured_answer_filtering", False)
        self.empty_response = options.get("empty_response", "Empty Response")
        if self.filtering and not self.filters:
            raise SynthError(
                f"structured_answer_filtering has no meaning in {type(self).__name__}: only"
                " refine and compact carry an answer from call to call. Switch it off."
            )
        self.max_concurrency = whole("max_concurrency", options.get("max_concurrency", 8), least=1)
        helper = prompt_helper or _helper_for(llm)
        self.packer = self.packs_with(helper, options.get("response_padding_size"))
        given: Mapping[str, Any] = options
        self._prompts = {name: given.get(name) or DEFAULTS[name] for name in self.templates}

    # What callers use.

    @property
    def llm(self) -> LLM:
        """The model; SynthError where none was given."""
        if self._llm is None:
            raise SynthError(
                f"{type(self).__name__} was made without a model: give it one with llm=, or take"
                " get_response_synthesizer, which has an offline one."
            )
        return self._llm

    @property
    def prompt_helper(self) -> PromptHelper:
        """The helper whose window and tokenizer the runs keep to."""
        return self.packer.helper

    @property
    def plannable(self) -> bool:
        """Whether there are steps to plan, trace and replay."""
        return type(self).steps is not BaseSynthesizer.steps

    def get_prompts(self) -> dict[str, ChatPromptTemplate]:
        """The templates in use, by name."""
        return dict(self._prompts)

    def update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        """Replace templates by name; TemplateError for a name that this mode has not."""
        for name, template in prompts.items():
            if name not in self.templates:
                has = ", ".join(self.templates) or "none"
                raise TemplateError(f"{type(self).__name__} has no {name}; its templates: {has}.")
            self._prompts[name] = template

    def synthesize(
        self,
        query: str,
        nodes: Sequence[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse:
        """The answer from these nodes, with all of them as its sources.

        No nodes give `empty_response` without a call, except in generation. Any failure is
        a SynthError with the trace so far.
        """
        sources = [*nodes, *(additional_source_nodes or ())]
        traces: list[Trace] = []
        if self.needs_nodes and not nodes:
            result: Result = iter([self.empty_response]) if self.streaming else self.empty_response
            sources = []
        elif type(self).get_response is not BaseSynthesizer.get_response:
            result = self.get_response(query, contents(nodes), **variables)
        elif self.streaming:
            result = pieces(self.stream(query, contents(nodes), **variables), traces)
        else:
            traces.append(self.run(query, contents(nodes), **variables))
            result = self._object(traces[0])
        response = make_response(result, sources, traces)
        assert not isinstance(response, AsyncStreamingResponse)
        return response

    async def asynthesize(
        self,
        query: str,
        nodes: Sequence[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse | AsyncStreamingResponse:
        """`synthesize`, waiting with asyncio; the calls of a batch go out together, bounded."""
        sources = [*nodes, *(additional_source_nodes or ())]
        traces: list[Trace] = []
        if self.needs_nodes and not nodes:
            result: Result = once(self.empty_response) if self.streaming else self.empty_response
            sources = []
        elif type(self).aget_response is not BaseSynthesizer.aget_response or not self.plannable:
            result = await self.aget_response(query, contents(nodes), **variables)
        elif self.streaming:
            result = apieces(self.astream(query, contents(nodes), **variables), traces)
        else:
            traces.append(await self.arun(query, contents(nodes), **variables))
            result = self._object(traces[0])
        return make_response(result, sources, traces)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Any:
        """The answer alone: text, an object of `output_cls`, or an iterator when streaming."""
        if self.streaming:
            return pieces(self.stream(query_str, text_chunks, **variables), [])
        return self._object(self.run(query_str, text_chunks, **variables))

    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **variables: Any
    ) -> Any:
        """`get_response`, waiting with asyncio."""
        if not self.plannable:
            return await asyncio.to_thread(self.get_response, query_str, text_chunks, **variables)
        if self.streaming:
            return apieces(self.astream(query_str, text_chunks, **variables), [])
        return self._object(await self.arun(query_str, text_chunks, **variables))

    def plan(
        self,
        query_str: str,
        text_chunks: Sequence[str],
        answer_tokens: int | None = None,
        **variables: Any,
    ) -> Plan:
        """The calls that a run would make if every answer had `answer_tokens` tokens.

        `answer_tokens` is num_output unless given, at most 1,000,000. No model is called.
        BudgetError and TemplateError where a run would be refused before its first call.
        """
        setup = self.setup(query_str, text_chunks)
        tokens = setup.num_output if answer_tokens is None else answer_tokens
        return drivers.plan(setup, self._begin(setup, variables), tokens, PLANNED_CALLS)

    def run(self, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Trace:
        """Run to the end; a failure is raised with the trace so far."""
        setup = self.setup(query_str, text_chunks)
        return drivers.run(setup, self._begin(setup, variables), self.llm, self._driving())

    async def arun(self, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Trace:
        """`run`, waiting with asyncio."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(together=True)
        return await drivers.arun(setup, self._begin(setup, variables), self.llm, options)

    def stream(
        self,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        stop: Flag | None = None,
        **variables: Any,
    ) -> Iterator[Event]:
        """The events of a run; answers in `log` are not asked again, `stop` sends no more."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(tokens=True, log=log, stop=stop)
        return drivers.stream(setup, self._begin(setup, variables), self.llm, options)

    def astream(
        self, query_str: str, text_chunks: Sequence[str], **variables: Any
    ) -> AsyncIterator[Event]:
        """`stream`, waiting with asyncio."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(tokens=True, together=True)
        return drivers.astream(setup, self._begin(setup, variables), self.llm, options)

    def replay(
        self, query_str: str, text_chunks: Sequence[str], log: Log, **variables: Any
    ) -> Trace:
        """The run as far as `log` answers it, without a model."""
        setup = self.setup(query_str, text_chunks)
        return drivers.replay(setup, self._begin(setup, variables), log)

    def setup(self, query_str: str, text_chunks: Sequence[str]) -> Setup:
        """What a run of this question would be asked, as data."""
        return Setup(
            mode=self.mode,
            behaviour=self.behaviour,
            query=query_str,
            chunks=tuple(text_chunks),
            context_window=self.prompt_helper.context_window,
            num_output=self.prompt_helper.num_output,
            tokenizer=self.prompt_helper.tokenizer,
        )

    # What modes use.

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """The mode's algorithm: yields batches of calls, returns the response (steps.py)."""
        raise SynthError(
            f"{type(self).__name__} has no steps: it implements get_response alone, so it can"
            " be called but not planned, streamed or replayed."
        )

    def filled(self, name: str, /, **values: Any) -> Filled:
        """The template of that name with these values in place."""
        template = self._prompts[name].partial_format(**values)
        return Filled(name, template, template)

    def call(
        self,
        filled: Filled,
        text: Text | str = "",
        *,
        final: bool = False,
        verbatim: bool = True,
        padding: int = PADDING,
    ) -> Call:
        """The call that sends the template with this chunk text."""
        return Call(
            template=filled.name,
            prompt=filled.prompt(text),
            final=final,
            verbatim=final and verbatim and self._schema is None,
            padding=padding,
            schema=self._schema,
            filtered=self.filtering,
            notes=filled.notes,
            tolerates=self.tolerates,
        )

    @cached_property
    def _schema(self) -> type[BaseModel] | None:
        if not self.filtering:
            return self.output_cls
        return create_model(
            "FilteredAnswer",
            query_satisfied=(bool, Field(description="Whether the context answers the query.")),
            answer=(self.output_cls or str, Field(description="The answer, from the context.")),
        )

    def _begin(self, setup: Setup, variables: Mapping[str, Any]) -> Steps:
        taken = RESERVED.intersection(variables)
        if taken:
            names = ", ".join(sorted(taken))
            raise TemplateError(
                f"{names} can't be a variable of yours: the name is the project's own. Rename it."
            )
        texts = [Text.of(chunk, "chunk", number) for number, chunk in enumerate(setup.chunks, 1)]
        return self.steps(setup.query, texts, **variables)

    def _driving(
        self,
        *,
        tokens: bool = False,
        together: bool = False,
        log: Log | None = None,
        stop: Flag | None = None,
    ) -> drivers.Options:
        together = together or self.options.get("use_async", False)
        return drivers.Options(
            concurrency=self.max_concurrency if together else 1,
            tokens=tokens,
            cap=self.options.get("cap", Cap()),
            cache=self.options.get("cache"),
            log=log or {},
            stop=stop or Flag(),
        )

    def _object(self, trace: Trace) -> str | BaseModel:
        """The response of a finished run, as an object where one was asked and is there."""
        text = trace.response or ""
        if self.output_cls is None or not self.makes_objects:
            return text
        try:
            return self.output_cls.model_validate_json(text)
        except ValidationError:  # the empty response, which is no object
            return text


def _helper_for(llm: LLM | None) -> PromptHelper:
    if llm is None:
        return PromptHelper()
    sizes = llm.metadata
    return PromptHelper(sizes.context_window, sizes.num_output, tokenizer=sizes.encoding)
