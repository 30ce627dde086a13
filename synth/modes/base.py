"""BaseSynthesizer: the documents' contract over `steps`.

A mode, or a custom synthesizer, implements `steps` and gets everything else: answers in
sync and async, streaming, a plan before and a trace after. Or it implements `get_response`
and `aget_response` alone, as in LlamaIndex's documents, and can only be called.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from pydantic import BaseModel, Field, ValidationError, create_model

from synth.errors import SynthError, TemplateError, shown
from synth.llms.default import ServiceContext, model_of
from synth.modes.facts import ModeFacts, said_with
from synth.modes.inputs import (
    NodeLike,
    QueryBundle,
    as_templates,
    chunk_texts,
    contents,
    question,
    scored,
)
from synth.modes.options import Options, checked
from synth.modes.responses import (
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
    apieces,
    make_response,
    once,
    pieces,
)
from synth.prompts.defaults import DEFAULTS
from synth.prompts.packing import Filled, Packer
from synth.prompts.prompt import Prompt
from synth.prompts.templates import PASSED, ChatPromptTemplate
from synth.prompts.window import PADDING, PromptHelper
from synth.runs import drivers, events
from synth.runs.bounds import Bounds
from synth.runs.calls import Log, Setup
from synth.runs.events import Cap, Event
from synth.runs.steps import Call, Done, Steps, advance
from synth.runs.trace import Plan, Trace
from synth.text.sizes import whole
from synth.text.spans import Text

if TYPE_CHECKING:
    from synth.runs.llm import LLM

RESPONSE_TEXT_TYPE = str | BaseModel | Iterator[str] | AsyncIterator[str]

RESERVED = {
    *PASSED,
    *("self", "query", "nodes", "additional_source_nodes", "texts", "text_chunks"),
    *("answer_tokens", "max_calls", "log", "stop"),
}
"""The names that no custom variable can have: those of the arguments beside `**variables`."""
PLANNED_CALLS = 5_000  # a plan longer than this is a finding, not a plan


def checked_variables(variables: Mapping[str, Any]) -> Mapping[str, Any]:
    """The custom variables; TemplateError for a name that they can't have."""
    if reserved := RESERVED.intersection(variables):
        names = ", ".join(sorted(reserved))
        raise TemplateError(
            f"{names} can't be a custom variable: this package uses the name. Rename it."
        )
    return variables


