"""The drivers: the only callers of a language model.

    stream   run a mode and hand out events as they happen; the calls of a batch go out one
             after the other, or together in a bounded pool of threads
    astream  the same with asyncio
    run      stream to its end and return the trace; arun likewise
    plan     no model at all: answers of an assumed length
    replay   no model either: answers from a log, as far as it goes

`_Run` is what they share: it numbers the calls, reads the replies and writes the trace.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from synth.errors import BadResponse, BudgetError, ModelError, SynthError
from synth.steps import Answer, Call, Completion, Done, Steps, advance
from synth.tokens import Tokenizer
from synth.trace import CallRecord, Log, Plan, PlannedCall, Setup, Trace, prompt_hash

if TYPE_CHECKING:
    from synth.llms.base import LLM


class Started(NamedTuple):
    """A call goes out; its record has no answer yet."""

    call: CallRecord


class Token(NamedTuple):
    """A piece of a reply; `verbatim` if it is a piece of the response itself."""

    number: int
    text: str
    verbatim: bool


class Answered(NamedTuple):
    """A call was answered, by the model or from the log."""

    call: CallRecord


class Failed(NamedTuple):
    """A call got no usable answer; the run ends."""

    call: CallRecord


class Finished(NamedTuple):
    """The end, with all that happened; `error` is what a caller of `run` would see raised."""

    trace: Trace
    error: SynthError | None


Event = Started | Token | Answered | Failed | Finished


@dataclass(frozen=True)
class Options:
    """How to drive a run.

    `concurrency` calls of a batch at once; `tokens` asks the model to stream every reply;
    `max_calls` is a cap on the whole run; answers in `log` are not asked again where the
    prompt is the same; when `stop` is set, no further call is sent.
    """

    concurrency: int = 1
    tokens: bool = False
    max_calls: int | None = None
    log: Log = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)


class _Stopped(Exception):
    """The person pressed Stop."""


class _Asked(NamedTuple):
    call: Call
    record: CallRecord


class _Run:
    """The state of one run, without any waiting in it."""

    def __init__(self, setup: Setup, steps: Steps, options: Options) -> None:
        self.setup = setup
        self.options = options
        self._steps = steps
        self._began = time.perf_counter()
        self._numbered = 0
        self._depth = 0
        self._ended: dict[int, CallRecord] = {}
        self._errors: dict[int, SynthError | _Stopped] = {}
        self._left = False

    def begin(self) -> list[_Asked] | Done:
        return self._placed(advance(self._steps, None))

    def go_on(self, batch: list[_Asked]) -> list[_Asked] | Done:
        """The next batch, given the answers to this one; its first failure is raised."""
        for asked in batch:
            if asked.record.number in self._errors:
                raise self._errors[asked.record.number]
        if any(asked.record.number not in self._ended for asked in batch):
            raise _Stopped
        self._depth += 1
        ended = [self._ended[asked.record.number] for asked in batch]
        return self._placed(
            advance(
                self._steps,
                [Answer(record.number, record.answer or "", record.satisfied) for record in ended],
            )
        )

    def _placed(self, batch: list[Call] | Done) -> list[_Asked] | Done:
        if isinstance(batch, Done):
            return batch
        wanted, cap = self._numbered + len(batch), self.options.max_calls
        if cap is not None and wanted > cap:
            raise BudgetError(cap_message(cap, wanted))
        first, self._numbered = self._numbered + 1, wanted
        return [
            _Asked(call, self._record(number, call)) for number, call in enumerate(batch, first)
        ]

    def _record(self, number: int, call: Call) -> CallRecord:
        return CallRecord(
            number=number,
            depth=self._depth,
            template=call.template,
            prompt=call.prompt,
            padding=call.padding,
            notes=call.notes,
            prompt_tokens=call.prompt.tokens(self.setup.tokenizer),
        )

    @property
    def halted(self) -> bool:
        """Whether no further call may go out."""
        return self._left or bool(self._errors) or self.options.stop.is_set()

    def leave(self) -> None:
        """Nobody reads the events any more."""
        self._left = True

    def check_stop(self) -> None:
        if self.options.stop.is_set():
            raise _Stopped

    def clock(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._began

    def from_log(self, asked: _Asked) -> CallRecord | None:
        """The record with the answer that the log has for this very prompt."""
        known = self.options.log.get(asked.record.number)
        if known is None or known.prompt_hash != prompt_hash(asked.record.prompt):
            return None
        return self._keep(
            replace(
                asked.record,
                answer=known.answer,
                satisfied=known.satisfied,
                reply=known.reply,
                output_tokens=known.output_tokens,
                finish_reason=known.finish_reason,
                seconds=known.seconds,
                started=self.clock(),
                replayed=True,
            )
        )

    def answered(self, asked: _Asked, completion: Completion, started: float) -> CallRecord:
        """The record with what the completion means; BadResponse if it breaks its schema."""
        answer, satisfied = _meaning(asked.call, completion)
        tokens = completion.output_tokens
        return self._keep(
            replace(
                asked.record,
                answer=answer,
                satisfied=satisfied,
                reply=completion.text,
                notes=(*asked.record.notes, *completion.notes),
                reported_prompt_tokens=completion.prompt_tokens,
                output_tokens=(
                    self.setup.tokenizer.count(completion.text) if tokens is None else tokens
                ),
                finish_reason=completion.finish_reason,
                started=started,
                seconds=self.clock() - started,
            )
        )

    def failed(
        self, asked: _Asked, problem: Exception, started: float, arrived: str
    ) -> CallRecord:
        """The record of a call that got no usable answer, or of a failure that is tolerated."""
        record = replace(
            asked.record,
            reply=arrived or None,
            output_tokens=self.setup.tokenizer.count(arrived),
            started=started,
            seconds=self.clock() - started,
        )
        if isinstance(problem, asked.call.tolerates):
            note = f"{type(problem).__name__} taken for no answer: {problem}"
            return self._keep(
                replace(record, answer="", satisfied=False, notes=(*record.notes, note))
            )
        error = _explained(record, problem)
        self._errors[record.number] = error
        kind = "Stopped" if isinstance(error, _Stopped) else type(error).__name__
        return self._keep(replace(record, error=str(error), error_kind=kind))

    def _keep(self, record: CallRecord) -> CallRecord:
        self._ended[record.number] = record
        return record

    def finished(self, response: str | None, problem: SynthError | _Stopped | None) -> Finished:
        error = problem if isinstance(problem, SynthError) else None
        trace = Trace(
            setup=self.setup,
            calls=tuple(self._ended[number] for number in sorted(self._ended)),
            response=response,
            error=None if error is None else str(error),
            error_kind=None if error is None else type(error).__name__,
            stopped=isinstance(problem, _Stopped),
            seconds=self.clock(),
        )
        if error is not None:
            error.trace = trace
        return Finished(trace, error)


def cap_message(cap: int, wanted: int) -> str:
    """Why a run or a plan stops at its cap."""
    return (
        f"The cap of {cap:,} calls is reached: the next batch would make it {wanted:,}."
        " Raise the cap, or send less text or more of it at once."
    )


def _meaning(call: Call, completion: Completion) -> tuple[str, bool]:
    """What a reply says, and whether it says that the question is answered."""
    if call.schema is None:
        return completion.text, True
    try:
        value = call.schema.model_validate_json(completion.text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise BadResponse(
            f"the reply is not of the form asked for ({problem.error_count()} problems;"
            f" {where}: {first['msg']}). It begins {completion.text[:80]!r}. Try a model that"
            " can answer in JSON, or switch the form off."
        ) from problem
    if not call.filtered:
        return value.model_dump_json(), True
    answer = value.answer  # type: ignore[attr-defined]
    return answer if isinstance(answer, str) else answer.model_dump_json(), value.query_satisfied  # type: ignore[attr-defined]


def _explained(record: CallRecord, problem: Exception) -> SynthError | _Stopped:
    """The same failure, saying which call it was."""
    if isinstance(problem, _Stopped):
        return _Stopped(f"Call {record.number} was stopped while it was being answered.")
    where = f"Call {record.number} ({record.template})"
    if isinstance(problem, SynthError):
        error = type(problem)(f"{where}: {problem}")
    else:
        error = ModelError(f"{where} failed: {type(problem).__name__}: {problem}")
    error.__cause__ = problem
    return error


def _pieces(llm: LLM, call: Call, tokens: bool) -> Iterator[str | Completion]:
    if tokens:
        yield from llm.stream(call.prompt, call.schema)
    else:
        yield llm.complete(call.prompt, call.schema)


def _ask(run: _Run, asked: _Asked, llm: LLM) -> Iterator[Event]:
    """One call, from its start to its end; nothing where the run is halted."""
    if run.halted:
        return
    yield Started(asked.record)
    if (known := run.from_log(asked)) is not None:
        yield Answered(known)
        return
    started, arrived, completion = run.clock(), "", Completion("")
    try:
        for piece in _pieces(llm, asked.call, run.options.tokens):
            if isinstance(piece, Completion):
                completion = piece
            else:
                arrived += piece
                yield Token(asked.record.number, piece, asked.call.verbatim)
                run.check_stop()
        record = run.answered(asked, completion, started)
    except Exception as problem:
        record = run.failed(asked, problem, started, arrived)
    yield Answered(record) if record.error is None else Failed(record)


def _ask_together(run: _Run, batch: list[_Asked], llm: LLM) -> Iterator[Event]:
    """The calls of a batch in a pool of threads, and their events as they come."""
    events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()

    def work(asked: _Asked) -> None:
        try:
            for event in _ask(run, asked, llm):
                events.put(event)
        finally:
            events.put(None)

    with ThreadPoolExecutor(min(run.options.concurrency, len(batch))) as pool:
        futures = [pool.submit(work, asked) for asked in batch]
        try:
            going = len(batch)
            while going:
                event = events.get()
                going -= event is None
                if event is not None:
                    yield event
        except GeneratorExit:
            run.leave()
            raise
    for future in futures:
        future.result()  # a defect of ours must not pass for a stopped run


def stream(setup: Setup, steps: Steps, llm: LLM, options: Options) -> Iterator[Event]:
    """Run a mode, handing out events; the last one is `Finished`, whatever happened."""
    run = _Run(setup, steps, options)
    response: str | None = None
    end: SynthError | _Stopped | None = None
    try:
        batch = run.begin()
        while not isinstance(batch, Done):
            if options.concurrency > 1 and len(batch) > 1:
                yield from _ask_together(run, batch, llm)
            else:
                for asked in batch:
                    yield from _ask(run, asked, llm)
            batch = run.go_on(batch)
        response = batch.response
    except (SynthError, _Stopped) as problem:
        end = problem
    yield run.finished(response, end)


def run(setup: Setup, steps: Steps, llm: LLM, options: Options) -> Trace:
    """Run a mode to its end; a failure is raised with the trace so far on it."""
    *_, last = stream(setup, steps, llm, options)
    return _outcome(last)


def _outcome(last: Event) -> Trace:
    assert isinstance(last, Finished)
    if last.error is not None:
        raise last.error
    return last.trace


async def _apieces(llm: LLM, call: Call, tokens: bool) -> AsyncIterator[str | Completion]:
    if tokens:
        async for piece in llm.astream(call.prompt, call.schema):
            yield piece
    else:
        yield await llm.acomplete(call.prompt, call.schema)


async def _aask(run: _Run, asked: _Asked, llm: LLM) -> AsyncIterator[Event]:
    """`_ask`, waiting with asyncio."""
    if run.halted:
        return
    yield Started(asked.record)
    if (known := run.from_log(asked)) is not None:
        yield Answered(known)
        return
    started, arrived, completion = run.clock(), "", Completion("")
    try:
        async for piece in _apieces(llm, asked.call, run.options.tokens):
            if isinstance(piece, Completion):
                completion = piece
            else:
                arrived += piece
                yield Token(asked.record.number, piece, asked.call.verbatim)
                run.check_stop()
        record = run.answered(asked, completion, started)
    except Exception as problem:
        record = run.failed(asked, problem, started, arrived)
    yield Answered(record) if record.error is None else Failed(record)


async def _aask_together(run: _Run, batch: list[_Asked], llm: LLM) -> AsyncIterator[Event]:
    """The calls of a batch as tasks, at most `concurrency` at once."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    places = asyncio.Semaphore(run.options.concurrency)

    async def work(asked: _Asked) -> None:
        try:
            async with places:
                async for event in _aask(run, asked, llm):
                    events.put_nowait(event)
        finally:
            events.put_nowait(None)

    tasks = [asyncio.create_task(work(asked)) for asked in batch]
    try:
        going = len(tasks)
        while going:
            event = await events.get()
            going -= event is None
            if event is not None:
                yield event
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def astream(
    setup: Setup, steps: Steps, llm: LLM, options: Options
) -> AsyncIterator[Event]:
    """Run a mode with asyncio, handing out events; the last one is `Finished`."""
    run = _Run(setup, steps, options)
    response: str | None = None
    end: SynthError | _Stopped | None = None
    try:
        batch = run.begin()
        while not isinstance(batch, Done):
            async for event in _aask_together(run, batch, llm):
                yield event
            batch = run.go_on(batch)
        response = batch.response
    except (SynthError, _Stopped) as problem:
        end = problem
    yield run.finished(response, end)


