"""BaseSynthesizer: the documents' contract over `steps`.

A mode implements `steps` and gets everything else. One that implements `get_response` and
`aget_response` alone, as in LlamaIndex's documents, can only be called.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack

from pydantic import BaseModel, Field, ValidationError, create_model

from synth.errors import SynthError, TemplateError, require, whole
from synth.lazy import defer
from synth.llms.default import ServiceContext, model_of
from synth.modes.inputs import (
    NodeLike,
    Options,
    QueryLike,
    add_scores,
    as_templates,
    check_chunks,
    check_options,
    read_contents,
    read_question,
    refuse_reserved,
    require_log,
)
from synth.modes.responses import (
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
    apieces,
    make_response,
    once,
    pieces,
)
from synth.prompts.packing import Filled, Packer
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import DEFAULTS, ChatPromptTemplate
from synth.runs import drivers
from synth.runs.bounds import Bounds
from synth.runs.calls import Log, Setup
from synth.runs.events import Cap, Event, RunOptions
from synth.runs.prefixes import plan_in_order
from synth.runs.state import RunState
from synth.runs.steps import Call, Done, Reader, Steps, advance
from synth.runs.trace import Plan, Trace
from synth.text.spans import Text

RESPONSE_TEXT_TYPE = str | BaseModel | Iterator[str] | AsyncIterator[str]

PLANNED_CALLS = 5_000  # a plan longer than this is a finding, not a plan
_PASSED_ON = {"query_str", "text_chunks"}  # by `synthesize`, to `get_response`


ResponseSource = Literal["last_answer", "all_answers", "chunks", "nothing", "other"]


@dataclass(frozen=True)
class ModeFacts:
    """What is known of a mode's algorithm, or a careful value where it says nothing of itself."""

    response_source: ResponseSource = "other"
    """What its response is: the last answer that says something, all answers in a list, the
    chunks, no text at all, or something else."""
    sends_chunks: bool = True  # whether its prompts carry chunk text
    may_never_end: bool = False  # whether long answers can keep it from ending


def facts_of(kind: type[BaseSynthesizer]) -> ModeFacts:
    """Return the facts of a mode; the careful ones where it changes another mode and says none."""
    return kind.facts if comes_with(kind, "facts", "steps", "pack") else ModeFacts()


def comes_with(kind: type, name: str, *methods: str) -> bool:
    """Return whether a class has `name` from where it has these methods: it is still true."""
    nearest = next(one for one in kind.__mro__ if {name, *methods} & vars(one).keys())
    return name in vars(nearest)


