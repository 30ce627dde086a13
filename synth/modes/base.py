"""BaseSynthesizer: the documents' contract over `steps`.

A mode implements `steps` and gets everything else. One that implements `get_response` and
`aget_response` alone, as in LlamaIndex's documents, can only be called.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from threading import Event as Flag
from typing import Any

from pydantic import BaseModel, ValidationError

from synth.errors import SynthError, describe
from synth.modes.facts import comes_with
from synth.modes.inputs import (
    NodeLike,
    QueryLike,
    add_scores,
    check_chunks,
    read_contents,
    read_question,
    refuse_reserved,
    require_log,
)
from synth.modes.mode import Mode
from synth.modes.responses import (
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
    apieces,
    make_response,
    once,
    pieces,
)
from synth.runs import drivers, events
from synth.runs.bounds import Bounds
from synth.runs.calls import Log, Setup
from synth.runs.events import Cap, Event
from synth.runs.prefixes import plan_in_order
from synth.runs.steps import Steps
from synth.runs.trace import Plan, Trace
from synth.text.sizes import whole
from synth.text.spans import Text

RESPONSE_TEXT_TYPE = str | BaseModel | Iterator[str] | AsyncIterator[str]

PLANNED_CALLS = 5_000  # a plan longer than this is a finding, not a plan
_PASSED_ON = {"query_str", "text_chunks"}  # by `synthesize`, to `get_response`


class BaseSynthesizer(Mode):
    """Turns a question and chunks into an answer, by the calls that `steps` yields."""

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
        log: Log | None = None,
        **variables: Any,
    ) -> Plan:
        """Plan the calls of a run whose answers have `answer_tokens` tokens, or are in `log`.

        Where the rule of the model's cache is known, each call has its `cached_tokens`.
        A plan of more than `max_calls` has the first ones, and a `problem`. No model is called.
        BudgetError and TemplateError where a run would be refused before its first call.
        """
        setup = self._stepped(query_str, text_chunks)
        tokens = setup.num_output if answer_tokens is None else answer_tokens
        most = whole("max_calls", max_calls)
        known = None if log is None else require_log(log)
        plan = drivers.plan(setup, self._begin(setup, variables), tokens, most, known)
        if setup.cache is None:
            return plan
        return plan_in_order([plan], setup.cache, self._driving().concurrency)[0]

    def bounds(self, /, query_str: str, text_chunks: Sequence[str], **variables: Any) -> Bounds:
        """Bound a run, whatever answers of num_output tokens say; errors as in `plan`."""
        setup = self._stepped(query_str, text_chunks)
        texts = self._texts(setup, variables)
        kind = type(self) if comes_with(type(self), "bound", "steps") else Mode
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
        setup = self._stepped(query_str, text_chunks)
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
        """Do as `run`, waiting with asyncio."""
        setup = self._stepped(query_str, text_chunks)
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
        """Yield the events of a run; calls that `log` answers are not sent, none after `stop`."""
        setup = self._stepped(query_str, text_chunks)
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
        """Do as `stream`, waiting with asyncio."""
        setup = self._stepped(query_str, text_chunks)
        options = self._driving(tokens=True, together=True, log=log, stop=stop)
        return drivers.astream(setup, self._begin(setup, variables), self.llm, options)

    def replay(
        self, /, query_str: str, text_chunks: Sequence[str], log: Log, **variables: Any
    ) -> Trace:
        """Replay the run as far as `log` answers it, without a model."""
        setup = self._stepped(query_str, text_chunks)
        return drivers.replay(setup, self._begin(setup, variables), require_log(log))

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

    def _driving(
        self,
        *,
        tokens: bool = False,
        together: bool = False,
        log: Log | None = None,
        stop: Flag | None = None,
    ) -> events.RunOptions:
        if not isinstance(stop, Flag | None):
            raise SynthError(f"stop is {describe(stop)}: give a threading.Event.")
        together = together or self.options.get("use_async", False)
        return events.RunOptions(
            concurrency=self.max_concurrency if together else 1,
            tokens=tokens,
            cap=self.options.get("cap") or Cap(),
            cache=self.options.get("cache"),
            log={} if log is None else require_log(log),
            stop=stop or Flag(),
        )

    def _object(self, trace: Trace) -> str | BaseModel:
        text = trace.response or ""
        if self.output_cls is None or not self.makes_objects:
            return text
        try:
            return self.output_cls.model_validate_json(text)
        except ValidationError:  # the empty response, which is no object
            return text