class BaseSynthesizer:
    """Turns a question and chunks into an answer, by the calls that `steps` yields."""

    mode: ClassVar[str] = "custom"
    """The name under which it is registered."""
    summary: ClassVar[str] = "A custom synthesizer."
    """What it does, in one sentence that begins with its verb, for the list of modes."""
    templates: ClassVar[tuple[str, ...]] = ()
    """The names of the templates that it fills."""
    filters: ClassVar[bool] = False
    """Whether it reads `structured_answer_filtering`."""
    makes_objects: ClassVar[bool] = True
    """Whether `output_cls` makes its response one object."""
    needs_nodes: ClassVar[bool] = True
    """Whether no nodes give the empty response without a call."""
    facts: ClassVar[ModeFacts] = ModeFacts()
    """What else is true of its `steps`; who overrides these says it anew, or says nothing."""

    behaviour: ClassVar[str] = "documented"
    packs_with: ClassVar[type[Packer]] = Packer
    tolerates: tuple[type[Exception], ...] = ()
    empty_response: str = "Empty Response"
    _latest: tuple[tuple[str, ...], tuple[Text, ...]] = ((), ())
    """The chunks of the latest plan or run, and the texts that the mode got for them."""

    def __init__(
        self,
        llm: LLM | ServiceContext | None = None,
        streaming: bool = False,
        prompt_helper: PromptHelper | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._llm = model_of(options.get("service_context") if llm is None else llm)
        # Subclasses that are written as the documents print them read these two attributes.
        self._service_context = ServiceContext(self._llm)
        self._callback_manager = options.get("callback_manager")
        self._streaming = streaming
        self.configure(prompt_helper, **options)

    def configure(self, prompt_helper: PromptHelper | None, **options: Unpack[Options]) -> None:
        """Replace all options; SynthError for an unknown one, or one of the wrong type."""
        given: dict[str, Any] = {"prompt_helper": prompt_helper, **options}
        self.options = checked(given | {"streaming": self._streaming})
        self.output_cls = self.options.get("output_cls")
        self.filtering = self.options.get("structured_answer_filtering", False)
        empty = self.options.get("empty_response")
        self.empty_response = type(self).empty_response if empty is None else empty
        if self.filtering and not self.filters:
            raise SynthError(
                f"structured_answer_filtering has no meaning in {type(self).__name__}: its calls"
                " carry no answer from one to the next. Switch it off, or take another mode."
            )
        self.max_concurrency = self.options.get("max_concurrency", 8)
        helper = prompt_helper or _helper_for(self._llm)
        self.packer = self.packs_with(helper, self.options.get("response_padding_size"))
        self._prompts = {name: given.get(name) or DEFAULTS[name] for name in self.templates}

    # What callers use.

    @property
    def llm(self) -> LLM:
        """The model; where none was given, the one that Settings had."""
        return self._llm

    @property
    def streaming(self) -> bool:
        """Whether the response comes piece by piece."""
        return self._streaming

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
        return dict(self._get_prompts())

    def update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        """Replace templates by name; TemplateError for a name that this mode does not have."""
        known = self._get_prompts()
        for name in as_templates(prompts):
            if name not in known:
                has = ", ".join(known) or "none"
                raise TemplateError(f"{type(self).__name__} has no {name}; its templates: {has}.")
        self._update_prompts(prompts)

    def _get_prompts(self) -> Mapping[str, ChatPromptTemplate]:
        """What `get_prompts` gives; a custom synthesizer with templates of its own overrides it."""
        return self._prompts

    def _update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        """Keep templates whose names `_get_prompts` has; overridden together with it."""
        self._prompts.update(prompts)

    def synthesize(
        self,
        /,
        query: str | QueryBundle,
        nodes: Iterable[NodeLike],
        additional_source_nodes: Iterable[NodeLike] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse:
        """The answer from these nodes, with all of them as its sources.

        No nodes give `empty_response` without a call, except in generation. Any failure is
        a SynthError with the trace so far.
        """
        query_str, scored_nodes = question(query), scored(nodes)
        sources = [*scored_nodes, *scored(additional_source_nodes or ())]
        traces: list[Trace] = []
        result: RESPONSE_TEXT_TYPE
        if self.needs_nodes and not scored_nodes:
            result = iter([self.empty_response]) if self.streaming else self.empty_response
            sources = []
        elif type(self).get_response is not BaseSynthesizer.get_response:
            result = self.get_response(query_str, contents(scored_nodes), **variables)
        elif self.streaming:
            result = pieces(self.stream(query_str, contents(scored_nodes), **variables), traces)
        else:
            traces.append(self.run(query_str, contents(scored_nodes), **variables))
            result = self._object(traces[0])
        response = make_response(result, sources, traces)
        if isinstance(response, AsyncStreamingResponse):
            raise SynthError("get_response gave an async generator: only asynthesize reads one.")
        return response

    async def asynthesize(
        self,
        /,
        query: str | QueryBundle,
        nodes: Iterable[NodeLike],
        additional_source_nodes: Iterable[NodeLike] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse | AsyncStreamingResponse:
        """`synthesize`, waiting with asyncio; the calls of a batch go out together, bounded."""
        query_str, scored_nodes = question(query), scored(nodes)
        sources = [*scored_nodes, *scored(additional_source_nodes or ())]
        traces: list[Trace] = []
        result: RESPONSE_TEXT_TYPE
        if self.needs_nodes and not scored_nodes:
            result = once(self.empty_response) if self.streaming else self.empty_response
            sources = []
        elif type(self).aget_response is not BaseSynthesizer.aget_response or not self.plannable:
            result = await self.aget_response(query_str, contents(scored_nodes), **variables)
        elif self.streaming:
            result = apieces(self.astream(query_str, contents(scored_nodes), **variables), traces)
        else:
            traces.append(await self.arun(query_str, contents(scored_nodes), **variables))
            result = self._object(traces[0])
        return make_response(result, sources, traces)

    def get_response(self, /, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Any:
        """The answer alone: text, an object of `output_cls`, or an iterator when streaming."""
        if self.streaming:
            return pieces(self.stream(query_str, text_chunks, **variables), [])
        return self._object(self.run(query_str, text_chunks, **variables))

    async def aget_response(
        self, /, query_str: str, text_chunks: Sequence[str], **variables: Any
    ) -> Any:
        """`get_response`, waiting with asyncio."""
        if not self.plannable:
            return await asyncio.to_thread(self.get_response, query_str, text_chunks, **variables)
        if self.streaming:
            return apieces(self.astream(query_str, text_chunks, **variables), [])
        return self._object(await self.arun(query_str, text_chunks, **variables))

    def plan(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        answer_tokens: int | None = None,
        max_calls: int = PLANNED_CALLS,
        **variables: Any,
    ) -> Plan:
        """The calls that a run would make if every answer had `answer_tokens` tokens.

        `answer_tokens` is num_output unless given, at most 1,000,000. A plan of more than
        `max_calls` has the first ones, and a `problem` that says so. No model is called.
        BudgetError and TemplateError where a run would be refused before its first call.
        """
        setup = self.setup(query_str, text_chunks)
        tokens = setup.num_output if answer_tokens is None else answer_tokens
        most = whole("max_calls", max_calls)
        return drivers.plan(setup, self._begin(setup, variables), tokens, most)

    def bounds(self, /, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Bounds:
        """What a run makes at least and at most, whatever answers of num_output tokens say.

        No model is called. BudgetError and TemplateError as in `plan`.
        """
        setup = self.setup(query_str, text_chunks)
        texts = self._texts(setup, variables)
        bound = self.bound if said_with(type(self), "bound", "steps") else self._careful_bound
        return bound(setup.query, texts, **variables)

    def run(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        **variables: Any,
    ) -> Trace:
        """Run to the end; answers in `log` are not asked again.

        A failure is raised with the trace so far, whose `log()` lets a later run go on from there.
        """
        setup = self.setup(query_str, text_chunks)
        options = self._driving(log=log)
        return drivers.run(setup, self._begin(setup, variables), self.llm, options)

    async def arun(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        **variables: Any,
    ) -> Trace:
        """`run`, waiting with asyncio."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(together=True, log=log)
        return await drivers.arun(setup, self._begin(setup, variables), self.llm, options)

    def stream(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        stop: Flag | None = None,
        **variables: Any,
    ) -> Iterator[Event]:
        """The events of a run; calls that `log` answers are not sent, and none after `stop`."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(tokens=True, log=log, stop=stop)
        return drivers.stream(setup, self._begin(setup, variables), self.llm, options)

    def astream(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        stop: Flag | None = None,
        **variables: Any,
    ) -> AsyncIterator[Event]:
        """`stream`, waiting with asyncio."""
        setup = self.setup(query_str, text_chunks)
        options = self._driving(tokens=True, together=True, log=log, stop=stop)
        return drivers.astream(setup, self._begin(setup, variables), self.llm, options)

    def replay(
        self, /, query_str: str, text_chunks: Sequence[str], log: Log, **variables: Any
    ) -> Trace:
        """The run as far as `log` answers it, without a model."""
        setup = self.setup(query_str, text_chunks)
        return drivers.replay(setup, self._begin(setup, variables), _logged(log))

    def setup(self, query_str: str, text_chunks: Sequence[str]) -> Setup:
        """The input of a run of this question, as data."""
        return Setup(
            mode=self.mode,
            behaviour=self.behaviour,
            query=question(query_str),
            chunks=chunk_texts(text_chunks),
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

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """The bounds of `steps` with the same arguments, for a mode to override beside it."""
        return self._careful_bound(query_str, texts, **variables)

    def _careful_bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """The first batch is known; nothing is known of what follows."""
        first = self.bound_first(query_str, texts, **variables)
        return first.or_more() if first.calls.low else first

    def bound_first(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """The bounds of the first batch, which is all there is where no call reads an answer."""
        calls = advance(self.steps(query_str, texts, **variables), None)
        return self.bound_batch([] if isinstance(calls, Done) else [one.prompt for one in calls])

    def bound_batch(self, prompts: Iterable[Prompt]) -> Bounds:
        """The bounds of one batch of calls with these prompts."""
        helper = self.prompt_helper
        tokens = [prompt.tokens(helper.tokenizer) for prompt in prompts]
        return Bounds.batch(tokens, helper.num_output)

    def ending(self, text: str) -> str:
        """The response, given the text that the last call or all of them made."""
        return text or self.empty_response

    def filled(self, name: str, /, **values: Any) -> Filled:
        """The template of that name with these values in place."""
        template = self._prompts[name].partial_format(**values)
        return Filled(name, template, template)

    def call(
        self,
        filled: Filled,
        text: Text | str | None = None,
        *,
        final: bool = False,
        verbatim: bool = True,
        padding: int = PADDING,
    ) -> Call:
        """The call that sends the template with this chunk text; with None, without any."""
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
        return self.steps(setup.query, self._texts(setup, variables), **variables)

    def _texts(self, setup: Setup, variables: Mapping[str, Any]) -> list[Text]:
        """The chunks as modes read them; TemplateError for a variable with a reserved name."""
        checked_variables(variables)
        chunks, texts = self._latest
        if chunks != setup.chunks:  # else the very same texts, by which the packer remembers
            texts = tuple(
                Text.of(chunk, "chunk", number) for number, chunk in enumerate(setup.chunks, 1)
            )
            self._latest = setup.chunks, texts
        return list(texts)

    def _driving(
        self,
        *,
        tokens: bool = False,
        together: bool = False,
        log: Log | None = None,
        stop: Flag | None = None,
    ) -> events.RunOptions:
        if not isinstance(stop, Flag | None):
            raise SynthError(f"stop is {shown(stop)}: give a threading.Event.")
        together = together or self.options.get("use_async", False)
        return events.RunOptions(
            concurrency=self.max_concurrency if together else 1,
            tokens=tokens,
            cap=self.options.get("cap") or Cap(),
            cache=self.options.get("cache"),
            log={} if log is None else _logged(log),
            stop=stop or Flag(),
        )

    def _object(self, trace: Trace) -> str | BaseModel:
        """The response of a finished run: an object of `output_cls` if it is one, else text."""
        text = trace.response or ""
        if self.output_cls is None or not self.makes_objects:
            return text
        try:
            return self.output_cls.model_validate_json(text)
        except ValidationError:  # the empty response, which is no object
            return text


def _logged(log: Log) -> Log:
    if not isinstance(log, Mapping):
        raise SynthError(f"log is {shown(log)}: give the answers of a trace, trace.log().")
    return log


def _helper_for(llm: LLM) -> PromptHelper:
    sizes = llm.metadata
    return PromptHelper(sizes.context_window, sizes.num_output, tokenizer=sizes.encoding)