class BaseSynthesizer:
    """Turns a question and chunks into an answer, by the calls that `steps` yields."""

    mode: ClassVar[str] = "custom"  # the name under which it is registered
    summary: ClassVar[str] = "A custom synthesizer."
    """What it does, in one sentence that begins with its verb, for the list of modes."""
    templates: ClassVar[tuple[str, ...]] = ()  # the names of the templates that it fills
    filters: ClassVar[bool] = False  # whether it reads `structured_answer_filtering`
    makes_objects: ClassVar[bool] = True  # whether `output_cls` makes its response one object
    needs_nodes: ClassVar[bool] = True  # whether no nodes give the empty response without a call
    facts: ClassVar[ModeFacts] = ModeFacts()
    """What else is true of its `steps`; who overrides these says it anew, or says nothing."""

    behaviour: ClassVar[str] = "documented"
    packs_with: ClassVar[type[Packer]] = Packer
    tolerates: tuple[type[Exception], ...] = ()
    reader: Reader | None = None
    empty_response: str = "Empty Response"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if unknown := [name for name in cls.templates if name not in DEFAULTS]:
            raise SynthError(
                f"{cls.__name__} names a template {unknown[0]}, and there are only"
                f" {', '.join(DEFAULTS)}: name the one whose variables are those of yours, and give"
                " your text for it, or fill a template of your own in get_response."
            )

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
        self.options = check_options(given | {"streaming": self._streaming})
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
        helper = prompt_helper or PromptHelper.from_llm_metadata(self._llm.metadata)
        self.packer = self.packs_with(helper, self.options.get("response_padding_size"))
        self._prompts = {name: given.get(name) or DEFAULTS[name] for name in self.templates}

    @property
    def llm(self) -> LLM:
        """Return the model; where none was given, the one that Settings had."""
        return self._llm

    @property
    def streaming(self) -> bool:
        """Return whether the response comes piece by piece."""
        return self._streaming

    @property
    def streams(self) -> bool:
        """Return whether a response from nodes comes piece by piece."""
        return self.streaming

    @property
    def prompt_helper(self) -> PromptHelper:
        """Return the helper whose window and tokenizer the runs keep to."""
        return self.packer.helper

    def get_prompts(self) -> dict[str, ChatPromptTemplate]:
        """Return the templates in use, by name."""
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
        return self._prompts

    def _update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        self._prompts.update(prompts)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Yield batches of calls, and return the response: the algorithm (synth/runs/steps.py)."""
        raise SynthError(
            f"{type(self).__name__} has no steps: it implements get_response alone, so it can"
            " be called but not planned, streamed or replayed."
        )

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Bound `steps` with the same arguments: the first batch, unless a mode says more."""
        first = self.bound_first(query_str, texts, **variables)
        return first.or_more() if first.calls.low else first

    def bound_first(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Bound the first batch, which is all there is where no call reads an answer."""
        calls = advance(self.steps(query_str, texts, **variables), None)
        return self.bound_batch([] if isinstance(calls, Done) else [one.prompt for one in calls])

    def bound_batch(self, prompts: Iterable[Prompt]) -> Bounds:
        """Bound one batch of calls with these prompts."""
        helper = self.prompt_helper
        tokens = [prompt.tokens(helper.tokenizer) for prompt in prompts]
        return Bounds.batch(tokens, helper.most_output)

    def ending(self, text: str) -> str:
        """Return the response, given the text that the last call or all of them made."""
        return text or self.empty_response

    def filled(self, name: str, /, **values: Any) -> Filled:
        """Fill the template of that name with these values; SynthError if the mode has none."""
        if name not in self._prompts:
            raise SynthError(f"{self.mode} has no {name}: name it among its templates.")
        template = self._prompts[name].partial_format(**values)
        return Filled(name, template, template)

    def call(
        self,
        filled: Filled,
        text: Text | str | None = None,
        *,
        final: bool = False,
        verbatim: bool = True,
        padding: int | None = None,
    ) -> Call:
        """Make the call that sends the template with this chunk text; with None, without any."""
        return Call(
            template=filled.name,
            prompt=filled.prompt(text),
            final=final,
            verbatim=final and verbatim and self._schema is None,
            padding=self.packer.margin if padding is None else padding,
            schema=self._schema,
            filtered=self.filtering,
            takes_cut=self.filtering and self.output_cls is None,
            notes=filled.notes,
            tolerates=self.tolerates,
            reader=self.reader,
        )

    @property
    def _answer_form(self) -> type:
        return self.output_cls or str

    @defer
    def _schema(self) -> type[BaseModel] | None:
        if not self.filtering:
            return self.output_cls
        return create_model(
            "FilteredAnswer",
            query_satisfied=(bool, Field(description="Whether the context answers the query.")),
            answer=(self._answer_form, Field(description="The answer, from the context.")),
        )

    @property
    def plannable(self) -> bool:
        """Return whether there are steps to plan, trace and replay."""
        return type(self).steps is not BaseSynthesizer.steps

    def synthesize(
        self,
        /,
        query: str | QueryLike,
        nodes: Iterable[NodeLike],
        additional_source_nodes: Iterable[NodeLike] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse:
        """Answer from these nodes, its sources; a failure is a SynthError with the trace so far."""
        refuse_reserved(variables.keys() & _PASSED_ON)
        query_str, scored_nodes = read_question(query), add_scores(nodes)
        sources = [*scored_nodes, *add_scores(additional_source_nodes or ())]
        texts = read_contents(scored_nodes)
        traces: list[Trace] = []
        result: RESPONSE_TEXT_TYPE
        if self.needs_nodes and not texts:
            result = iter([self.empty_response]) if self.streaming else self.empty_response
            sources = []
        elif type(self).get_response is not BaseSynthesizer.get_response:
            result = self.get_response(query_str, texts, **variables)
        elif self.streams:
            result = pieces(self.stream(query_str, texts, **variables), traces)
        else:
            traces.append(self.run(query_str, texts, **variables))
            result = self._object(traces[0])
        response = make_response(result, sources, traces)
        if isinstance(response, AsyncStreamingResponse):
            raise SynthError("get_response gave an async generator: only asynthesize reads one.")
        return response

    async def asynthesize(
        self,
        /,
        query: str | QueryLike,
        nodes: Iterable[NodeLike],
        additional_source_nodes: Iterable[NodeLike] | None = None,
        **variables: Any,
    ) -> Response | StreamingResponse | AsyncStreamingResponse:
        """Do as `synthesize`, waiting with asyncio; the calls of a batch go out together."""
        refuse_reserved(variables.keys() & _PASSED_ON)
        query_str, scored_nodes = read_question(query), add_scores(nodes)
        sources = [*scored_nodes, *add_scores(additional_source_nodes or ())]
        texts = read_contents(scored_nodes)
        traces: list[Trace] = []
        result: RESPONSE_TEXT_TYPE
        if self.needs_nodes and not texts:
            result = once(self.empty_response) if self.streaming else self.empty_response
            sources = []
        elif type(self).aget_response is not BaseSynthesizer.aget_response or not self.plannable:
            result = await self.aget_response(query_str, texts, **variables)
        elif self.streams:
            result = apieces(self.astream(query_str, texts, **variables), traces)
        else:
            traces.append(await self.arun(query_str, texts, **variables))
            result = self._object(traces[0])
        return make_response(result, sources, traces)

    def get_response(self, /, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Any:
        """Answer alone: with text, an object of `output_cls`, or an iterator when streaming."""
        if self.streams:
            return pieces(self.stream(query_str, text_chunks, **variables), [])
        return self._object(self.run(query_str, text_chunks, **variables))

    async def aget_response(
        self, /, query_str: str, text_chunks: Sequence[str], **variables: Any
    ) -> Any:
        """Do as `get_response`, waiting with asyncio."""
        if not self.plannable:
            return await asyncio.to_thread(self.get_response, query_str, text_chunks, **variables)
        if self.streams:
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
        """Plan the calls of a run whose answers have `answer_tokens` tokens.

        Where the rule of the model's cache is known, each call has its `cached_tokens`.
        A plan of more than `max_calls` has the first ones, and a `problem`. No model is called.
        BudgetError and TemplateError where a run would be refused before its first call.
        """
        setup = self._stepped(query_str, text_chunks)
        tokens = setup.num_output if answer_tokens is None else answer_tokens
        most = whole("max_calls", max_calls)
        plan = drivers.plan(setup, self._begin(setup, variables), tokens, most)
        if setup.cache is None:
            return plan
        return plan_in_order([plan], setup.cache, self._concurrency())[0]

    def bounds(self, /, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Bounds:
        """Bound a run, whatever answers of num_output tokens say; errors as in `plan`."""
        setup = self._stepped(query_str, text_chunks)
        texts = self._texts(setup, variables)
        kind = type(self) if comes_with(type(self), "bound", "steps") else BaseSynthesizer
        return kind.bound(self, setup.query, texts, **variables)

    def run(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        **variables: Any,
    ) -> Trace:
        """Run to the end; answers in `log` are not asked again. A failure has the trace so far."""
        return drivers.run(self._start(query_str, text_chunks, variables, log=log))

    async def arun(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        **variables: Any,
    ) -> Trace:
        """Do as `run`, waiting with asyncio."""
        state = self._start(query_str, text_chunks, variables, together=True, log=log)
        return await drivers.arun(state)

    def stream(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        stop: Flag | None = None,
        **variables: Any,
    ) -> Iterator[Event]:
        """Yield the events of a run; calls that `log` answers are not sent, none after `stop`."""
        state = self._start(query_str, text_chunks, variables, tokens=True, log=log, stop=stop)
        return drivers.stream(state)

    def astream(
        self,
        /,
        query_str: str,
        text_chunks: Sequence[str],
        log: Log | None = None,
        stop: Flag | None = None,
        **variables: Any,
    ) -> AsyncIterator[Event]:
        """Do as `stream`, waiting with asyncio."""
        state = self._start(
            query_str, text_chunks, variables, tokens=True, together=True, log=log, stop=stop
        )
        return drivers.astream(state)

    def replay(
        self, /, query_str: str, text_chunks: Sequence[str], log: Log, **variables: Any
    ) -> Trace:
        """Replay the run as far as `log` answers it, without a model."""
        state = self._start(query_str, text_chunks, variables, log=require_log(log))
        return drivers.replay(state)

    def setup(self, query_str: str, text_chunks: Sequence[str]) -> Setup:
        """Return the input of a run of this question, as data."""
        tokenizer, has_schema = self.prompt_helper.tokenizer, self.filtering or self.output_cls
        return Setup(
            mode=self.mode,
            behaviour=self.behaviour,
            query=read_question(query_str),
            chunks=check_chunks(text_chunks),
            context_window=self.prompt_helper.context_window,
            num_output=self.prompt_helper.num_output,
            tokenizer=tokenizer.with_schema() if has_schema else tokenizer,
            price=self.llm.price,
            cache=self.llm.cache,
            reasoning_output=self.prompt_helper.reasoning_output,
        )

    def _stepped(self, query_str: str, text_chunks: Sequence[str]) -> Setup:
        if not self.plannable:
            self.steps(query_str, ())  # which says so
        return self.setup(query_str, text_chunks)

    def _begin(self, setup: Setup, variables: Mapping[str, Any]) -> Steps:
        return self.steps(setup.query, self._texts(setup, variables), **variables)

    def _texts(self, setup: Setup, variables: Mapping[str, Any]) -> list[Text]:
        refuse_reserved(variables)
        return [Text.of(chunk, "chunk", number) for number, chunk in enumerate(setup.chunks, 1)]

    def _start(
        self,
        query_str: str,
        text_chunks: Sequence[str],
        variables: Mapping[str, Any],
        *,
        tokens: bool = False,
        together: bool = False,
        log: Log | None = None,
        stop: Flag | None = None,
    ) -> RunState:
        """Return the state of a run before its first call, with all arguments checked."""
        setup = self._stepped(query_str, text_chunks)
        require("stop is", stop, Flag | None, "a threading.Event")
        options = RunOptions(
            concurrency=self._concurrency(together),
            tokens=tokens,
            cap=self.options.get("cap") or Cap(),
            cache=self.options.get("cache"),
            log={} if log is None else require_log(log),
            stop=stop or Flag(),
        )
        return RunState(setup, self._begin(setup, variables), options, self.llm)

    def _concurrency(self, together: bool = False) -> int:
        return self.max_concurrency if together or self.options.get("use_async") else 1

    def _object(self, trace: Trace) -> str | BaseModel:
        text = trace.response or ""
        if self.output_cls is None or not self.makes_objects:
            return text
        try:
            return self.output_cls.model_validate_json(text)
        except ValidationError:  # the empty response, which is no object
            return text


if TYPE_CHECKING:
    from synth.runs.llm import LLM