async def arun(setup: Setup, steps: Steps, llm: LLM, options: Options) -> Trace:
    """Run a mode to its end with asyncio; a failure is raised with the trace so far on it."""
    last: Event | None = None
    async for event in astream(setup, steps, llm, options):
        last = event
    assert last is not None
    return _outcome(last)


def plan(setup: Setup, steps: Steps, answer_tokens: int, max_calls: int) -> Plan:
    """The calls of a run in which every answer has `answer_tokens` tokens.

    What a run would refuse before its first call is raised; what would stop it later is
    the plan's `problem`.
    """
    calls: list[PlannedCall] = []
    text = stand_in(setup.tokenizer, answer_tokens)
    problem: str | None = None
    depth = 0
    try:
        batch = advance(steps, None)
        while not isinstance(batch, Done):
            first = len(calls) + 1
            if len(calls) + len(batch) > max_calls:
                raise BudgetError(cap_message(max_calls, len(calls) + len(batch)))
            calls += [
                PlannedCall(
                    number=number,
                    depth=depth,
                    template=call.template,
                    prompt=call.prompt,
                    padding=call.padding,
                    notes=call.notes,
                    output_tokens=answer_tokens,
                    tokenizer=setup.tokenizer,
                )
                for number, call in enumerate(batch, first)
            ]
            depth += 1
            batch = advance(steps, [Answer(number, text) for number in range(first, len(calls) + 1)])
    except SynthError as found:
        if not calls:
            raise
        problem = str(found)
    return Plan(setup, tuple(calls), answer_tokens, problem)


def stand_in(tokenizer: Tokenizer, tokens: int) -> str:
    """A text of that many tokens, to plan with."""
    words = " answer" * tokens
    text = words.lstrip()
    while tokenizer.count(text) > tokens:  # a tokenizer that cuts words smaller
        text = text[: len(text) * tokens // tokenizer.count(text)]
    return text


def replay(setup: Setup, steps: Steps, log: Log) -> Trace:
    """The run as far as the log has answers to its very prompts."""
    run = _Run(setup, steps, Options(log=log))
    response: str | None = None
    end: SynthError | _Stopped | None = None
    try:
        batch = run.begin()
        while not isinstance(batch, Done):
            for asked in batch:
                run.from_log(asked)
            batch = run.go_on(batch)
        response = batch.response
    except (SynthError, _Stopped) as problem:
        end = problem
    return run.finished(response, end).trace
