"""The drivers: the only callers of a language model.

stream   run a mode and hand out events as they happen; the calls of a batch go out one
         after the other, or together in a bounded pool of threads
astream  the same, waited for with asyncio: a thread takes each step
run      stream to its end and return the trace; arun likewise
plan     no model at all: answers of an assumed length, beside those of a log
replay   no model either: answers from a log, as far as it goes
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from synth.errors import SynthError
from synth.prompts.packing import placeholder_answer
from synth.runs.calls import Log, Logged, PlannedCall, Setup, prompt_hash
from synth.runs.events import Event, Finished, Retrying, RunOptions, Started
from synth.runs.reply import Reply
from synth.runs.state import PendingCall, RunState
from synth.runs.steps import Answer, Done, Steps, advance
from synth.runs.trace import Plan, Trace

if TYPE_CHECKING:
    from synth.runs.llm import LLM

_threads = ThreadPoolExecutor(256, "synth-calls")  # of all runs, however many calls each has
_waiting = ThreadPoolExecutor(256, "synth-runs")  # of runs that asyncio waits for


def run(setup: Setup, steps: Steps, llm: LLM, options: RunOptions) -> Trace:
    """Run a mode to its end; a failure is raised with the trace so far on it."""
    *_, last = stream(setup, steps, llm, options)
    return _outcome(last)


def stream(setup: Setup, steps: Steps, llm: LLM, options: RunOptions) -> Iterator[Event]:
    """Run a mode, handing out events; the last one is `Finished`, whatever happened."""
    yield from _drive(RunState(setup, steps, options, llm.identity), llm)


def _drive(state: RunState, llm: LLM) -> Generator[Event]:
    while batch := state.next_batch():
        if state.options.concurrency > 1 and len(batch) > 1:
            yield from _ask_together(state, batch, llm)
        else:
            for pending in batch:
                yield from _ask(state, pending, llm)
    yield state.finish()


def _ask(state: RunState, pending: PendingCall, llm: LLM) -> Iterator[Event]:
    reply = Reply(state, pending)
    yield from reply.opening()
    if not reply.is_wanted:
        return
    if state.options.stop.is_set():  # while its start was read
        yield reply.leave_unsent()
        return
    problem: Exception | None = None
    try:
        call = pending.call
        for piece in llm.ask(call.prompt, call.schema, streamed=state.options.tokens):
            yield from reply.take(piece)
    except Exception as error:
        problem = error
    yield reply.ending(problem)


def _ask_together(state: RunState, batch: list[PendingCall], llm: LLM) -> Iterator[Event]:
    """Ask in a few threads; a request is sent only once the event that says so was taken."""
    events: queue.SimpleQueue[tuple[Event, threading.Event] | None] = queue.SimpleQueue()
    unasked = iter(batch)  # which the threads share

    def work() -> None:
        try:
            for pending in unasked:
                for event in _ask(state, pending, llm):
                    taken = threading.Event()
                    events.put((event, taken))
                    if isinstance(event, Started | Retrying) and not state.is_abandoned:
                        taken.wait()
                    if state.is_abandoned:
                        return
        finally:
            events.put(None)

    going = min(state.options.concurrency, len(batch))
    futures = [_threads.submit(work) for _ in range(going)]
    try:
        while going:
            handed = events.get()
            going -= handed is None
            if handed is not None:
                event, taken = handed
                try:
                    yield event
                finally:
                    taken.set()
    except GeneratorExit:
        state.is_abandoned = True
        while not events.empty():
            if (handed := events.get()) is not None:
                handed[1].set()
        raise
    finally:
        wait(futures)
    for future in futures:
        future.result()  # raises a defect of this package, which would look like a stopped run


async def arun(setup: Setup, steps: Steps, llm: LLM, options: RunOptions) -> Trace:
    """Run a mode to its end with asyncio; a failure is raised with the trace so far on it."""
    return _outcome([event async for event in astream(setup, steps, llm, options)][-1])


async def astream(
    setup: Setup, steps: Steps, llm: LLM, options: RunOptions
) -> AsyncIterator[Event]:
    """Do as `stream`, waiting with asyncio; a task that is cancelled sends nothing further.

    A request that is under way then is waited for in its thread.
    """
    state = RunState(setup, steps, options, llm.identity)
    events, loop = _drive(state, llm), asyncio.get_running_loop()
    try:
        while (event := await loop.run_in_executor(_waiting, next, events, None)) is not None:
            yield event
    finally:
        state.is_abandoned = True
        _waiting.submit(events.close)  # which waits for requests; refused while a step goes on


def _outcome(last: Event) -> Trace:
    assert isinstance(last, Finished)
    if last.error is not None:
        raise last.error
    return last.trace


def replay(setup: Setup, steps: Steps, log: Log) -> Trace:
    """Replay the run as far as the log has answers to its very prompts."""
    state = RunState(setup, steps, RunOptions(log=log))
    while batch := state.next_batch():
        for pending in batch:
            state.recall(pending)
    return state.finish().trace


def plan(
    setup: Setup, steps: Steps, answer_tokens: int, max_calls: int, log: Log | None = None
) -> Plan:
    """Plan the calls of a run; what is refused after its first call is the plan's `problem`."""
    planned: list[PlannedCall] = []
    text = placeholder_answer(setup.tokenizer, answer_tokens)
    assumed = Logged("", text, output_tokens=answer_tokens)
    problem: str | None = None
    answers: list[Answer] | None = None
    depth = 0
    try:
        while not isinstance(calls := advance(steps, answers), Done):
            wanted = len(planned) + len(calls)
            answers = []
            for number, call in enumerate(calls[: max_calls - len(planned)], len(planned) + 1):
                answer = log.get(number, assumed) if log else assumed
                if answer is not assumed and answer.prompt_hash != prompt_hash(call.prompt):
                    answer = assumed
                reasoning = setup.reasoning_output if answer is assumed else 0
                planned.append(
                    PlannedCall(
                        number=number,
                        depth=depth,
                        template=call.template,
                        prompt=call.prompt,
                        padding=call.padding,
                        notes=call.notes,
                        output_tokens=answer.output_tokens + reasoning,
                        tokenizer=setup.tokenizer,
                        reasoning_tokens=reasoning or answer.reasoning_tokens or 0,
                    )
                )
                answers.append(Answer(number, answer.answer, answer.satisfied))
            if wanted > max_calls:
                problem = (
                    f"It would make {wanted:,} calls or more; the first {max_calls:,} are here."
                )
                break
            depth += 1
    except SynthError as error:
        if not planned:
            raise
        problem = str(error)
    return Plan(setup, tuple(planned), answer_tokens, problem)
